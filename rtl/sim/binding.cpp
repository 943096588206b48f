// Python module _rtl: the Verilated core.
#include <nanobind/stl/string.h>

#include "machine_binding.hpp"
#include "rtl_target.hpp"
#include "timeline_binding.hpp"
#include "verilated_core.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using lutra::RtlMachine;
using lutra::Space;
using lutra::Vec;

NB_MODULE(_rtl, m) {
  m.doc() = "The Verilated core; codes are those of the ISA tables.";
  lutra::bind_version(m);
  m.def("counting", &lutra::verilated::counting,
        "Whether this build counts lines, toggles and expressions of the core.");
  m.def("write_counts", &lutra::verilated::write_counts, "stem"_a,
        "What all cores of the process have counted, to files STEM-N.dat of Verilator's format.");
  auto machine = lutra::bind_machine<RtlMachine>(m, "RtlMachine", "The core, reached through its host port.");
  machine
      .def(
          "__init__", [](RtlMachine* self, int rounds) { new (self) RtlMachine(lutra::verilated::make_core(rounds)); },
          "rounds"_a = lutra::kCoreRounds, "After reset; rounds is ROUNDS_PER_INSTR, 1 or 2.")
      .def(
          "port_write",
          [](RtlMachine& self, int space, std::uint16_t row, const Vec& data) {
            self.write_row(static_cast<Space>(space), row, data);
          },
          "space"_a, "row"_a, "data"_a, "A row by the host port, whether it exists or not: for tests of the port.")
      .def(
          "port_read",
          [](RtlMachine& self, int space, std::uint16_t row) { return self.read_row(static_cast<Space>(space), row); },
          "space"_a, "row"_a)
      .def_prop_ro("irq", [](const RtlMachine& self) { return self.core().irq(); })
      .def("clear_irq", [](RtlMachine& self) { self.core().clear_irq(); })
      .def_prop_ro(
          "clocks", [](const RtlMachine& self) { return self.core().clocks(); },
          "Clock cycles since it was made, running or not: those of the host's accesses too.")
      .def(
          "trace", [](RtlMachine& self, const std::string& path) { self.core().trace(path); }, "path"_a,
          "Write waves (FST) from now on.")
      .def("trace_close", [](RtlMachine& self) { self.core().trace_close(); });
  lutra::bind_timeline<lutra::RtlTarget>(m, machine);
}
