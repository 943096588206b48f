// Python module _lockstep: lock-step of simulator and core. The core is an object of the module _rtl of any build;
// nothing of Verilator is linked here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "cosim_target.hpp"
#include "machine_binding.hpp"
#include "timeline_binding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using lutra::Cosim;
using lutra::Retire;
using lutra::RtlMachine;

namespace {

nb::object divergence(const Cosim& c) {
  if (!c.divergence()) return nb::none();
  nb::list history;
  for (const Retire& r : c.history()) history.append(lutra::to_python(r));
  const std::optional<Retire>& at = c.divergence()->at();
  return nb::make_tuple(c.divergence()->what, at ? nb::object(lutra::to_python(*at)) : nb::none(),
                        c.divergence()->differences(), history, !c.divergence()->state.empty());
}

}  // namespace

// Only the stubs of the other modules name the machine types.
NB_MODULE(_lockstep, m) {
  m.doc() = "Simulator and core in lock-step; codes are those of the ISA tables.";
  auto machine = lutra::bind_machine<Cosim>(m, "Cosim", "Both machines; what the host sees is the core's.");
  machine
      .def(nb::init<RtlMachine&>(), nb::keep_alive<1, 2>(), "rtl"_a,
           nb::sig("def __init__(self, rtl: typing.Any) -> None"),
           "With an RtlMachine of _rtl. Both are reset; the simulator has the core's ROUNDS_PER_INSTR.")
      .def_prop_ro(
          "divergence", &divergence,
          nb::sig("def divergence(self) -> tuple[str, tuple[dict[str, typing.Any], list[str]] | None, list[str], "
                  "list[tuple[dict[str, typing.Any], list[str]]], bool] | None"),
          "None, or (what, the record it is at, lines of what differs, records before it, whether the state after a "
          "stop or reset differs).")
      .def_prop_ro("closed", [](Cosim& c) { return c.iss().closed(); })
      .def("state_differences", &Cosim::state_differences,
           "Lines of what differs in the registers and memories now; the core must not be running.")
      .def_prop_rw("compare_state", &Cosim::compares_state, &Cosim::compare_state,
                   "Whether the state after stops and resets is compared, as it is unless a test says otherwise.")
      .def_prop_ro("iss", &Cosim::iss, nb::rv_policy::reference_internal, nb::sig("def iss(self) -> typing.Any"),
                   "The simulator alone, a Machine of _iss.")
      .def_prop_ro("rtl", &Cosim::rtl, nb::rv_policy::reference_internal, nb::sig("def rtl(self) -> typing.Any"),
                   "The core alone, an RtlMachine of _rtl.");
  lutra::bind_timeline<lutra::CosimTarget>(m, machine);
}
