// A machine object of Python, simulator or core, as one that can be observed, and what Python calls to observe it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "machine.hpp"
#include "rtl_machine.hpp"

namespace lutra {

inline Observed& observed(nanobind::handle machine) {
  Machine* simulator;
  if (nanobind::try_cast(machine, simulator)) return *simulator;
  return nanobind::cast<RtlMachine&>(machine);
}

// The methods with which an observer begins and ends to watch a machine.
struct Watching : nanobind::def_visitor<Watching> {
  template <class Class, class... Extra>
  void execute(Class& type, const Extra&...) {
    using Observer = typename Class::Type;
    type.def(
        "watch",
        [](std::shared_ptr<Observer> self, nanobind::handle machine) { observed(machine).observe(std::move(self)); },
        nanobind::arg("machine"), "Count what a Machine of _iss or an RtlMachine of _rtl does from now on.");
    type.def(
        "leave", [](const Observer& self, nanobind::handle machine) { observed(machine).ignore(self); },
        nanobind::arg("machine"), "Count no more.");
  }
};

}  // namespace lutra
