// The driver of a cluster, in the Python module _driver.
#include "lutra_cluster.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "host.hpp"

using namespace nanobind::literals;

namespace lutra::driver {
namespace {

class Cluster {
 public:
  Cluster(Host& host, std::uint64_t address, std::uint32_t log2, std::uint64_t flows, std::uint64_t mailbox)
      : host_(host), ring_(host, &cluster_.ring) {
    memory_.ring = {host.bytes(address, log2 < 16 ? LUTRA_RING_BYTES(log2) : 0), address, log2, 0, 0};
    memory_.flows = host.bytes(flows, LUTRA_FLOWS_BYTES);
    memory_.flows_address = flows;
    memory_.mailbox = mailbox;
  }
  Cluster(const Cluster&) = delete;

  int open() { return host_.checked(lutra_cluster_open(&cluster_, host_.soc(), &memory_)); }
  Host& host() { return host_; }
  Ring& ring() { return ring_; }
  lutra_cluster* get() { return &cluster_; }

 private:
  Host& host_;
  lutra_cluster cluster_{};
  lutra_cluster_memory memory_{};
  Ring ring_;
};

class ClusterCore {
 public:
  ClusterCore(Cluster& cluster, std::uint32_t number) : cluster_(cluster) {
    if (host().checked(lutra_cluster_core_at(cluster.get(), number, &core_)) != LUTRA_SOC_OK)
      throw nb::value_error("the cluster has no such core");
  }
  ClusterCore(const ClusterCore&) = delete;

  Host& host() { return cluster_.host(); }
  lutra_soc* soc() { return &core_.soc; }
  int join(std::uint32_t group) { return host().checked(lutra_cluster_join(cluster_.get(), &core_, group)); }
  int leave() { return host().checked(lutra_cluster_leave(cluster_.get(), &core_)); }

 private:
  Cluster& cluster_;
  lutra_cluster_core core_{};
};

void bind_core(nb::module_& m) {
  nb::class_<ClusterCore>(m, "ClusterCore", "A core of a cluster: a device of its own, and whether it takes packets.")
      .def(nb::init<Cluster&, std::uint32_t>(), "cluster"_a, "number"_a, nb::keep_alive<1, 2>())
      .def("open", [](ClusterCore& c) { return int{c.host().checked(lutra_soc_open(c.soc()))}; })
      .def(
          "set_window",
          [](ClusterCore& c, std::uint32_t ring, std::uint64_t base, std::uint64_t limit) {
            return int{c.host().checked(lutra_soc_set_window(c.soc(), ring, base, limit))};
          },
          "ring"_a, "base"_a, "limit"_a)
      .def(
          "ring",
          [](ClusterCore& c, std::uint64_t address, std::uint32_t log2) {
            return new Ring(c.host(), 0, address, log2, 0, 0, c.soc());
          },
          "address"_a, "log2"_a = 4, nb::keep_alive<0, 1>(), "Ring 0, for firmware.")
      .def(
          "set_operations",
          [](ClusterCore& c, const Table& table, std::uint16_t stream_reset) {
            return set_operations(c.host(), c.soc(), table, stream_reset);
          },
          "table"_a, "stream_reset"_a)
      .def("start", [](ClusterCore& c) { return int{c.host().checked(lutra_soc_start(c.soc()))}; })
      .def("join", &ClusterCore::join, "group"_a)
      .def("leave", &ClusterCore::leave);
}

}  // namespace

void bind_cluster(nb::module_& m) {
  m.attr("FLOW_GENERATIONS") = LUTRA_FLOW_GENERATIONS;
  m.attr("SAVED_KEY_BYTES") = LUTRA_SAVED_KEY_BYTES;
  m.def("packet", &lutra_packet, "operation"_a, "group"_a, "handle"_a = 0);
  nb::class_<Cluster>(m, "Cluster", "A cluster, whose registers are those of the host's device.")
      .def(nb::init<Host&, std::uint64_t, std::uint32_t, std::uint64_t, std::uint64_t>(), "host"_a, "address"_a,
           "log2"_a, "flows"_a, "mailbox"_a, nb::keep_alive<1, 2>())
      .def("open", &Cluster::open)
      .def("close", [](Cluster& c) { return int{c.host().checked(lutra_cluster_close(c.get()))}; })
      .def_prop_ro("ring", &Cluster::ring, nb::rv_policy::reference_internal)
      .def(
          "set_interrupts",
          [](Cluster& c, bool enabled) { lutra_cluster_set_interrupts(c.get(), enabled), c.host().checked(0); },
          "enabled"_a)
      .def(
          "order_by_flow",
          [](Cluster& c, bool by_flow) { return int{c.host().checked(lutra_cluster_order_by_flow(c.get(), by_flow))}; },
          "by_flow"_a)
      .def("acknowledge", [](Cluster& c) { lutra_cluster_acknowledge(c.get()), c.host().checked(0); })
      .def(
          "flow_set",
          [](Cluster& c, std::uint32_t flow, std::uint32_t operation, const nb::bytes& key) {
            std::uint32_t handle = 0;
            const int result =
                c.host().checked(lutra_flow_set(c.get(), flow, operation, static_cast<const std::uint8_t*>(key.data()),
                                                static_cast<std::uint32_t>(key.size()), &handle));
            return std::pair(result, handle);
          },
          "flow"_a, "operation"_a, "key"_a)
      .def(
          "flow_saved",
          [](Cluster& c, std::uint32_t handle, std::uint32_t operation, std::uint64_t address) {
            return int{c.host().checked(lutra_flow_saved(c.get(), handle, operation, address))};
          },
          "handle"_a, "operation"_a, "address"_a)
      .def(
          "flow_drop",
          [](Cluster& c, std::uint32_t flow) { return int{c.host().checked(lutra_flow_drop(c.get(), flow))}; },
          "flow"_a)
      .def("flows_forget", [](Cluster& c) { return int{c.host().checked(lutra_flows_forget(c.get()))}; });
  bind_core(m);
}

}  // namespace lutra::driver
