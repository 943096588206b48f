// Host actions on a machine, in a form that can be replayed.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "fault.hpp"
#include "lutra_state.hpp"

namespace lutra {

struct HostStart {
  std::uint16_t pc;
};
struct HostResume {};
struct HostReset {};
struct HostWrite {
  Space space;
  std::size_t offset;
  std::vector<std::uint8_t> bytes;
};
// Registers: all of them set.
using HostAction = std::variant<HostStart, HostResume, HostReset, HostWrite, Fault, Registers>;

// target: the interface that a timeline needs from a machine.
template <class Target>
void perform(Target& target, const HostAction& action) {
  if (const auto* start = std::get_if<HostStart>(&action))
    target.machine().start(start->pc);
  else if (std::holds_alternative<HostResume>(action))
    target.machine().resume();
  else if (std::holds_alternative<HostReset>(action))
    target.machine().reset();
  else if (const auto* write = std::get_if<HostWrite>(&action))
    target.machine().write(write->space, write->offset, write->bytes);
  else if (const auto* fault = std::get_if<Fault>(&action))
    target.machine().inject(*fault);
  else
    target.set_registers(std::get<Registers>(action));
}

}  // namespace lutra
