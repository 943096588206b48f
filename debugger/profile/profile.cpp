// Counting; the header says what each cycle belongs to.
#include "profile.hpp"

#include <algorithm>
#include <numeric>

namespace lutra {

namespace {

constexpr std::size_t kMostShares = 1024;
constexpr auto kTransfer = static_cast<std::size_t>(Stall::Transfer);

}  // namespace

std::uint64_t Profile::Cell::cycles() const { return std::accumulate(stalls.begin(), stalls.end(), count + edges); }

Profile::Profile(int rounds, std::uint64_t from, std::size_t limit, std::size_t spans)
    : pipeline_(rounds),
      retire_stage_(static_cast<std::uint64_t>(kRetireStage[rounds - 1])),
      window_from_(from),
      window_limit_(limit),
      spans_limit_(spans) {
  nodes_.push_back({-1, 0, {}});
}

void Profile::reset(CoreState) {
  close();
  pipeline_.reset();
}

void Profile::start(CoreState) { close(); }

Profile::Cell& Profile::cell(std::uint16_t pc) {
  auto& cells = nodes_[static_cast<std::size_t>(frames_.back().node)].cells;
  if (pc >= cells.size()) cells.resize(std::max<std::size_t>(pc + 1u, kProgramWords));
  return cells[pc];
}

Profile::Share& Profile::share() {
  std::size_t at = total_ / share_cycles_;
  while (at >= kMostShares) {  // half as many, of twice the length
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      const Share s = shares_[i];
      if (i % 2 == 0) {
        shares_[i / 2] = s;
        continue;
      }
      Share& into = shares_[i / 2];
      into.issued += s.issued;
      into.edges += s.edges;
      for (std::size_t c = 0; c < kStallCauses; ++c) into.stalls[c] += s.stalls[c];
    }
    shares_.resize((shares_.size() + 1) / 2);
    share_cycles_ *= 2;
    at /= 2;
  }
  if (at >= shares_.size()) shares_.resize(at + 1);
  return shares_[at];
}

int Profile::child(std::uint16_t call) {
  const auto [at, made] = children_.try_emplace({frames_.back().node, call}, static_cast<int>(nodes_.size()));
  if (made) nodes_.push_back({frames_.back().node, call, {}});
  return at->second;
}

// Counts the cost of the previous transfer, and applies it to the frames.
void Profile::settle(const Passage& p) {
  if (p.bubbles) {
    Cell& before = cell(last_pc_);
    ++before.taken;
    before.stalls[kTransfer] += p.bubbles;
    share().stalls[kTransfer] += p.bubbles;
    total_ += p.bubbles;
  }
  if (change_ == Change::Call)
    frames_.push_back({child(last_pc_), last_pc_, p.pc, total_});
  else if (change_ == Change::Return && frames_.size() > 1)
    leave();
  change_ = Change::None;
}

void Profile::retired(const Retire& r) {
  const Passage& p = pipeline_.retired(r);
  if (frames_.empty() || p.first) {
    close();
    frames_.push_back({0, 0, p.pc, total_});
    offset_ = total_;
  }
  settle(p);
  if (total_ >= window_from_ && window_.size() < window_limit_) window_.push_back({offset_, p});

  Cell& c = cell(p.pc);
  Share& s = share();
  std::uint64_t edges = p.first || p.resumed ? 1 : 0;
  if (r.halt_en || r.wait_en || r.trap) edges += retire_stage_;
  ++c.count;
  c.edges += edges;
  ++s.issued;
  s.edges += edges;
  for (const Wait& w : p.waits) {
    const auto cause = static_cast<std::size_t>(w.cause);
    c.stalls[cause] += w.cycles;
    s.stalls[cause] += w.cycles;
    waits_[{p.pc, static_cast<int>(cause), w.pc}] += w.cycles;
  }
  total_ += p.issue - p.decode + 1 + edges;

  loops(r);
  if (r.call_depth > call_depth_)
    change_ = Change::Call;
  else if (r.call_depth < call_depth_)
    change_ = Change::Return;
  call_depth_ = r.call_depth;
  last_pc_ = p.pc;
}

void Profile::loops(const Retire& r) {
  const std::size_t depth = open_loops_.size();
  if (r.trap) return;
  if (r.loop_depth > depth) {
    open_loops_.push_back({r.pc, total_});
    ++loops_[r.pc].entries;
  } else if (r.loop_depth < depth) {
    Loop& loop = loops_[open_loops_.back().repeat];
    ++loop.passes;
    loop.cycles += total_ - open_loops_.back().begin;
    open_loops_.pop_back();
  } else if (depth && r.loop_remaining != remaining_) {
    ++loops_[open_loops_.back().repeat].passes;
  }
  remaining_ = r.loop_remaining;
}

void Profile::leave() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (!frames_.empty()) cell(frame.call).inside += total_ - frame.begin;
  if (spans_.size() < spans_limit_ || frames_.empty())  // a run always is
    spans_.push_back({frame.node, frame.pc, frame.begin, total_});
  else
    ++spans_left_out_;
}

void Profile::close() {
  for (const OpenLoop& open : open_loops_) loops_[open.repeat].cycles += total_ - open.begin;
  open_loops_.clear();
  while (!frames_.empty()) leave();
  remaining_ = 0;
  call_depth_ = 0;
  change_ = Change::None;
}

void Profile::finish() { close(); }

}  // namespace lutra
