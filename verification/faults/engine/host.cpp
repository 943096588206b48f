#include "host.hpp"

#include <algorithm>

namespace faults {

namespace {

bool any(const std::vector<Node>& nodes, const std::vector<std::uint8_t>& values) {
  return std::any_of(nodes.begin(), nodes.end(), [&](Node node) { return values[node]; });
}

std::uint64_t number(const std::vector<Node>& nodes, const std::vector<std::uint8_t>& values) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) out |= std::uint64_t{values[nodes[i]]} << i;
  return out;
}

}  // namespace

Script::Script(const Netlist& netlist, const Record& record) {
  const Roles& roles = record.roles;
  Machine machine(netlist);
  std::vector<bool> granted;
  Bits last;
  const auto add = [&](const Bits& inputs) {
    machine.set_inputs(inputs);
    machine.settle();
    const auto& values = machine.values();
    const bool requests = any(roles.request, values);
    const bool idle = !requests && !any(roles.pulses, values);
    const bool busy = !roles.state.empty() && number(roles.state, values) == roles.busy;
    Step step;
    step.requests = requests, step.writes = any(roles.write, values), step.waits = idle && busy;
    steps_.push_back(step);
    granted.push_back(requests && any(roles.grant, values));
    rows_.push_back(inputs);
    machine.clock();
  };
  for (std::size_t i = 0; i < record.rows.size(); ++i) {
    if (i == record.begin) begin_ = rows_.size();
    machine.set_inputs(record.rows[i].inputs);
    machine.settle();
    const bool stopped = !roles.state.empty() && number(roles.state, machine.values()) != roles.busy;
    // The poll that sees it: the inputs of the wait once more.
    if (stopped && !steps_.empty() && steps_.back().waits) {
      add(last);
      steps_.back().waits = true;
    }
    last = record.rows[i].inputs;
    add(last);
    steps_.back().look = record.rows[i].look;
    steps_.back().slot = record.rows[i].slot;
    steps_.back().releases = record.rows[i].releases;
  }
  if (!roles.state.empty()) {
    // Without its request; the answer to a read in the last row comes in the first of these.
    for (const auto* nodes : {&roles.request, &roles.pulses})
      for (const Node node : *nodes) last[node - kInputs] = 0;
    add(last);
    end_ = rows_.size();
    for (std::size_t i = 0; i < end_ - begin_ + 64; ++i) add(last);
  } else {
    end_ = rows_.size();
  }
  for (std::size_t row = end_; row-- > 0;) {
    Step& step = steps_[row];
    const bool goes_on = row + 1 < end_;
    if (step.requests) step.granted = granted[row] || !goes_on ? row : steps_[row + 1].granted;
    if (step.waits) step.after = goes_on && steps_[row + 1].waits ? steps_[row + 1].after : row + 1;
  }
}

}  // namespace faults
