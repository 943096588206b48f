// Python module _lockstep: the lock-step of simulator and core. The core is an object of the module _rtl, whichever
// build of it: nothing of Verilator is linked here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "cosim.hpp"
#include "machine_binding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using lutra::Cosim;
using lutra::Retire;
using lutra::RtlMachine;

namespace {

nb::object side(const std::optional<Retire>& r) { return r ? nb::object(lutra::to_dict(*r)) : nb::none(); }

nb::object divergence(const Cosim& c) {
  if (!c.divergence()) return nb::none();
  nb::list history;
  for (const Retire& r : c.history()) history.append(lutra::to_dict(r));
  return nb::make_tuple(c.divergence()->what, side(c.divergence()->iss), side(c.divergence()->rtl), history);
}

}  // namespace

// The types of machines are named in the other modules' stubs only.
NB_MODULE(_lockstep, m) {
  m.doc() = "Simulator and core in lock-step; codes are those of the ISA tables.";
  lutra::bind_machine<Cosim>(m, "Cosim", "Both machines; what the host sees is the core's.")
      .def(nb::init<RtlMachine&>(), nb::keep_alive<1, 2>(), "rtl"_a,
           nb::sig("def __init__(self, rtl: typing.Any) -> None"),
           "With an RtlMachine of _rtl. Both are reset; the simulator has the core's ROUNDS_PER_INSTR.")
      .def_prop_ro("divergence", &divergence,
                   nb::sig("def divergence(self) -> tuple[str, dict[str, typing.Any] | None, "
                           "dict[str, typing.Any] | None, list[dict[str, typing.Any]]] | None"),
                   "None, or (what, simulator's record, RTL's record, records before it).")
      .def_prop_ro("iss", &Cosim::iss, nb::rv_policy::reference_internal, nb::sig("def iss(self) -> typing.Any"),
                   "The simulator alone, a Machine of _iss.")
      .def_prop_ro("rtl", &Cosim::rtl, nb::rv_policy::reference_internal, nb::sig("def rtl(self) -> typing.Any"),
                   "The core alone, an RtlMachine of _rtl.");
}
