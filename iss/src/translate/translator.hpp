// Firmware as host code, block by block, with the cycles of each block from a memo. It knows the same state as the
// interpreter, and leaves to it whatever is rare before anything has changed.
#pragma once

#include <deque>
#include <memory>
#include <string_view>

#include "machine.hpp"
#include "translate/arena.hpp"
#include "translate/emit.hpp"
#include "translate/memo.hpp"
#include "translate/program.hpp"

namespace lutra {

class Translator {
 public:
  // patience: how often a block is entered before it is translated.
  Translator(const Level& level, unsigned patience);

  // Null where the host has no memory for code.
  static std::unique_ptr<Translator> make(std::string_view level, unsigned patience);

  std::string_view level() const { return pieces_.level().name; }

  const Compacts& compacts() const { return compacts_; }

  void program_changed();
  void tables_changed() { tables_changed_ = written_since_ = true; }
  // Before a run.
  void begins(Machine& m);

  // Executes translated code where there is any; false where nothing was done.
  bool run(Machine& m, std::uint64_t limit);
  // Finds out what the tables hold, if that may have changed.
  void look(Machine& m);
  // A jump arrives: translates what is entered often.
  void arrives(Machine& m);
  // Stalls of translated code so far, into the machine's counters.
  void settle(Machine& m);

 private:
  struct Block {
    std::uint16_t pc = 0, length = 0;
    const std::uint8_t* code = nullptr;
    std::vector<Memo::State> states;
  };
  // From a block on one of its ways.
  struct Way {
    std::uint32_t from, to;
    bool taken, entered;  // a transfer, which costs bubbles; a loop's entry that the next instruction needs
    Edge* edges;
  };
  struct Seen {
    Edge* edge;
    std::array<std::uint64_t, kStallCauses> stalls;
  };
  // All code for one program and what its tables hold.
  struct Code {
    std::array<Contents, kTableBanks> contents;
    Shape shape;
    std::vector<std::int32_t> block_at;  // by program address; -1: none
    std::deque<Block> blocks;
    std::vector<Way> ways;
  };
  struct Draft;
  static constexpr std::uint64_t kFirstPause = 1 << 9, kLongestPause = 1 << 20;

  void install();
  bool is_any() const;
  Code& code(Machine& m);
  std::uint32_t block(Code& code, std::size_t pc);
  bool translate(Machine& m, Code& code, std::uint16_t pc);
  bool draft(Machine& m, Code& code, std::uint32_t number, Draft& draft);
  bool finish(Draft& draft, Code& code);
  bool place(std::vector<Item>& items, std::vector<const std::uint8_t*>& at);
  bool enter(Machine& m, Code& code, std::uint32_t number);
  void miss(Machine& m, Code& code);
  void replay(Machine& m, const Block& block, std::size_t length) const;
  bool knows_loops(const Machine& m, const Shape& shape) const;

  const Pieces& pieces_;
  unsigned patience_;
  Arena arena_;
  const std::uint8_t* constants_ = nullptr;
  const std::uint8_t* enter_ = nullptr;
  std::array<fn::Lookup, kContents> lookups_{};
  Compacts compacts_{};
  std::vector<std::unique_ptr<Code>> codes_;
  Code* current_ = nullptr;
  std::vector<Seen> seen_;
  std::vector<const std::uint8_t*> elsewhere_;
  std::vector<unsigned> arrivals_;
  // Since the tables were looked at; since it was last considered to look again; whether a run begins.
  bool tables_changed_ = true, written_since_ = true, begins_ = false;
  std::uint64_t considered_ = 0, pause_ = kFirstPause;  // cycles: when that was, and until the next time
  bool full_ = false;
};

}  // namespace lutra
