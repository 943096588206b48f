#include "ports.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <cstring>
#include <tuple>
#include <utility>

namespace nb = nanobind;

namespace lutra {
namespace {

constexpr std::size_t kRowBytes = 16;
// State, trap, pc, cycles.
using Stop = std::tuple<std::uint8_t, std::uint8_t, std::uint16_t, std::uint32_t>;

void copy(const nb::object& from, std::uint8_t* bytes, std::size_t length) {
  const auto data = nb::cast<nb::bytes>(from);
  if (data.size() != length) throw nb::value_error("a port has read another number of bytes than it was asked for");
  std::memcpy(bytes, data.data(), length);
}

}  // namespace

template <class Call>
int Ports::guarded(void* context, Call call) noexcept {
  auto& self = *static_cast<Ports*>(context);
  if (self.raised_) return 1;
  try {
    call(self);
    return 0;
  } catch (...) {
    self.raised_ = std::current_exception();
    return 1;
  }
}

Ports::Ports(nb::object flash, nb::object fuses, nb::object core)
    : flash_(std::move(flash)), fuses_(std::move(fuses)), core_(std::move(core)) {
  lutra_flash& f = device_.flash;
  f.context = device_.fuses.context = device_.core.context = this;
  f.sector_bytes = nb::cast<std::uint32_t>(flash_.attr("sector_bytes"));
  f.granule_bytes = nb::cast<std::uint32_t>(flash_.attr("granule_bytes"));
  f.slot_bytes = nb::cast<std::uint32_t>(flash_.attr("slot_bytes"));
  const auto record = nb::cast<std::array<std::uint32_t, 2>>(flash_.attr("record"));
  const auto slots = nb::cast<std::array<std::uint32_t, LUTRA_SLOTS>>(flash_.attr("slots"));
  std::copy(record.begin(), record.end(), f.record);
  std::copy(slots.begin(), slots.end(), f.slot);
  f.read = [](void* context, std::uint32_t address, std::uint8_t* bytes, std::uint32_t length) {
    return guarded(context, [=](Ports& self) { copy(self.flash_.attr("read")(address, length), bytes, length); });
  };
  f.erase = [](void* context, std::uint32_t address) {
    return guarded(context, [=](Ports& self) { self.flash_.attr("erase")(address); });
  };
  f.write = [](void* context, std::uint32_t address, const std::uint8_t* bytes, std::uint32_t length) {
    return guarded(context, [=](Ports& self) { self.flash_.attr("write")(address, nb::bytes(bytes, length)); });
  };

  lutra_fuses& u = device_.fuses;
  u.read = [](void* context, std::uint32_t offset, std::uint8_t* bytes, std::uint32_t length) {
    return guarded(context, [=](Ports& self) { copy(self.fuses_.attr("read")(offset, length), bytes, length); });
  };
  u.burn = [](void* context, std::uint32_t offset, const std::uint8_t* bytes, std::uint32_t length) {
    return guarded(context, [=](Ports& self) { self.fuses_.attr("burn")(offset, nb::bytes(bytes, length)); });
  };

  lutra_core& c = device_.core;
  c.rounds = nb::cast<std::uint8_t>(core_.attr("rounds"));
  c.contexts = nb::cast<std::uint8_t>(core_.attr("contexts"));
  c.program_words = nb::cast<std::uint16_t>(core_.attr("program_words"));
  c.memory_rows = nb::cast<std::uint16_t>(core_.attr("memory_rows"));
  c.reset = [](void* context) { return guarded(context, [](Ports& self) { self.core_.attr("reset")(); }); };
  c.write = [](void* context, std::uint8_t space, std::uint16_t row, const std::uint8_t* bytes) {
    return guarded(context, [=](Ports& self) { self.core_.attr("write")(space, row, nb::bytes(bytes, kRowBytes)); });
  };
  c.read = [](void* context, std::uint8_t space, std::uint16_t row, std::uint8_t* bytes) {
    return guarded(context, [=](Ports& self) { copy(self.core_.attr("read")(space, row), bytes, kRowBytes); });
  };
  c.run = [](void* context, std::uint16_t entry, std::uint32_t max_cycles, lutra_stop* stop) {
    return guarded(context, [=](Ports& self) {
      std::tie(stop->state, stop->trap, stop->pc, stop->cycles) =
          nb::cast<Stop>(self.core_.attr("run")(entry, max_cycles));
    });
  };
  device_.running = LUTRA_NO_SLOT;
}

void Ports::finish() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

}  // namespace lutra
