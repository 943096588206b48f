// Python module _loader: the loader of a device, driven by a host in Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "ports.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using lutra::Ports;

namespace {

template <class T>
using Pair = std::array<T, LUTRA_SLOTS>;

std::optional<int> slot(std::uint8_t number) {
  return number == LUTRA_NO_SLOT ? std::nullopt : std::optional<int>(number);
}

template <class T>
Pair<T> pair(const T (&values)[LUTRA_SLOTS]) {
  return {values[0], values[1]};
}

// A pack in memory; its bytes live as long as the call.
lutra_source source(const nb::bytes& pack) {
  if (pack.size() > UINT32_MAX) throw nb::value_error("a pack has less than 2^32 bytes");
  return {const_cast<void*>(pack.data()), static_cast<std::uint32_t>(pack.size()),
          [](void* context, std::uint32_t offset, std::uint8_t* bytes, std::uint32_t length) {
            std::memcpy(bytes, static_cast<const std::uint8_t*>(context) + offset, length);
            return 0;
          }};
}

// A loader call whose only result is its error.
template <class Call>
lutra_error called(Ports& ports, Call call) {
  lutra_error error{};
  call(ports.device(), &error);
  ports.finish();
  return error;
}

void bind_results(nb::module_& m) {
  nb::enum_<lutra_result> results(m, "Result", "How a call of the loader ended.");
#define LUTRA_ERROR(name, text) results.value(#name, LUTRA_ERROR_##name, text);
  LUTRA_ERRORS(LUTRA_ERROR)
#undef LUTRA_ERROR
  m.def("text", &lutra_text, "result"_a, "What a host tells a user.");
  nb::enum_<lutra_slot_state>(m, "SlotState", "What the boot record says of a slot.")
      .value("EMPTY", LUTRA_SLOT_EMPTY)
      .value("TEST", LUTRA_SLOT_TEST, "Complete and checked; the next boot tries it.")
      .value("TRIAL", LUTRA_SLOT_TRIAL, "Was booted and is not confirmed; the next boot empties it.")
      .value("CONFIRMED", LUTRA_SLOT_CONFIRMED);
  nb::class_<lutra_error>(m, "Error", "A result, and where in the pack: byte, number of the known answer, its step.")
      .def_ro("result", &lutra_error::result)
      .def_ro("offset", &lutra_error::offset)
      .def_ro("answer", &lutra_error::answer)
      .def_ro("step", &lutra_error::step);
}

void bind_records(nb::module_& m) {
  nb::class_<lutra_pack_info>(m, "PackInfo", "What a pack says of itself; digest: of its manifest.")
      .def_prop_ro("name", [](const lutra_pack_info& i) { return std::string(i.name); })
      .def_prop_ro(
          "version", [](const lutra_pack_info& i) { return nb::make_tuple(i.version[0], i.version[1], i.version[2]); },
          nb::sig("def version(self) -> tuple[int, int, int]"))
      .def_ro("counter", &lutra_pack_info::counter)
      .def_ro("root_version", &lutra_pack_info::root_version)
      .def_ro("images", &lutra_pack_info::images)
      .def_ro("algorithms", &lutra_pack_info::algorithms)
      .def_ro("answers", &lutra_pack_info::answers)
      .def_prop_ro("digest", [](const lutra_pack_info& i) { return nb::bytes(i.digest, sizeof i.digest); });
  nb::class_<lutra_status>(m, "Status", "Boot record and fuses; lists have an entry for each slot.")
      .def_prop_ro("primary", [](const lutra_status& s) { return slot(s.primary); })
      .def_prop_ro("running", [](const lutra_status& s) { return slot(s.running); })
      .def_ro("counter", &lutra_status::counter)
      .def_ro("roots", &lutra_status::roots)
      .def_ro("sequence", &lutra_status::sequence)
      .def_prop_ro("state", [](const lutra_status& s) { return pair(s.state); })
      .def_prop_ro("size", [](const lutra_status& s) { return pair(s.size); })
      .def_prop_ro("check", [](const lutra_status& s) { return pair(s.check); })
      .def_prop_ro("info", [](const lutra_status& s) { return pair(s.info); });
}

}  // namespace

NB_MODULE(_loader, m) {
  m.doc() = "The loader of a device (lutra_loader.h); flash, fuses and core are objects with its callbacks as methods.";
  bind_results(m);
  bind_records(m);
  m.attr("DIGEST_BYTES") = LUTRA_DIGEST_BYTES;
  m.attr("FUSE_BYTES") = LUTRA_FUSE_BYTES;
  m.attr("FUSE_ROOTS") = LUTRA_FUSE_ROOTS;
  m.def(
      "fuse_root", [](std::uint32_t n) { return LUTRA_FUSE_ROOT(n); }, "n"_a,
      "Where the fuses of a root's digest are.");
  m.def("fuse_mark", [](std::uint32_t n) { return LUTRA_FUSE_MARK(n); }, "n"_a, "Where a root is marked as complete.");
  nb::class_<Ports>(m, "Loader", "The loader over the ports of one device. An exception of a port comes out as it is.")
      .def(nb::init<nb::object, nb::object, nb::object>(), "flash"_a, "fuses"_a, "core"_a)
      .def_prop_rw(
          "running", [](const Ports& p) { return slot(p.device()->running); },
          [](Ports& p, std::optional<int> n) {
            p.device()->running = n ? static_cast<std::uint8_t>(*n) : std::uint8_t{LUTRA_NO_SLOT};
          },
          nb::for_setter(nb::arg().none()), "The slot whose firmware runs; None after power-up.")
      .def(
          "check",
          [](Ports& p, const nb::bytes& pack) {
            lutra_pack_info info{};
            const auto from = source(pack);
            const auto error = called(p, [&](auto* d, auto* e) { lutra_check(d, &from, &info, e); });
            return std::pair(error, info);
          },
          "pack"_a, "Authenticate and check a pack for this device; writes nothing, runs nothing.")
      .def(
          "apply",
          [](Ports& p, const nb::bytes& pack) {
            const auto from = source(pack);
            return called(p, [&](auto* d, auto* e) { lutra_apply(d, &from, e); });
          },
          "pack"_a, "A pack into the standby slot; the next boot tries it.")
      .def(
          "boot", [](Ports& p) { return called(p, lutra_boot); }, "After reset: the trial, or what is confirmed.")
      .def(
          "confirm", [](Ports& p) { return called(p, lutra_confirm); }, "What is on trial and running stays.")
      .def(
          "revert", [](Ports& p) { return called(p, lutra_revert); }, "Back to the firmware before.")
      .def(
          "self_test", [](Ports& p) { return called(p, lutra_self_test); }, "Known answers of what runs.")
      .def(
          "load",
          [](Ports& p, std::uint8_t image) { return called(p, [=](auto* d, auto* e) { lutra_load(d, image, e); }); },
          "image"_a, "Another image of the firmware that runs.")
      .def(
          "status",
          [](Ports& p) {
            lutra_status status{};
            const auto error = called(p, [&](auto* d, auto* e) { lutra_get_status(d, &status, e); });
            return std::pair(error, status);
          },
          "Boot record, slots and fuses.");
}
