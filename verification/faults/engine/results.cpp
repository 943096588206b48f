#include "results.hpp"

#include <algorithm>

namespace faults {

namespace {

std::vector<Read> reads_of(const Netlist& netlist, const Golden& golden, const Script& script, const Choice& choice) {
  std::vector<Read> out;
  for (std::uint32_t m = 0; m < netlist.memories.size(); ++m) {
    std::vector<std::size_t> since(netlist.memories[m].depth, script.begin());
    for (std::size_t cycle = script.begin(); cycle < script.end(); ++cycle) {
      const Access& access = golden.accesses(cycle)[m];
      if (access.kind == Access::kNone || access.row >= since.size()) continue;
      if (access.kind == Access::kRead && cycle >= choice.first && cycle < choice.last)
        out.push_back({m, access.row, cycle, cycle + 1 - since[access.row]});
      since[access.row] = cycle + 1;
    }
  }
  return out;
}

// The finaliser of MurmurHash3: a fault is chosen by its own number, so that shards choose as the whole would.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33;
}

}  // namespace

Results::Results(const Netlist& netlist, const Golden& golden, const Script& script, const Choice& choice)
    : netlist_(netlist),
      choice_(choice),
      begin_(script.begin()),
      end_(script.end()),
      reads_(reads_of(netlist, golden, script, choice)),
      flips_(golden.end() - script.begin()),
      queues_(golden.end() - script.begin()) {
  const auto sites = static_cast<std::uint32_t>(netlist.sites.size());
  if (choice.memories) {
    memory_.resize(64 * reads_.size());
    for (std::uint32_t r = 0; r < reads_.size(); ++r)
      for (std::uint32_t b = 0; b < netlist.memories[reads_[r].memory].width; ++b)
        want({Kind::kMemory, 64 * r + b, reads_[r].cycle});
  }
  // Stuck ones are the same in every shard of cycles: the first one has them.
  if (choice.stuck && choice.first == script.begin())
    for (const Kind kind : {Kind::kStuck0, Kind::kStuck1}) {
      stuck_[kind == Kind::kStuck1].resize(sites);
      for (std::uint32_t site = 0; site < sites; ++site) want({kind, site, script.begin()});
    }
  if (choice.flips)
    for (std::size_t cycle = choice.first; cycle < choice.last; ++cycle)
      for (std::uint32_t site = 0; site < sites; ++site) want({Kind::kFlip, site, cycle});
  draw_pairs();
  for (auto& queue : queues_) std::reverse(queue.begin(), queue.end());
}

// Each of its own number, which the shard's first cycle makes that of one of the whole.
void Results::draw_pairs() {
  std::uint64_t state = mix(mix(choice_.seed + 1) ^ choice_.first);
  const auto below = [&](std::size_t limit) { return (state = mix(state + 0x9e3779b97f4a7c15)) % limit; };
  pair_results_.resize(choice_.pairs);
  while (pairs_.size() < choice_.pairs) {
    Pair pair{};
    for (Flip* flip : {&pair.first, &pair.second})
      flip->site = static_cast<std::uint32_t>(below(netlist_.sites.size()));
    pair.first.cycle = choice_.first + below(choice_.last - choice_.first);
    pair.second.cycle = pair.first.cycle + below(std::min(choice_.window, end_ - pair.first.cycle));
    if (pair.first.site == pair.second.site && pair.first.cycle == pair.second.cycle) continue;
    pairs_.push_back(pair);
    want({Kind::kPair, static_cast<std::uint32_t>(pairs_.size() - 1), pair.first.cycle});
  }
}

bool Results::chosen(const Fault& fault) const {
  if (choice_.part >= 1 || fault.kind == Kind::kPair) return true;
  const auto number = mix(mix(mix(choice_.seed + 1) ^ fault.cycle) ^ fault.site ^ std::uint64_t(fault.kind) << 32);
  return static_cast<double>(number) < choice_.part * 18446744073709551616.0;
}

void Results::want(const Fault& fault) {
  if (!chosen(fault)) return;
  Entry& e = entry(fault);
  e.result = kPending;
  e.wanted = true;
  ++wanted_;
  queues_[fault.cycle - begin_].push_back(fault);
}

Results::Entry& Results::entry(const Fault& fault) {
  switch (fault.kind) {
    case Kind::kStuck0:
      return stuck_[0][fault.site];
    case Kind::kStuck1:
      return stuck_[1][fault.site];
    case Kind::kMemory:
      return memory_[fault.site];
    case Kind::kPair:
      return pair_results_[fault.site];
    case Kind::kFlip:
      break;
  }
  auto& row = flips_[fault.cycle - begin_];
  if (row.empty()) row.resize(netlist_.sites.size());
  return row[fault.site];
}

std::optional<Fault> Results::next(std::size_t cycle) {
  auto& queue = queues_[cycle - begin_];
  if (queue.empty()) return std::nullopt;
  const Fault fault = queue.back();
  queue.pop_back();
  return fault;
}

std::size_t Results::first_pending() const {
  const auto found = std::find_if(queues_.begin(), queues_.end(), [](const auto& queue) { return !queue.empty(); });
  return begin_ + static_cast<std::size_t>(found - queues_.begin());
}

void Results::put(const Fault& fault, Class result) {
  Entry& e = entry(fault);
  e.result = result;
  done_ += e.wanted;
}

void Results::put_alias(const Fault& fault, std::uint32_t site, std::size_t cycle) {
  Entry& e = entry(fault);
  e.result = kAlias;
  e.site = site;
  e.cycle = static_cast<std::uint32_t>(cycle);
  done_ += e.wanted;
  const Fault same{Kind::kFlip, site, cycle};
  Entry& target = entry(same);
  if (target.result != kUntried) return;
  target.result = kPending;
  queues_[cycle - begin_].push_back(same);
}

void Results::resolve() {
  const auto follow = [&](Entry& e) {
    if (e.result == kAlias) e.result = flips_[e.cycle - begin_][e.site].result;
  };
  // An alias is of a later cycle.
  for (auto row = flips_.rbegin(); row != flips_.rend(); ++row) std::for_each(row->begin(), row->end(), follow);
  std::for_each(memory_.begin(), memory_.end(), follow);
  std::for_each(pair_results_.begin(), pair_results_.end(), follow);
}

std::vector<std::uint8_t> Results::bytes() const {
  std::vector<std::uint8_t> out;
  const auto add = [&](const Entry& e) { out.push_back(e.wanted ? e.result : std::uint8_t{kUntried}); };
  const std::vector<Entry> none(netlist_.sites.size());
  for (std::size_t cycle = choice_.first; choice_.flips && cycle < choice_.last; ++cycle) {
    const auto& row = flips_[cycle - begin_];
    std::for_each((row.empty() ? none : row).begin(), (row.empty() ? none : row).end(), add);
  }
  for (const auto& entries : stuck_) std::for_each(entries.begin(), entries.end(), add);
  for (std::uint32_t r = 0; r < reads_.size() && !memory_.empty(); ++r)
    for (std::uint32_t b = 0; b < netlist_.memories[reads_[r].memory].width; ++b) add(memory_[64 * r + b]);
  return out;
}

}  // namespace faults
