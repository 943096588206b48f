// The simulated machine: architectural state, the host's view of it, and execution.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "counts.hpp"
#include "decode.hpp"
#include "fault.hpp"
#include "hash.hpp"
#include "host.hpp"
#include "lutra_state.hpp"
#include "observer.hpp"
#include "stack.hpp"
#include "stream.hpp"
#include "timing.hpp"
#include "translate/contents.hpp"
#include "translate/run.hpp"
#include "value.hpp"

namespace lutra {

class Translator;

struct Config {
  int rounds = kCoreRounds;             // ROUNDS_PER_INSTR
  int contexts = kCoreContexts;         // STREAM_CONTEXTS
  int shadow_words = kCoreShadowWords;  // SHADOW_WORDS
  bool protect = kCoreProtect;          // PROTECT
  bool wipe = kCoreWipe;                // WIPE
  int key_rows = kCoreKeyRows;          // KEY_ROWS
  int program_words = kProgramWords;
  int memory_rows = kMemoryRows;
  int loop_depth = kLoopDepth;
  int call_depth = kCallDepth;
};

// State that instructions and control change, except the tables. Machine inherits it and saves it by a copy.
struct MachineState {
  explicit MachineState(int rounds) : timing_(rounds) {}

  struct Loop {
    std::uint16_t start, end, remaining;
  };

  std::vector<std::uint8_t> memory_;  // four blocks
  std::array<Value, kVectorCodes>
      vectors_{};  // by code; ZERO stays zero, ROW holds the data slot's row, NONE takes what is not kept
  std::array<Context, kStreamContexts> contexts_{};
  Faults faults_;
  HashUnit hash_{};
  std::array<std::uint16_t, kAddressRegs> ar_{}, step_{}, window_start_{}, window_end_{};
  int counter_bytes_ = kCounterBytes[0];
  bool flag_ = false;
  bool closed_ = false;  // the host does not see memories and tables
  Stack<Loop, kLoopDepth> loops_;
  Stack<std::uint16_t, kCallDepth> calls_;

  CoreState state_ = CoreState::Idle;
  Trap trap_ = Trap::None;
  std::uint16_t pc_ = 0, stop_pc_ = 0;
  std::uint8_t notify_ = 0;
  std::uint64_t instructions_ = 0;
  Timing timing_;
};

// With observers, every instruction is interpreted and recorded.
class Machine : public Observed, private MachineState {
 public:
  explicit Machine(const Config& config = {});
  ~Machine();

  // Registers of data keep what they hold, unless the core wipes itself then.
  void reset();

  // Host access in bytes; program words are 8 bytes, little-endian. Throws HostError out of range. What the host may
  // not see reads zero; of a key row that is written in part the rest is zero then. A row whose check fails reads zero,
  // too, and the machine is faulted. peek and poke: whatever the host may see, and unchecked.
  void write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes);
  void poke(Space space, std::size_t offset, std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> read(Space space, std::size_t offset, std::size_t length);
  std::vector<std::uint8_t> peek(Space space, std::size_t offset, std::size_t length) const;
  std::size_t size(Space space) const { return space_bytes(space, config_.program_words, config_.memory_rows); }

  // A data memory or a table bank in place; a program word.
  std::span<const std::uint8_t> contents(Space space) const;
  std::uint64_t word(std::size_t index) const { return program_.at(index).word; }

  void start(std::uint16_t pc);
  void resume();

  // HostError for a word that the core does not have, or a cycle that has passed.
  void inject(const Fault& fault);
  bool alert() const { return state_ == CoreState::Faulted || state_ == CoreState::Locked; }
  // A faulted machine is idle then; HostError for another.
  void clear_alert();

  // Zeroes all but the programs: of a machine that does not run. Escalating also stops a program, and locks the machine
  // until it is reset. HostError where the core has no wipe.
  void wipe();
  void escalate();

  // Run until the program stops or `limit` cycles are used; returns how many instructions have retired.
  std::uint64_t run(std::uint64_t limit);

  // Starts and runs a program that halts, so many times; returns how many instructions have retired.
  // recorded: by the interpreter, with a record of every instruction.
  std::uint64_t repeat(std::uint16_t pc, std::uint64_t times, std::uint64_t limit, bool recorded = false);

  // Translates what is executed often; level: of host instructions, the best one if empty; patience: how often a block
  // is entered before it is translated, which takes as long as a hundred of its turns. False where the host has none.
  static constexpr unsigned kPatience = 16;
  bool translate(std::string_view level = {}, unsigned patience = kPatience);
  void interpret_only();
  std::vector<std::string> table_contents() const;
  std::string_view level() const;  // empty: all is interpreted

  // One instruction, cycle-exact, with its record. False when the machine is not running.
  bool step(Retire& record);

  // The whole machine at one time; for program memory, the words.
  struct Saved {
    MachineState state;
    Tables tables;
    std::vector<std::uint64_t> program;
  };
  Saved save() const;
  void restore(const Saved& saved);

  CoreState state() const { return state_; }
  Trap trap() const { return trap_; }
  // The next instruction; if not running, the one that stopped the machine.
  std::uint16_t pc() const { return state_ == CoreState::Running ? pc_ : stop_pc_; }
  std::uint8_t notified() const { return notify_; }
  std::uint64_t cycles() const { return timing_.cycles(); }
  std::uint64_t instructions() const { return wrapped(instructions_, kPerfBits); }
  std::array<std::uint64_t, kStallCauses> stalls() const { return timing_.stalls(); }
  // Adds to the counts since start, to test counters near their wrap.
  void add_counts(const Counts& more);

  Registers registers() const;
  // Sets all registers; what they cannot have stays as it is: a width that is none, entries beyond a stack, where to
  // resume a machine that does not wait.
  void set_registers(const Registers& r);
  Vec vector(VecCode code) const { return to_vec(vectors_[static_cast<std::size_t>(code)]); }
  std::uint16_t address_register(int n) const { return ar_.at(static_cast<std::size_t>(n)); }
  bool flag() const { return flag_; }
  bool closed() const { return closed_; }
  const Config& config() const { return config_; }

 private:
  template <bool Timed, bool Recorded>
  struct Mode {
    static constexpr bool timed = Timed, recorded = Recorded;
  };
  friend struct Execute;
  friend struct ExecuteCommon;
  friend struct ExecuteControl;
  friend struct ExecuteVector;
  friend struct Translated;
  friend class Translator;
  using Handler = void (*)(Machine&, const Decoded&);

  void begin_with(const Registers& r);
  void zero();
  // Whether the host has no part in a space now.
  bool hidden(Space space) const { return state_ == CoreState::Locked || (closed_ && space != Space::Program); }
  // Bytes at the beginning of a space that the host never reads.
  std::size_t key_bytes(Space space) const {
    return space == Space::Mem0 ? static_cast<std::size_t>(config_.key_rows) * kVectorBytes : 0;
  }
  // A machine that has met a fault is wiped, once its last record is made.
  void leave() {
    if (state_ == CoreState::Faulted && config_.wipe) zero();
  }
  bool step_on(Retire& record);
  std::uint64_t run_on(std::uint64_t limit);
  template <class M>
  std::uint64_t loop(std::uint64_t limit);
  template <class M>
  void interpret();
  // The same where there may be faults in memories.
  template <class M>
  void interpret_struck();
  void reach_memory(std::uint64_t cycle, Space space);
  void reach_memories(std::uint64_t cycle);
  void written(Space space, std::size_t offset, std::size_t length);
  void written_in_wb(Space space, std::size_t offset, std::size_t length);
  // What the instruction reads at a cycle; whether a check fails.
  void reads(std::uint64_t cycle, std::size_t block, std::size_t at);
  void check_rows(Space space, std::size_t offset, std::span<std::uint8_t> bytes);
  static void watch(Machine* machine);
  static Value look_up_watched(Value x, const Bank* bank, const Compact*);
  // Executes an instruction without counting cycles.
  static Handler functional(Op op);
  template <class Go>
  std::uint64_t steps(const Go& go);
  void tables_changed();
  std::uint8_t* memory(std::size_t block) { return memory_.data() + block * memory_bytes_; }

  Config config_;
  std::size_t memory_bytes_;
  std::vector<Decoded> program_;
  std::unique_ptr<Tables> tables_;
  Retire* record_ = nullptr;
  bool row_wrong_ = false, entry_wrong_ = false;  // of the instruction, where there may be faults
  // Shared with translated code: where it has returned, what the tables hold, and the cycle at which it must return.
  std::unique_ptr<Translator> translator_;
  Returned returned_{};
  const Compacts* compacts_ = &kUnknown;
  std::array<fn::Lookup, kTableBanks> lookups_{fn::look_up, fn::look_up};
  std::uint64_t translated_limit_ = 0;
};

}  // namespace lutra
