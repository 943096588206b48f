// The lanes of a campaign and their hosts.
//
// As long as a lane's machine answers the host as the one without a fault, all such lanes share the inputs of the run
// without faults. A lane whose machine answers otherwise gets a host of its own, which is elsewhere in the script.
#pragma once

#include <map>
#include <tuple>

#include "campaign.hpp"
#include "differences.hpp"

namespace faults {

template <int kWidth>
class Sweep {
 public:
  using V = Lanes<kWidth>;

  explicit Sweep(const Campaign& campaign)
      : c_(campaign),
        roles_(campaign.record.roles),
        limit_(campaign.golden.end() - 1),
        machine_(campaign.netlist, campaign.golden) {
    if (roles_.data.empty())
      for (const Port& port : c_.netlist.outputs) data_.insert(data_.end(), port.bits.begin(), port.bits.end());
    else
      data_ = roles_.data;
    site_of_.assign(c_.netlist.first_gate(), 0);
    first_.assign(c_.record.slots, std::vector<V>(data_.size()));
    open_.assign(c_.record.slots, V{});
    for (std::uint32_t s = 0; s < c_.netlist.sites.size(); ++s)
      if (c_.netlist.sites[s] < c_.netlist.first_gate()) site_of_[c_.netlist.sites[s]] = s;
  }

  Effort run() {
    for (std::size_t cycle; (cycle = c_.results.first_pending()) < c_.script.end();) {
      sweep(cycle);
      if (parked_.size() >= kWidth) go_on();
    }
    while (!parked_.empty()) go_on();
    effort_.evaluations = machine_.evaluations();
    return effort_;
  }

 private:
  struct Lane {
    Fault fault;
    std::size_t row = 0;      // of the script, where it has a host of its own
    std::size_t reading = 0;  // row + 1 of a read whose data comes in this cycle
  };

  // A lane whose host is not through its script when that of the run without faults is.
  struct Parked {
    Lane lane;
    bool wrong = false, released = false;
    std::vector<std::pair<std::size_t, std::size_t>> first;  // slot, bit that differs
    std::vector<Node> state;
    std::vector<std::tuple<std::size_t, std::uint32_t, std::uint64_t>> memory;  // number, row, difference
  };

  // Through the script once, from a cycle on.
  void sweep(std::size_t cycle) {
    start(cycle);
    while (machine_.cycle() < c_.script.end()) {
      if (!any<kWidth>(used_)) {
        // A run of cycles without a fault in any lane is not gone through.
        if ((cycle = pending_from(machine_.cycle())) >= c_.script.end()) return;
        if (cycle != machine_.cycle()) machine_.begin(cycle);
      }
      fill(machine_.cycle());
      step();
    }
    park();
  }

  void start(std::size_t cycle) {
    machine_.begin(cycle);
    used_ = own_ = wrong_ = released_ = stuck_ = fresh_ = late_ = V{};
    for (std::size_t slot = 0; slot < first_.size(); ++slot) forget_first(slot, broadcast<kWidth>(true));
  }

  void park() {
    std::map<unsigned, Parked> out;
    for_each<kWidth>(used_, [&](unsigned lane) {
      Parked& parked = out[lane];
      parked.lane = lanes_[lane], parked.wrong = wrong(lane), parked.released = get<kWidth>(released_, lane);
      for (std::size_t slot = 0; slot < first_.size(); ++slot)
        for (std::size_t bit = 0; bit < data_.size(); ++bit)
          if (get<kWidth>(first_[slot][bit] & open_[slot], lane)) parked.first.emplace_back(slot, bit);
    });
    for (const Node node : machine_.state())
      for_each<kWidth>(machine_[node] & used_, [&](unsigned lane) { out[lane].state.push_back(node); });
    for (std::size_t m = 0; m < machine_.overlays().size(); ++m)
      for (auto& [lane, parked] : out)
        machine_.overlays()[m].each(
            lane, [&](std::uint32_t row, std::uint64_t difference) { parked.memory.emplace_back(m, row, difference); });
    for (auto& [lane, parked] : out) parked_.push_back(std::move(parked));
  }

  // Parked lanes, as many as there are lanes, to their ends.
  void go_on() {
    start(c_.script.end());
    for (unsigned lane = 0; lane < kWidth && !parked_.empty(); ++lane, parked_.pop_back()) {
      const Parked& parked = parked_.back();
      lanes_[lane] = parked.lane;
      set<kWidth>(used_, lane), set<kWidth>(own_, lane);
      set<kWidth>(wrong_, lane, parked.wrong);
      set<kWidth>(released_, lane, parked.released);
      for (const auto& [slot, bit] : parked.first) set<kWidth>(first_[slot][bit], lane), set<kWidth>(open_[slot], lane);
      const Kind kind = parked.lane.fault.kind;
      set<kWidth>(stuck_, lane, kind == Kind::kStuck0 || kind == Kind::kStuck1);
      for (const Node node : parked.state) machine_.flip_state(node, lane);
      for (const auto& [m, row, difference] : parked.memory) machine_.overlays()[m].put(row, lane, difference);
    }
    while (any<kWidth>(used_) && machine_.cycle() < limit_) step();
    for_each<kWidth>(used_, [&](unsigned lane) { finish(lane, get<kWidth>(released_, lane) ? kSilent : kHang); });
  }

  std::size_t pending_from(std::size_t cycle) const {
    while (cycle < c_.script.end() && !c_.results.pending(cycle)) ++cycle;
    return cycle;
  }

  void step() {
    const std::size_t cycle = machine_.cycle();
    inject();
    for_each<kWidth>(own_ & used_, [&](unsigned lane) { drive(cycle, lane); });
    machine_.settle();
    ++effort_.cycles;
    V gone = observe(cycle);
    if (cycle + 1 == c_.script.end()) gone |= end(gone);
    effort_.lane_cycles += count<kWidth>(used_);
    used_ &= ~gone;
    machine_.clock(gone);
    retire();
    if (c_.progress) c_.progress();
  }

  void fill(std::size_t cycle) {
    if (!c_.results.pending(cycle)) return;
    for (std::size_t slot = 0; slot < first_.size(); ++slot) forget_first(slot, ~used_);
    for_each<kWidth>(~used_, [&](unsigned lane) {
      if (!c_.results.pending(cycle)) return;
      lanes_[lane] = {*c_.results.next(cycle), 0, 0};
      set<kWidth>(used_, lane);
      set<kWidth>(own_, lane, false);
      set<kWidth>(wrong_, lane, false);
      set<kWidth>(released_, lane, false);
      const Kind kind = lanes_[lane].fault.kind;
      set<kWidth>(stuck_, lane, kind == Kind::kStuck0 || kind == Kind::kStuck1);
      set<kWidth>(late_, lane, kind == Kind::kPair);
      set<kWidth>(fresh_, lane);
    });
  }

  void inject() {
    for_each<kWidth>(fresh_ | (stuck_ & used_), [&](unsigned lane) {
      const Fault& fault = lanes_[lane].fault;
      if (fault.kind == Kind::kMemory) {
        const Read& read = c_.results.reads()[fault.site / 64];
        machine_.flip_memory(read.memory, read.row, fault.site % 64, lane);
        return;
      }
      if (fault.kind == Kind::kFlip)
        flip(fault.site, lane);
      else if (fault.kind == Kind::kPair)
        flip(c_.results.pairs()[fault.site].first.site, lane);
      else
        machine_.hold(c_.netlist.sites[fault.site], lane, fault.kind == Kind::kStuck1);
    });
    fresh_ = V{};
    for_each<kWidth>(late_ & used_, [&](unsigned lane) {
      const Flip& second = c_.results.pairs()[lanes_[lane].fault.site].second;
      if (second.cycle != machine_.cycle()) return;
      flip(second.site, lane);
      set<kWidth>(late_, lane, false);
    });
  }

  void flip(std::uint32_t site, unsigned lane) {
    const Node node = c_.netlist.sites[site];
    if (node < c_.netlist.first_gate())
      machine_.flip_state(node, lane);
    else
      machine_.flip_gate(node, lane);
  }

  // The inputs of a lane whose host is elsewhere.
  void drive(std::size_t cycle, unsigned lane) {
    const std::size_t row = std::min(lanes_[lane].row, c_.script.rows().size() - 1);
    const Bits &mine = c_.script.rows()[row], &others = c_.script.rows()[cycle];
    if (row == cycle || mine == others) return;
    for (Node i = 0; i < mine.size(); ++i)
      if (mine[i] != others[i]) machine_.flip_input(kInputs + i, lane);
  }

  // Lanes whose fault is done in this cycle.
  V observe(std::size_t cycle) {
    V gone{};
    V alert{};
    for (const Node node : roles_.alerts)
      if (any<kWidth>(machine_[node])) alert |= machine_[node] & ~broadcast<kWidth>(c_.golden.value(cycle, node));
    const auto leave = [&](unsigned lane, Class result) {
      finish(lane, result);
      set<kWidth>(gone, lane);
    };
    for_each<kWidth>(alert & used_, [&](unsigned lane) { leave(lane, get<kWidth>(released_, lane) ? kLate : kAlert); });
    const V shared = used_ & ~own_ & ~gone;
    observe_data(cycle, shared, leave);
    if (!roles_.state.empty()) {
      const V different = answers_differ(cycle, shared & ~gone);
      for_each<kWidth>(different, [&](unsigned lane) {
        lanes_[lane].row = cycle;
        lanes_[lane].reading = 0;
        set<kWidth>(own_, lane);
      });
    }
    const V own = own_ & used_ & ~gone;
    if (!any<kWidth>(own)) return gone;
    const V busy = this->busy();
    for_each<kWidth>(own, [&](unsigned lane) {
      if (const auto result = advance(lane, busy)) leave(lane, *result);
    });
    return gone;
  }

  bool wrong(unsigned lane) const { return get<kWidth>(wrong_, lane); }
  Class noticed(unsigned lane) const { return get<kWidth>(released_, lane) ? kLate : kNoticed; }
  // The class of a lane in which nothing differs any more. Second reads that are still to come will be right.
  Class clean(unsigned lane) const {
    for (const V& open : open_)
      if (get<kWidth>(open, lane)) return noticed(lane);
    return wrong(lane) ? kSilent : kMasked;
  }

  void forget_first(std::size_t slot, const V& lanes) {
    if (!any<kWidth>(open_[slot] & lanes)) return;
    for (V& bit : first_[slot]) bit &= ~lanes;
    open_[slot] &= ~lanes;
  }

  template <class Leave>
  void observe_data(std::size_t cycle, const V& shared, Leave&& leave) {
    const bool looks = roles_.valid.empty() || c_.golden.value(cycle, roles_.valid[0]);
    if (!looks) return;
    if (!roles_.valid.empty())
      for_each<kWidth>(machine_[roles_.valid[0]] & shared, [&](unsigned lane) { leave(lane, noticed(lane)); });
    V wrong{};
    for (const Node node : data_) wrong |= machine_[node];
    wrong &= shared;
    const auto step = cycle ? c_.script.step(cycle - 1) : Script::Step{};
    if (step.look == Look::kKnow) {
      for_each<kWidth>(wrong, [&](unsigned lane) { leave(lane, noticed(lane)); });
      wrong = V{};
    } else if (step.look == Look::kFirst && any<kWidth>(wrong)) {
      open_[step.slot] |= wrong;
      for (std::size_t bit = 0; bit < data_.size(); ++bit) first_[step.slot][bit] |= machine_[data_[bit]] & wrong;
    } else if (step.look == Look::kAgain && any<kWidth>(wrong | (open_[step.slot] & shared))) {
      V differs{};
      for (std::size_t bit = 0; bit < data_.size(); ++bit) differs |= machine_[data_[bit]] ^ first_[step.slot][bit];
      differs &= shared;
      for_each<kWidth>(differs, [&](unsigned lane) { leave(lane, noticed(lane)); });
      forget_first(step.slot, shared);
    }
    wrong_ |= wrong;
    if (step.look == Look::kTake) released_ |= wrong;
    if (step.releases) released_ |= wrong_ & shared;
    // Where nothing can say so any more, the rest of the run changes nothing.
    if (roles_.alerts.empty() && roles_.state.empty())
      for_each<kWidth>(wrong & shared, [&](unsigned lane) { leave(lane, kSilent); });
  }

  V busy() const {
    V out = broadcast<kWidth>(true);
    for (std::size_t i = 0; i < roles_.state.size(); ++i)
      out &= machine_.value(roles_.state[i]) ^ broadcast<kWidth>(!(roles_.busy >> i & 1));
    return out;
  }

  V answers_differ(std::size_t cycle, const V& lanes) {
    const auto& step = cycle < c_.script.end() ? c_.script.step(cycle) : Script::Step{};
    V out{};
    if (step.requests)
      for (const Node node : roles_.grant) out |= machine_[node];
    if (step.waits)
      for (const Node node : roles_.state) out |= machine_[node];
    return out & lanes;
  }

  // The data of a read of a lane's own host, that come in cycle `then` without a fault; a result if that is the end.
  std::optional<Class> read(unsigned lane, std::size_t then) {
    const auto& step = c_.script.step(then - 1);
    bool wrong = false, differs = false;
    for (std::size_t bit = 0; bit < data_.size(); ++bit) {
      const bool other = get<kWidth>(machine_.value(data_[bit]), lane) != c_.golden.value(then, data_[bit]);
      wrong |= other;
      if (step.look == Look::kFirst && other) {
        set<kWidth>(first_[step.slot][bit], lane);
        set<kWidth>(open_[step.slot], lane);
      }
      if (step.look == Look::kAgain) differs |= other != get<kWidth>(first_[step.slot][bit], lane);
    }
    if (differs || (step.look == Look::kKnow && wrong)) return noticed(lane);
    if (step.look == Look::kAgain) {
      V alone{};
      set<kWidth>(alone, lane);
      forget_first(step.slot, alone);
    }
    if (wrong) set<kWidth>(wrong_, lane);
    if (this->wrong(lane) && (step.releases || (wrong && step.look == Look::kTake))) set<kWidth>(released_, lane);
    return std::nullopt;
  }

  // The next row of a lane's own host; a result if that is the end.
  std::optional<Class> advance(unsigned lane, const V& busy) {
    Lane& l = lanes_[lane];
    if (l.reading) {
      const std::size_t then = l.reading;  // the cycle in which the data comes without a fault
      l.reading = 0;
      if (!roles_.valid.empty() && !get<kWidth>(machine_.value(roles_.valid[0]), lane)) return noticed(lane);
      if (const auto result = read(lane, then)) return result;
    }
    if (l.row >= c_.script.end()) return std::nullopt;
    const auto& step = c_.script.step(l.row);
    if (step.requests) {
      if (get<kWidth>(machine_.value(roles_.grant[0]), lane)) {
        if (!step.writes) l.reading = step.granted + 1;
        l.row = step.granted + 1;
      }
    } else if (step.waits) {
      if (!get<kWidth>(busy, lane)) {
        for (const Node node : roles_.state)
          if (get<kWidth>(machine_.value(node), lane) != c_.golden.value(step.after - 1, node)) return noticed(lane);
        l.row = step.after;
      } else if (l.row + 1 < step.after) {
        ++l.row;
      }
    } else {
      ++l.row;
    }
    if (l.row >= c_.script.end() && !l.reading) return wrong(lane) ? kSilent : kLatent;
    return std::nullopt;
  }

  // The host's last cycle, for lanes that share it.
  V end(const V& gone) {
    V differs = machine_.memories_live();
    for (const Node node : machine_.state()) differs |= machine_[node];
    const V shared = used_ & ~own_ & ~gone;
    for_each<kWidth>(shared, [&](unsigned lane) {
      finish(lane, wrong(lane) ? kSilent : get<kWidth>(differs, lane) ? kLatent : kMasked);
    });
    return shared;
  }

  // After the clock: lanes that do not differ any more, or that differ in one flip-flop only.
  void retire() {
    V once = machine_.memories_live(), twice = once;
    for (const Node node : machine_.state()) {
      twice |= once & machine_[node];
      once |= machine_[node];
    }
    const V free = used_ & ~own_ & ~stuck_;
    // Once the first flip of a pair has left nothing, the second is alone.
    const V alone = free & ~once & late_ & ~wrong_;
    for_each<kWidth>(alone, [&](unsigned lane) {
      const Fault& fault = lanes_[lane].fault;
      const Flip& second = c_.results.pairs()[fault.site].second;
      c_.results.put_alias(fault, second.site, second.cycle);
    });
    used_ &= ~alone;
    const V same = free & ~once & ~late_;
    for_each<kWidth>(same, [&](unsigned lane) { finish(lane, clean(lane)); });
    used_ &= ~same;
    const V single = free & once & ~twice & ~wrong_ & ~late_;
    if (machine_.cycle() >= c_.script.end() || !any<kWidth>(single)) return;
    V taken{};
    for (const Node node : machine_.state())
      for_each<kWidth>(machine_[node] & single, [&](unsigned lane) {
        const Fault& fault = lanes_[lane].fault;
        if (fault.kind == Kind::kFlip && fault.site == site_of_[node] && fault.cycle == machine_.cycle()) return;
        c_.results.put_alias(fault, site_of_[node], machine_.cycle());
        set<kWidth>(taken, lane);
      });
    used_ &= ~taken;
    machine_.forget(taken);
  }

  void finish(unsigned lane, Class result) { c_.results.put(lanes_[lane].fault, result); }

  const Campaign& c_;
  const Roles& roles_;
  const std::size_t limit_;
  Differences<kWidth> machine_;
  std::vector<Node> data_;
  std::vector<std::uint32_t> site_of_;  // by node of the state
  Lane lanes_[kWidth];
  std::vector<Parked> parked_;
  V used_{}, own_{}, wrong_{}, stuck_{}, fresh_{};
  V released_{};  // what is wrong has been used
  // Bits in which the first read of a slot differs, and the lanes that have any, until the second read.
  std::vector<std::vector<V>> first_;
  std::vector<V> open_;
  V late_{};  // the second flip of a pair is still to come
  Effort effort_;
};

}  // namespace faults
