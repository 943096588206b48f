// Python module _model: the device on the memory of a buffer.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "device.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using lutra::soc::Device;
using lutra::soc::FlatMemory;

namespace {

using Buffer = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Keeps the buffer alive that the device works on.
class Model {
 public:
  Model(Buffer buffer, std::uint64_t base, bool exact, std::uint64_t latency, std::optional<bool> wipe)
      : buffer_(std::move(buffer)),
        memory_({buffer_.data(), buffer_.size()}, base),
        device_(memory_, {.exact = exact, .latency = latency, .wipe = wipe.value_or(lutra::kCoreWipe)}) {}

  Device& device() { return device_; }
  FlatMemory& memory() { return memory_; }

 private:
  Buffer buffer_;
  FlatMemory memory_;
  Device device_;
};

}  // namespace

NB_MODULE(_model, m) {
  m.doc() = "The device model: registers by offset, memory in a writable buffer such as a bytearray.";
  nb::class_<Model>(m, "Model", "A device after reset. Its bus answers with an error outside of the memory.")
      .def(nb::init<Buffer, std::uint64_t, bool, std::uint64_t, std::optional<bool>>(),
           nb::sig("def __init__(self, memory: bytearray, base: int = 0, exact: bool = True, latency: int = 30, "
                   "wipe: bool | None = None) -> None"),
           "memory"_a, "base"_a = 0, "exact"_a = true, "latency"_a = 30, "wipe"_a = nb::none(),
           "base: address of the memory's first byte. exact: the core instruction by instruction, with several jobs in "
           "its memory; otherwise translated, one job at a time. latency: cycles of the bus. wipe: the core has one; "
           "if left "
           "out, as the configuration has it.")
      .def(
          "read", [](Model& self, std::uint32_t offset) { return self.device().read(offset); }, "offset"_a,
          "A register.")
      .def(
          "write", [](Model& self, std::uint32_t offset, std::uint32_t value) { self.device().write(offset, value); },
          "offset"_a, "value"_a)
      .def(
          "run", [](Model& self, std::uint64_t cycles) { return self.device().run(cycles); }, "cycles"_a,
          nb::call_guard<nb::gil_scoped_release>(),
          "Work until an interrupt rises or about so many cycles have passed; return how many have.")
      .def(
          "fail_reads",
          [](Model& self, std::uint64_t first, std::uint64_t end) { self.memory().fail_reads({first, end}); },
          "first"_a, "end"_a, "From now on reads of these addresses are answered with an error.")
      .def(
          "fail_writes",
          [](Model& self, std::uint64_t first, std::uint64_t end) { self.memory().fail_writes({first, end}); },
          "first"_a, "end"_a)
      .def(
          "heal", [](Model& self) { self.memory().heal(); }, "No address fails any more.")
      .def(
          "escalate", [](Model& self) { self.device().escalate(); },
          "A pulse of the pin: the core is locked if it has a wipe.")
      .def_prop_ro(
          "alert", [](Model& self) { return self.device().alert(); }, "The pin.")
      .def_prop_ro(
          "interrupts", [](Model& self) { return self.device().interrupts(); },
          "A bit for each ring whose interrupt is pending.")
      .def_prop_ro(
          "idle", [](Model& self) { return self.device().idle(); }, "Nothing is in work, nothing can be taken.")
      .def_prop_ro("cycles", [](Model& self) { return self.device().cycles(); }, "Cycles that have passed, estimated.");
}
