// Finds blocks in a program.
#include "translate/program.hpp"

#include "translate/run.hpp"

namespace lutra {
namespace {

// Whether the interpreter executes an instruction of the sequencer: it stops the core, or where it goes is not known.
bool is_rare(const Decoded& d, std::size_t pc) {
  switch (d.encoding->sq) {
    case Sq::Halt:
    case Sq::Wait:
    case Sq::Return:
    case Sq::Close:
    case Sq::Open:
      return true;
    case Sq::Repeat:
    case Sq::RepeatAr:
      return d.e <= pc || d.e == kNowhere;  // a trap; an end that `Translated::interpret` would take for its own place
    default:
      return false;
  }
}

}  // namespace

bool writes_table(const Decoded& d) {
  return d.encoding && d.encoding->vector &&
         (d.encoding->res == Res::Scatter || (d.s.en && kSpaceBanks[d.s_space] != 0));
}

Shape::Shape(std::span<const Decoded> program, bool writes_tables)
    : endings_(program.size(), Ending::No), begins_(program.size() + 1, false), starts_(program.size(), 0) {
  const auto begins = [this](std::size_t pc) {
    if (pc < begins_.size()) begins_[pc] = true;
  };
  std::vector<bool> left(program.size(), false);
  for (std::size_t pc = 0; pc < program.size(); ++pc) {
    const Decoded& d = program[pc];
    if (d.encoding == nullptr) {
      left[pc] = true;
      continue;
    }
    const bool sequencer = !d.encoding->vector && d.encoding->sq != Sq::Next && d.encoding->sq != Sq::Notify;
    if (sequencer) {
      endings_[pc] = is_rare(d, pc) ? Ending::Before : Ending::Transfer;
      begins(pc + 1);
      begins(repeats(d) ? d.e + 1u : d.e);
    }
    if (repeats(d) && d.e < program.size() && d.e > pc) {
      // A body that ends where another one does, and begins elsewhere, is left to the interpreter.
      const auto start = static_cast<std::uint16_t>(pc + 1);
      if (starts_[d.e] != 0 && starts_[d.e] != start) left[d.e] = true;
      starts_[d.e] = start;
    }
    if (writes_table(d) && !writes_tables) left[pc] = true;
  }
  for (std::size_t pc = 0; pc < program.size(); ++pc) {
    if (starts_[pc] != 0) {
      begins(pc + 1);
      // At the end of a body, only what goes on to the next instruction.
      if (endings_[pc] != Ending::No) left[pc] = true;
      endings_[pc] = Ending::Loop;
    }
    if (left[pc]) endings_[pc] = Ending::Before;
    if (endings_[pc] == Ending::Before) begins(pc), begins(pc + 1);
  }
}

}  // namespace lutra
