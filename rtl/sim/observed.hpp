// A machine object of Python, simulator or core, as one that can be observed.
#pragma once

#include <nanobind/nanobind.h>

#include "machine.hpp"
#include "rtl_machine.hpp"

namespace lutra {

inline Observed& observed(nanobind::handle machine) {
  Machine* simulator;
  if (nanobind::try_cast(machine, simulator)) return *simulator;
  return nanobind::cast<RtlMachine&>(machine);
}

}  // namespace lutra
