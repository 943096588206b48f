// Python module _axi: the Verilated lutra_axi with its memory in a buffer, with the interface of the device model.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "rtl_device.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using lutra::soc::AxiMemory;
using lutra::soc::RtlDevice;

namespace {

using Buffer = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class Rtl {
 public:
  Rtl(Buffer buffer, std::uint64_t base, unsigned latency, unsigned stalls, std::uint32_t seed)
      : buffer_(std::move(buffer)), device_({buffer_.data(), buffer_.size()}, base, {latency, stalls, seed}) {}
  RtlDevice& device() { return device_; }

 private:
  Buffer buffer_;
  RtlDevice device_;
};

}  // namespace

NB_MODULE(_axi, m) {
  m.doc() = "lutra_axi as RTL, clock by clock; the interface is that of _model.";
  nb::class_<Rtl>(m, "Rtl", "The device after reset, on a memory in a writable buffer.")
      .def(nb::init<Buffer, std::uint64_t, unsigned, unsigned, std::uint32_t>(), "memory"_a, "base"_a = 0,
           "latency"_a = 0, "stalls"_a = 0, "seed"_a = 1,
           "latency: cycles until the memory answers. stalls: of 100 cycles, how many each channel stalls in.")
      .def(
          "read", [](Rtl& self, std::uint32_t offset) { return self.device().read(offset); }, "offset"_a)
      .def(
          "write", [](Rtl& self, std::uint32_t offset, std::uint32_t value) { self.device().write(offset, value); },
          "offset"_a, "value"_a)
      .def(
          "run", [](Rtl& self, std::uint64_t cycles) { return self.device().run(cycles); }, "cycles"_a,
          nb::call_guard<nb::gil_scoped_release>(),
          "Until an interrupt rises, or for so many cycles; return how many passed.")
      .def(
          "fail_reads",
          [](Rtl& self, std::uint64_t first, std::uint64_t end) {
            self.device().memory().bad_reads.push_back({first, end});
          },
          "first"_a, "end"_a)
      .def(
          "fail_writes",
          [](Rtl& self, std::uint64_t first, std::uint64_t end) {
            self.device().memory().bad_writes.push_back({first, end});
          },
          "first"_a, "end"_a)
      .def("heal",
           [](Rtl& self) {
             self.device().memory().bad_reads.clear();
             self.device().memory().bad_writes.clear();
           })
      .def(
          "escalate", [](Rtl& self) { self.device().escalate(); }, "A pulse of the pin.")
      .def_prop_ro("alert", [](Rtl& self) { return self.device().alert(); })
      .def_prop_ro("interrupts", [](Rtl& self) { return self.device().interrupts(); })
      .def_prop_ro("cycles", [](Rtl& self) { return self.device().cycles(); });
}
