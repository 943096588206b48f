// Where the cycles of programs go: by instruction and by the calls that led to it, told by retirements alone.
//
// Every cycle of a run is counted once, at one instruction: while it is in ID, waiting or issuing; the bubble after a
// transfer at the transfer; the first fetch, and that after a resume, at the instruction that is fetched; the cycles in
// which the pipeline empties at the instruction that stops the program.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "observer.hpp"
#include "pipeline.hpp"

namespace lutra {

class Profile : public Observer {
 public:
  using Stalls = std::array<std::uint64_t, kStallCauses>;

  // Cost of an instruction: its cycles are count + stalls + edges.
  struct Cell {
    std::uint64_t count = 0;   // times that it issued, a trap included
    std::uint64_t taken = 0;   // times that its transfer was taken
    std::uint64_t edges = 0;   // first fetch, fetch after a resume, and emptying of the pipeline
    std::uint64_t inside = 0;  // of a call: cycles in what it has called, up to the return and its bubble
    Stalls stalls{};

    std::uint64_t cycles() const;
  };
  // A routine in its calling context: the call that led to it; the root has no parent.
  struct Node {
    int parent;
    std::uint16_t call;
    std::vector<Cell> cells;  // by program address
  };
  struct Loop {
    std::uint64_t entries = 0, passes = 0, cycles = 0;  // cycles: what its body has called included
  };
  // A run or a call: its node, first cycle and end, counted over all runs.
  struct Span {
    int node;
    std::uint16_t pc;  // where it begins
    std::uint64_t begin, end;
  };
  // Use of a share of the time: instructions issued, edges, stalls by cause.
  struct Share {
    std::uint64_t issued = 0, edges = 0;
    Stalls stalls{};
  };
  // An instruction of the window. offset: what to add to its cycles to count over all runs.
  struct Seen {
    std::uint64_t offset;
    Passage passage;
  };

  // For machines after reset. from, limit: the window of instructions that are kept one by one, starting at a cycle,
  // counted over all runs. spans: how many are kept.
  Profile(int rounds, std::uint64_t from, std::size_t limit, std::size_t spans);

  void reset(CoreState before) override;
  void start(CoreState before) override;
  void resume() override {}
  void retired(const Retire& record) override;

  // Ends open calls and runs; then the counts are complete.
  void finish();

  std::uint64_t cycles() const { return total_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::map<std::tuple<std::uint16_t, int, std::uint16_t>, std::uint64_t>& waits() const { return waits_; }
  const std::map<std::uint16_t, Loop>& loops() const { return loops_; }  // by the address of the repeat
  const std::vector<Span>& spans() const { return spans_; }
  std::uint64_t spans_left_out() const { return spans_left_out_; }
  const std::vector<Share>& shares() const { return shares_; }
  std::uint64_t share_cycles() const { return share_cycles_; }
  const std::vector<Seen>& window() const { return window_; }

 private:
  struct Frame {
    int node;
    std::uint16_t call, pc;  // of the call, and where it leads to
    std::uint64_t begin;
  };
  struct OpenLoop {
    std::uint16_t repeat;
    std::uint64_t begin;
  };
  enum class Change { None, Call, Return };

  Cell& cell(std::uint16_t pc);
  Share& share();
  int child(std::uint16_t call);
  void settle(const Passage& p);
  void close();
  void leave();
  void loops(const Retire& r);

  Pipeline pipeline_;
  std::uint64_t retire_stage_;
  std::uint64_t window_from_;
  std::size_t window_limit_, spans_limit_;

  std::uint64_t total_ = 0;
  std::vector<Node> nodes_;
  std::map<std::pair<int, std::uint16_t>, int> children_;
  std::map<std::tuple<std::uint16_t, int, std::uint16_t>, std::uint64_t>
      waits_;  // by address, cause, address waited for
  std::map<std::uint16_t, Loop> loops_;
  std::vector<Span> spans_;
  std::uint64_t spans_left_out_ = 0;
  std::vector<Share> shares_;
  std::uint64_t share_cycles_ = 64;
  std::vector<Seen> window_;

  // Since the last start.
  std::vector<Frame> frames_;
  std::vector<OpenLoop> open_loops_;
  std::uint16_t remaining_ = 0;  // passes of the innermost loop
  std::uint8_t call_depth_ = 0;
  Change change_ = Change::None;  // what the last instruction does to the frames, once its bubble is counted
  std::uint16_t last_pc_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace lutra
