// Python module _collector: functional coverage of machines of the modules _iss and _rtl.
#include <nanobind/nanobind.h>

#include "coverage.hpp"
#include "observed.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using lutra::Coverage;

namespace {

nb::typed<nb::dict, int, int> counts(const Coverage& self) {
  nb::dict d;
  for (const auto& [place, count] : self.counts()) d[nb::int_(place)] = count;
  return d;
}

}  // namespace

NB_MODULE(_collector, m) {
  m.doc() = "Functional coverage, counted from what a machine retires; the table of counters is the ISA's.";
  nb::class_<Coverage>(m, "Collector")
      .def(nb::init<int>(), "rounds"_a, "For machines with this ROUNDS_PER_INSTR, as after reset.")
      .def(lutra::Watching())
      .def("counts", &counts, "Counts by place in the table, those that are not zero.");
}
