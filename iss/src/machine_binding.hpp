// The common part of the Python bindings of all machines (`Backend` of lutra.engine).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "fault.hpp"
#include "host.hpp"
#include "retire_choice.hpp"
#include "state_list.hpp"

namespace lutra {

// Python integers may be negative: as sizes they are beyond every space.
inline std::size_t unsigned_size(std::int64_t n) { return static_cast<std::size_t>(n); }

// Modules of different builds can meet in one process (LUTRA_RTL_LIBRARY), so their records and registers must have the
// same meaning.
inline void bind_version(nanobind::module_& m) { m.attr("RECORD_BYTES") = sizeof(Retire) + sizeof(Registers); }

template <class M>
nanobind::class_<M> bind_machine(nanobind::module_& m, const char* name, const char* doc) {
  namespace nb = nanobind;
  using namespace nb::literals;
  return nb::class_<M>(m, name, doc)
      .def(
          "write",
          [](M& self, int space, std::int64_t offset, nb::bytes data) {
            self.write(static_cast<Space>(space), unsigned_size(offset),
                       {static_cast<const std::uint8_t*>(data.data()), data.size()});
          },
          "space"_a, "offset"_a, "data"_a,
          "Write bytes; program words are 8 bytes, little-endian. HostError beyond the space.")
      .def(
          "read",
          [](M& self, int space, std::int64_t offset, std::int64_t length) {
            const auto bytes = self.read(static_cast<Space>(space), unsigned_size(offset), unsigned_size(length));
            return nb::bytes(bytes.data(), bytes.size());
          },
          "space"_a, "offset"_a, "length"_a, "Read bytes. HostError beyond the space.")
      .def(
          "size", [](const M& self, int space) { return self.size(static_cast<Space>(space)); }, "space"_a,
          "Size of a space in bytes.")
      .def(
          "inject",
          [](M& self, std::uint64_t cycle, unsigned context, unsigned word, std::uint32_t mask, bool shadow) {
            self.inject({cycle, context, word, mask, shadow});
          },
          "cycle"_a, "context"_a, "word"_a, "mask"_a, "shadow"_a = false,
          "Flip bits of a word of a stream context at the beginning of a cycle. HostError for one that is not there.")
      .def_prop_ro("alert", &M::alert)
      .def("clear_alert", &M::clear_alert, "A faulted machine is idle then. HostError for another.")
      .def("reset", &M::reset, "Clear registers and state; memories keep their contents.")
      .def("start", &M::start, "pc"_a, "Start at a program address.")
      .def("resume", &M::resume, "Go on after a wait. HostError when the machine is not waiting.")
      .def("run", &M::run, "limit"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run until the program stops or `limit` cycles are used; returns the instructions done.")
      .def(
          "step",
          [](M& self) {
            Retire record;
            return self.step(record) ? nb::object(to_python(record)) : nb::none();
          },
          "To the next retirement: its record, or None when not running.")
      .def("retirements", &retirements<M>, "names"_a, "limit"_a,
           "To the stop, or beyond `limit` cycles: cycle, pc, insn and the bytes of the named fields of each record.")
      .def("combinations", &combinations<M>, "names"_a, "limit"_a,
           "The same, but the named fields of each combination of their values that occurs.")
      .def(
          "add_counts",
          [](M& self, std::uint64_t cycles, std::uint64_t instructions,
             const std::array<std::uint64_t, kStallCauses>& stalls) {
            self.add_counts({cycles, instructions, stalls});
          },
          "cycles"_a, "instructions"_a, "stalls"_a,
          "As if so many more had been counted, stalls by cause: for tests of counters near their wrap.")
      .def(
          "registers", [](const M& self) { return to_python(self.registers()); },
          "Name, value, text and whether it is in use, of every register.")
      .def_prop_ro("state", [](const M& self) { return static_cast<int>(self.state()); })
      .def_prop_ro("trap", [](const M& self) { return static_cast<int>(self.trap()); })
      .def_prop_ro("pc", &M::pc)
      .def_prop_ro("notified", &M::notified)
      .def_prop_ro("cycles", &M::cycles)
      .def_prop_ro("instructions", &M::instructions)
      .def_prop_ro("stalls", &M::stalls);
}

}  // namespace lutra
