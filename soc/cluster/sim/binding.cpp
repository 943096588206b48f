// Python module _cluster: the Verilated lutra_cluster with its memory in a buffer.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "rtl_cluster.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using lutra::soc::RtlCluster;

namespace {

using Buffer = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

class Cluster {
 public:
  Cluster(Buffer buffer, unsigned latency, unsigned stalls, std::uint32_t seed)
      : buffer_(std::move(buffer)), device_({buffer_.data(), buffer_.size()}, {latency, stalls, seed}) {}
  RtlCluster& device() { return device_; }

 private:
  Buffer buffer_;
  RtlCluster device_;
};

}  // namespace

NB_MODULE(_cluster, m) {
  m.doc() = "lutra_cluster as RTL, clock by clock.";
  m.attr("CORES") = LUTRA_CLUSTER_CORES;
  nb::class_<Cluster>(m, "Cluster", "The cluster after reset, on a memory in a writable buffer.")
      .def(nb::init<Buffer, unsigned, unsigned, std::uint32_t>(), "memory"_a, "latency"_a = 0, "stalls"_a = 0,
           "seed"_a = 1,
           "latency: cycles until the memory answers. stalls: of 100 cycles, how many each channel stalls in.")
      .def(
          "read", [](Cluster& self, std::uint32_t offset) { return self.device().read(offset); }, "offset"_a)
      .def(
          "write", [](Cluster& self, std::uint32_t offset, std::uint32_t value) { self.device().write(offset, value); },
          "offset"_a, "value"_a)
      .def(
          "run", [](Cluster& self, std::uint64_t cycles) { return self.device().run(cycles); }, "cycles"_a,
          nb::call_guard<nb::gil_scoped_release>(),
          "Until the interrupt rises, or for so many cycles; return how many passed.")
      .def(
          "fail_reads",
          [](Cluster& self, std::uint64_t first, std::uint64_t end) {
            for (auto& port : self.device().ports()) port.bad_reads.push_back({first, end});
          },
          "first"_a, "end"_a)
      .def(
          "fail_writes",
          [](Cluster& self, std::uint64_t first, std::uint64_t end) {
            for (auto& port : self.device().ports()) port.bad_writes.push_back({first, end});
          },
          "first"_a, "end"_a)
      .def("heal",
           [](Cluster& self) {
             for (auto& port : self.device().ports()) {
               port.bad_reads.clear();
               port.bad_writes.clear();
             }
           })
      .def_prop_ro("interrupt", [](Cluster& self) { return self.device().interrupt(); })
      .def_prop_ro("cycles", [](Cluster& self) { return self.device().cycles(); });
}
