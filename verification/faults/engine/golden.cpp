#include "golden.hpp"

#include <algorithm>

namespace faults {

Machine::Machine(const Netlist& netlist)
    : netlist_(netlist),
      values_(netlist.nodes(), 0),
      next_(netlist.first_gate() - netlist.first_state(), 0),
      accesses_(netlist.memories.size()) {
  values_[kOne] = 1;
  for (const Memory& m : netlist.memories) contents_.emplace_back(m.depth, 0);
}

void Machine::set_inputs(std::span<const std::uint8_t> bits) {
  std::copy(bits.begin(), bits.end(), values_.begin() + kInputs);
}

void Machine::settle() {
  Node out = netlist_.first_gate();
  for (const Gate& g : netlist_.gates)
    values_[out++] = g.table >> (values_[g.in[0]] | values_[g.in[1]] << 1 | values_[g.in[2]] << 2) & 1;
}

std::uint64_t Machine::number(const std::vector<Node>& bits) const {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) value |= std::uint64_t{values_[bits[i]]} << i;
  return value;
}

void Machine::clock() {
  auto next = next_.begin();
  for (const FlipFlop& f : netlist_.flip_flops)
    *next++ = values_[f.reset] == f.reset_active ? f.reset_value : values_[f.d];
  for (std::size_t i = 0; i < netlist_.memories.size(); ++i) {
    const Memory& m = netlist_.memories[i];
    Access& access = accesses_[i] = {};
    const auto row = static_cast<std::uint32_t>(number(m.index));
    const bool reads = values_[m.req] && !values_[m.we], writes = values_[m.req] && values_[m.we];
    // A row beyond the depth reads zero and takes nothing.
    std::uint64_t word = row < m.depth ? contents_[i][row] : 0;
    if (reads) access = {Access::kRead, row, 0};
    if (writes && row < m.depth) {
      access = {Access::kWrite, row, number(m.wdata)};
      contents_[i][row] = access.value;
    }
    for (std::uint32_t b = 0; b < m.width; ++b) *next++ = reads ? word >> b & 1 : values_[m.rdata + b];
  }
  std::copy(next_.begin(), next_.end(), values_.begin() + netlist_.first_state());
}

void check_against(const Netlist& netlist, const Record& record) {
  Machine machine(netlist);
  for (std::size_t cycle = 0; cycle < record.rows.size(); ++cycle) {
    const Row& row = record.rows[cycle];
    machine.set_inputs(row.inputs);
    machine.settle();
    machine.clock();
    if (!row.after.empty()) machine.set_inputs(row.after);
    machine.settle();
    auto expected = row.outputs.begin();
    for (const Port& port : netlist.outputs)
      for (std::size_t b = 0; b < port.bits.size(); ++b)
        if (machine.values()[port.bits[b]] != *expected++)
          throw InputError("without a fault, the netlist differs from the RTL after cycle " + std::to_string(cycle) +
                           " in " + port.name + "[" + std::to_string(b) + "]");
  }
}

Golden::Golden(const Netlist& netlist, const std::vector<Bits>& rows, std::size_t begin)
    : begin_(begin), stride_((netlist.nodes() + 63) / 64) {
  Machine machine(netlist);
  bits_.resize(stride_ * (rows.size() - begin));
  for (std::size_t cycle = 0; cycle < rows.size(); ++cycle) {
    machine.set_inputs(rows[cycle]);
    machine.settle();
    if (cycle == begin) contents_ = machine.contents();
    if (cycle >= begin) {
      std::uint64_t* out = bits_.data() + (cycle - begin) * stride_;
      for (Node node = 0; node < netlist.nodes(); ++node)
        out[node / 64] |= std::uint64_t{machine.values()[node]} << (node % 64);
    }
    machine.clock();
    if (cycle >= begin) accesses_.push_back(machine.accesses());
  }
}

std::uint64_t Golden::number(std::size_t cycle, const std::vector<Node>& bits) const {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) out |= std::uint64_t{value(cycle, bits[i])} << i;
  return out;
}

}  // namespace faults
