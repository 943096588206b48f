// The simulator: one faulty machine per lane, all in the same cycle, as differences from the run without faults.
//
// Only what differs is evaluated: a gate whose inputs differ in no lane is not looked at. Gates that are to be
// evaluated are bits of a map in the order of evaluation, so one scan of the map settles the netlist.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "overlay.hpp"
#include "polynomials.hpp"

namespace faults {

template <int kWidth>
class Differences {
 public:
  using V = Lanes<kWidth>;

  Differences(const Netlist& netlist, const Golden& golden)
      : netlist_(netlist),
        golden_(golden),
        difference_(netlist.nodes(), V{}),
        force_(netlist.nodes(), 0),
        dirty_((netlist.sinks() + 63) / 64, 0) {
    for (const Memory& m : netlist.memories) overlays_.emplace_back(m);
  }

  // No lane differs, at the beginning of a cycle.
  void begin(std::size_t cycle) {
    cycle_ = cycle;
    for (const Node node : state_) difference_[node] = V{};
    state_.clear();
    for (auto& overlay : overlays_) overlay.reset();
    contents_ = golden_.contents();
    for (std::size_t c = golden_.begin(); c < cycle; ++c) write(c);
  }

  std::size_t cycle() const { return cycle_; }
  const V& operator[](Node node) const { return difference_[node]; }
  // The value in each lane.
  V value(Node node) const { return difference_[node] ^ broadcast<kWidth>(golden_.value(cycle_, node)); }

  // Before `settle`: what a lane's inputs, state and memories differ in from now on, and faults of this cycle.
  void flip_input(Node input, unsigned lane) { touch(input), toggle(input, lane); }
  void flip_state(Node node, unsigned lane) {
    if (!any<kWidth>(difference_[node])) state_.push_back(node);
    toggle(node, lane);
  }
  void flip_memory(std::uint32_t memory, std::uint32_t row, std::uint32_t bit, unsigned lane) {
    overlays_[memory].flip(row, bit, lane);
  }
  void flip_gate(Node gate, unsigned lane) { toggle_bit(forced(gate).flip, lane); }
  void hold(Node node, unsigned lane, bool value) {
    if (node < netlist_.first_gate()) {
      if (get<kWidth>(difference_[node], lane) != (value != golden_.value(cycle_, node))) flip_state(node, lane);
    } else {
      set<kWidth>(value ? forced(node).one : forced(node).zero, lane);
    }
  }

  // All gates.
  void settle() {
    golden_words_ = golden_.words(cycle_);
    for (const Node node : state_) mark(node);
    for (const Node node : touched_) mark(node);
    const std::size_t gates = netlist_.gates.size();
    std::size_t word = 0;
    for (; word < gates / 64; ++word)
      while (dirty_[word]) evaluate(take(word));
    // The last word of gates may have flip-flops in it.
    if (const std::uint64_t own = (std::uint64_t{1} << gates % 64) - 1)
      while (dirty_[word] & own) evaluate(take(word));
  }

  // The clock edge, after `settle`. Lanes in `gone` do not differ any longer.
  void clock(const V& gone) {
    next_.clear();
    const auto gates = static_cast<std::uint32_t>(netlist_.gates.size());
    const auto flops = static_cast<std::uint32_t>(netlist_.flip_flops.size());
    for (std::size_t word = gates / 64; word < dirty_.size(); ++word)
      while (dirty_[word]) {
        const std::uint32_t sink = take(word);
        if (sink < gates + flops)
          clock_flip_flop(sink - gates, gone);
        else
          busy_.push_back(sink - gates - flops);
      }
    clock_memories(gone);
    for (const Node node : touched_) difference_[node] = V{};
    touched_.clear();
    for (const Node node : state_) difference_[node] = V{};
    state_.clear();
    for (const auto& [node, lanes] : next_) {
      difference_[node] = lanes;
      state_.push_back(node);
    }
    for (const Node node : forced_nodes_) force_[node] = 0;
    forced_nodes_.clear();
    forces_.clear();
    ++cycle_;
  }

  // At the beginning of a cycle: lanes of which only flip-flops and outputs of memories differ no longer do.
  void forget(const V& lanes) {
    for (const Node node : state_) difference_[node] &= ~lanes;
  }
  // Flip-flops and outputs of memories that differ.
  const std::vector<Node>& state() const { return state_; }
  V memories_live() {
    V out{};
    for (auto& overlay : overlays_)
      if (!overlay.empty()) out |= overlay.live();
    return out;
  }
  std::vector<Overlay<kWidth>>& overlays() { return overlays_; }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  struct Force {
    V flip{}, zero{}, one{};
  };

  void toggle(Node node, unsigned lane) { toggle_bit(difference_[node], lane); }
  static void toggle_bit(V& lanes, unsigned lane) { lanes[lane / 64] ^= std::uint64_t{1} << (lane % 64); }
  void touch(Node node) {
    if (!any<kWidth>(difference_[node])) touched_.push_back(node);
  }
  void mark(Node node) {
    for (const std::uint32_t* s = netlist_.sinks_begin(node); s != netlist_.sinks_end(node); ++s)
      dirty_[*s / 64] |= std::uint64_t{1} << (*s % 64);
  }
  // The next sink of a word.
  std::uint32_t take(std::size_t word) {
    const int bit = std::countr_zero(dirty_[word]);
    dirty_[word] &= dirty_[word] - 1;
    return static_cast<std::uint32_t>(64 * word + static_cast<unsigned>(bit));
  }
  bool golden(Node node) const { return golden_words_[node / 64] >> (node % 64) & 1; }

  Force& forced(Node node) {
    if (!force_[node]) {
      forces_.emplace_back();
      forced_nodes_.push_back(node);
      force_[node] = static_cast<std::uint32_t>(forces_.size());
      const std::uint32_t sink = node - netlist_.first_gate();
      dirty_[sink / 64] |= std::uint64_t{1} << (sink % 64);
    }
    return forces_[force_[node] - 1];
  }

  void evaluate(std::uint32_t index) {
    ++evaluations_;
    const Gate& gate = netlist_.gates[index];
    const Node out = netlist_.first_gate() + index;
    const unsigned values = golden(gate.in[0]) | golden(gate.in[1]) << 1 | golden(gate.in[2]) << 2;
    const unsigned k = kPolynomials[gate.table][values];
    const V a = difference_[gate.in[0]], b = difference_[gate.in[1]];
    const auto product = [k](unsigned m, const V& lanes) { return lanes & broadcast<kWidth>(k >> m & 1); };
    V d = product(1, a) ^ product(2, b) ^ product(3, a & b);
    if (gate.in[2] != kZero) {
      const V c = difference_[gate.in[2]];
      d ^= product(4, c) ^ product(5, a & c) ^ product(6, b & c) ^ product(7, a & b & c);
    }
    if (force_[out]) {
      const Force& force = forces_[force_[out] - 1];
      const V value = broadcast<kWidth>(golden(out));
      d = ((d ^ force.flip) & ~(force.zero | force.one)) | (force.zero & value) | (force.one & ~value);
    }
    if (!any<kWidth>(d)) return;
    difference_[out] = d;
    touched_.push_back(out);
    mark(out);
  }

  void clock_flip_flop(std::uint32_t index, const V& gone) {
    const FlipFlop& flop = netlist_.flip_flops[index];
    const V resets = value(flop.reset) ^ broadcast<kWidth>(!flop.reset_active);
    const V next = (resets & broadcast<kWidth>(flop.reset_value)) | (~resets & value(flop.d));
    const bool was_reset = golden(flop.reset) == flop.reset_active;
    const bool was = was_reset ? flop.reset_value : golden(flop.d);
    const V d = (next ^ broadcast<kWidth>(was)) & ~gone;
    if (any<kWidth>(d)) next_.emplace_back(netlist_.first_state() + index, d);
  }

  void clock_memories(const V& gone) {
    // One with a differing output or row changes it without a differing input, too.
    for (const Node node : state_)
      if (node >= netlist_.first_memory_output()) busy_.push_back(memory_of(node));
    for (std::uint32_t m = 0; m < overlays_.size(); ++m) {
      overlays_[m].clear(gone);
      if (!overlays_[m].empty()) busy_.push_back(m);
    }
    std::sort(busy_.begin(), busy_.end());
    busy_.erase(std::unique(busy_.begin(), busy_.end()), busy_.end());
    before_.clear();
    for (const std::uint32_t m : busy_) before_.push_back(word_before(m));
    write(cycle_);
    for (std::size_t i = 0; i < busy_.size(); ++i) clock_memory(busy_[i], before_[i], gone);
    busy_.clear();
  }

  std::uint32_t memory_of(Node node) const {
    const auto after = std::upper_bound(netlist_.memories.begin(), netlist_.memories.end(), node,
                                        [](Node n, const Memory& m) { return n < m.rdata; });
    return static_cast<std::uint32_t>(after - netlist_.memories.begin()) - 1;
  }
  std::uint64_t word_before(std::uint32_t m) const {
    const Access& access = golden_.accesses(cycle_)[m];
    return access.row < netlist_.memories[m].depth ? contents_[m][access.row] : 0;
  }
  // What the run without faults writes in a cycle.
  void write(std::size_t cycle) {
    const auto& accesses = golden_.accesses(cycle);
    for (std::size_t m = 0; m < accesses.size(); ++m)
      if (accesses[m].kind == Access::kWrite) contents_[m][accesses[m].row] = accesses[m].value;
  }

  // before: what the row that is accessed without a fault held.
  void clock_memory(std::uint32_t index, std::uint64_t before, const V& gone) {
    const Memory& m = netlist_.memories[index];
    const Access& access = golden_.accesses(cycle_)[index];
    Overlay<kWidth>& overlay = overlays_[index];
    V odd = difference_[m.req] | difference_[m.we];  // lanes that do something else
    for (const Node node : m.index) odd |= difference_[node];
    odd &= ~gone;
    std::vector<std::pair<unsigned, std::uint64_t>> kept;  // what odd lanes had in the row that others write
    std::vector<V> q(m.width);
    const std::vector<V>* row = overlay.row(access.row);
    for (std::uint32_t b = 0; b < m.width; ++b)
      q[b] = access.kind == Access::kRead ? (row ? (*row)[b] : V{}) : difference_[m.rdata + b];
    if (access.kind == Access::kWrite) {
      for_each<kWidth>(odd, [&](unsigned lane) { kept.emplace_back(lane, before ^ overlay.take(access.row, lane)); });
      V all{};
      for (const Node node : m.wdata) all |= difference_[node];
      if (any<kWidth>(all & ~gone)) {
        auto& bits = overlay.make(access.row);
        for (std::uint32_t b = 0; b < m.width; ++b) bits[b] = difference_[m.wdata[b]] & ~gone;
      } else {
        overlay.erase(access.row);
      }
      for (const auto& [lane, word] : kept) overlay.put(access.row, lane, word ^ access.value);
    }
    for_each<kWidth>(odd, [&](unsigned lane) { clock_odd(index, lane, q); });
    for (std::uint32_t b = 0; b < m.width; ++b) {
      q[b] &= ~gone;
      if (any<kWidth>(q[b])) next_.emplace_back(m.rdata + b, q[b]);
    }
  }

  // A lane with a differing access, after the rows are as others have left them.
  void clock_odd(std::uint32_t index, unsigned lane, std::vector<V>& q) {
    const Memory& m = netlist_.memories[index];
    const auto bit = [&](Node node) { return get<kWidth>(difference_[node], lane) != golden(node); };
    const auto number = [&](const std::vector<Node>& nodes) {
      std::uint64_t out = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i) out |= std::uint64_t{bit(nodes[i])} << i;
      return out;
    };
    const bool req = bit(m.req), we = bit(m.we);
    const auto row = static_cast<std::uint32_t>(number(m.index));
    const bool exists = row < m.depth;
    std::uint64_t after = 0;
    if (req && !we) {
      after = exists ? contents_[index][row] ^ overlays_[index].take(row, lane) : 0;
    } else {
      for (std::uint32_t b = 0; b < m.width; ++b) after |= std::uint64_t{bit(m.rdata + b)} << b;
    }
    if (req && we && exists) overlays_[index].put(row, lane, number(m.wdata) ^ contents_[index][row]);
    for (std::uint32_t b = 0; b < m.width; ++b)
      set<kWidth>(q[b], lane, (after >> b & 1) != golden_.value(cycle_ + 1, m.rdata + b));
  }

  const Netlist& netlist_;
  const Golden& golden_;
  std::size_t cycle_ = 0;
  const std::uint64_t* golden_words_ = nullptr;
  std::vector<V> difference_;
  std::vector<Node> state_;    // flip-flops and outputs of memories that differ
  std::vector<Node> touched_;  // inputs and gates that differ in this cycle
  std::vector<std::pair<Node, V>> next_;
  std::vector<std::uint32_t> force_;  // by node, into forces_ from 1 on
  std::vector<Force> forces_;
  std::vector<Node> forced_nodes_;
  std::vector<std::uint64_t> dirty_;  // by sink
  std::vector<Overlay<kWidth>> overlays_;
  Contents contents_;
  std::vector<std::uint32_t> busy_;
  std::vector<std::uint64_t> before_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace faults
