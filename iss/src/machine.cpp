// State, host access and control of the simulated machine.
#include "machine.hpp"

#include <algorithm>

#include "translate/translator.hpp"

namespace lutra {

Machine::Machine(const Config& config)
    : MachineState(config.rounds),
      config_(config),
      memory_bytes_(static_cast<std::size_t>(config.memory_rows) * kVectorBytes) {
  if (config.rounds != 1 && config.rounds != 2) throw HostError("rounds per instruction must be 1 or 2");
  if (config.contexts != 1 && config.contexts != 2) throw HostError("stream contexts must be 1 or 2");
  if (config.shadow_words < 0 || config.shadow_words > static_cast<int>(kLfsrWords))
    throw HostError("shadow words must be from 0 to " + std::to_string(kLfsrWords));
  if (config.key_rows < 0 || config.key_rows > config.memory_rows)
    throw HostError("key rows must be rows of a data memory");
  if (config.loop_depth > kLoopDepth || config.call_depth > kCallDepth)
    throw HostError("loops and calls may be at most as deep as the configuration has them");
  program_.assign(static_cast<std::size_t>(config.program_words), decode(0, config.rounds, config.contexts));
  memory_.assign(kMemoryBlocks * memory_bytes_, 0);
  tables_ = std::make_unique<Tables>();
}

Machine::~Machine() = default;

void Machine::tables_changed() {
  lookups_.fill(fn::look_up);
  if (translator_) translator_->tables_changed();
}

bool Machine::translate(std::string_view level, unsigned patience) {
  interpret_only();
  translator_ = Translator::make(level, patience);
  return translator_ != nullptr;
}

void Machine::interpret_only() {
  compacts_ = &kUnknown;
  lookups_.fill(fn::look_up);
  translator_.reset();
}

std::string_view Machine::level() const { return translator_ ? translator_->level() : std::string_view{}; }

std::vector<std::string> Machine::table_contents() const {
  std::vector<std::string> names;
  if (translator_)
    for (const Compact& c : translator_->compacts()) names.emplace_back(name_of(c.contents));
  return names;
}

void Machine::reset() {
  for (const auto& observer : observers_) observer->reset(state_);
  state_ = CoreState::Idle;
  trap_ = Trap::None;
  if (config_.wipe) return zero();
  Registers r = registers();
  each_reset([&r]<auto Field>() { r.*Field = {}; });
  begin_with(r);
  // A context and its shadow begin as the same.
  if (config_.shadow_words) contexts_ = {};
}

// Registers as a reset or a wipe leaves them; nothing of a run is left.
void Machine::begin_with(const Registers& r) {
  set_registers(r);
  faults_.clear();
  closed_ = false;
  counter_bytes_ = kCounterBytes[0];
  pc_ = stop_pc_ = 0;
  instructions_ = 0;
  timing_ = Timing(config_.rounds);
}

void Machine::zero() {
  std::fill(memory_.begin(), memory_.end(), std::uint8_t{0});
  *tables_ = {};
  tables_changed();
  faults_.wiped();
  begin_with({});
}

void Machine::wipe() {
  if (!config_.wipe) throw HostError("this core has no wipe");
  if (state_ == CoreState::Running) throw HostError("a program runs; it is wiped when that has stopped");
  if (state_ == CoreState::Locked) throw HostError("the machine is locked; reset it");
  for (const auto& observer : observers_) observer->wiped(state_, false);
  zero();
  if (state_ == CoreState::Faulted) return;
  state_ = CoreState::Idle;
  trap_ = Trap::None;
}

void Machine::escalate() {
  if (!config_.wipe) throw HostError("this core has no wipe");
  for (const auto& observer : observers_) observer->wiped(state_, true);
  zero();
  state_ = CoreState::Locked;
  trap_ = Trap::None;
}

void Machine::write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  check_access(size(space), offset, bytes.size());
  if (!hidden(space)) poke(space, offset, bytes);
}

void Machine::poke(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  check_access(size(space), offset, bytes.size());
  if (bytes.empty()) return;
  if (faults_.any()) written(space, offset, bytes.size());
  if (space == Space::Program) {
    if (translator_) translator_->program_changed();
    std::size_t at = offset;
    for (const std::uint8_t& byte : bytes) {
      const Decoded& old = program_[at / kInsnBytes];
      const unsigned shift = 8 * (at % kInsnBytes);
      const std::uint64_t word = (old.word & ~(std::uint64_t{0xff} << shift)) | std::uint64_t{byte} << shift;
      // Decodes each word once, when its last byte arrives.
      program_[at / kInsnBytes].word = word;
      if (at % kInsnBytes == kInsnBytes - 1 || &byte == &bytes.back())
        program_[at / kInsnBytes] = decode(word, config_.rounds, config_.contexts);
      ++at;
    }
    return;
  }
  const auto code = static_cast<std::size_t>(space);
  // The host cannot read the other bytes of a key row, to write them again.
  if (const auto keys = key_bytes(space)) {
    const std::size_t first = offset / kVectorBytes * kVectorBytes;
    const std::size_t last = (offset + bytes.size() + kVectorBytes - 1) / kVectorBytes * kVectorBytes;
    if (first < keys) std::fill(memory(0) + first, memory(0) + offset, std::uint8_t{0});
    if (last <= keys) std::fill(memory(0) + offset + bytes.size(), memory(0) + last, std::uint8_t{0});
  }
  for (std::size_t b = 0; b < kMemoryBlocks; ++b)
    if ((kSpaceBlocks[code] >> b) & 1)
      std::copy(bytes.begin(), bytes.end(), memory(b) + static_cast<std::ptrdiff_t>(offset));
  if (kSpaceBanks[code]) tables_changed();
  for (std::size_t t = 0; t < kTableBanks; ++t)
    if ((kSpaceBanks[code] >> t) & 1)
      std::copy(bytes.begin(), bytes.end(), (*tables_)[t].begin() + static_cast<std::ptrdiff_t>(offset));
}

std::vector<std::uint8_t> Machine::read(Space space, std::size_t offset, std::size_t length) {
  auto bytes = peek(space, offset, length);
  const std::size_t unseen = hidden(space) ? size(space) : key_bytes(space);
  const std::size_t zeros = offset < unseen ? std::min(length, unseen - offset) : 0;
  std::fill_n(bytes.begin(), zeros, std::uint8_t{0});
  // The core reads nothing of what the host may not see, so nothing is checked.
  if (faults_.any() && config_.protect) check_rows(space, offset + zeros, std::span(bytes).subspan(zeros));
  return bytes;
}

std::vector<std::uint8_t> Machine::peek(Space space, std::size_t offset, std::size_t length) const {
  check_access(size(space), offset, length);
  std::vector<std::uint8_t> bytes(length);
  if (space == Space::Program) {
    for (std::size_t i = 0; i < length; ++i)
      bytes[i] =
          static_cast<std::uint8_t>(program_[(offset + i) / kInsnBytes].word >> (8 * ((offset + i) % kInsnBytes)));
    return bytes;
  }
  const auto all = contents(space);
  if (!all.empty()) std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(offset), length, bytes.begin());
  return bytes;
}

// Empty for program memory, and for both banks together, which are write-only.
std::span<const std::uint8_t> Machine::contents(Space space) const {
  const auto code = static_cast<std::size_t>(space);
  for (std::size_t b = 0; b < kMemoryBlocks; ++b)
    if (kSpaceBlocks[code] == 1 << b) return {memory_.data() + b * memory_bytes_, memory_bytes_};
  for (std::size_t t = 0; t < kTableBanks; ++t)
    if (kSpaceBanks[code] == 1 << t) return (*tables_)[t];
  return {};
}

Registers Machine::registers() const {
  Registers r;
  for (std::size_t i = 0; i < r.v.size(); ++i) r.v[i] = to_vec(vectors_[i]);
  r.ctr = vector(VecCode::CTR);
  r.ctr_width = static_cast<std::uint8_t>(8 * counter_bytes_);
  r.wk = vector(VecCode::WK);
  r.hold = vector(VecCode::HOLD);
  r.ar = ar_;
  r.step = step_;
  r.window_start = window_start_;
  r.window_end = window_end_;
  r.flag = flag_;
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    const auto row = [&context = contexts_[i]](StreamRow n) {
      return to_vec(fn::context_row(context, static_cast<unsigned>(n)));
    };
    r.context_lfsr0[i] = row(StreamRow::Lfsr0);
    r.context_lfsr1[i] = row(StreamRow::Lfsr1);
    r.context_lfsr2[i] = row(StreamRow::Lfsr2);
    r.context_lfsr3[i] = row(StreamRow::Lfsr3);
    r.context_registers[i] = row(StreamRow::Registers);
    r.context_buffer[i] = row(StreamRow::Buffer);
  }
  r.gh = to_vec(hash_.gh);
  r.gx = to_vec(hash_.gx);
  r.gy = to_vec(hash_.gy);
  r.gt = hash_.gt;
  r.gu = hash_.gu;
  r.loops = static_cast<std::uint8_t>(loops_.size());
  for (std::size_t i = 0; i < std::min(loops_.size(), r.loop_start.size()); ++i) {
    const Loop& loop = loops_[loops_.size() - 1 - i];
    r.loop_start[i] = loop.start;
    r.loop_end[i] = loop.end;
    r.loop_remaining[i] = loop.remaining;
  }
  r.calls = static_cast<std::uint8_t>(calls_.size());
  for (std::size_t i = 0; i < std::min(calls_.size(), r.call_return.size()); ++i)
    r.call_return[i] = calls_[calls_.size() - 1 - i];
  r.notify = notify_;
  r.resume = state_ == CoreState::Waiting ? pc_ : std::uint16_t{0};
  return r;
}

void Machine::set_registers(const Registers& r) {
  const auto set = [this](VecCode code, const Vec& value) {
    vectors_[static_cast<std::size_t>(code)] = load(value.data());
  };
  for (std::size_t i = 0; i < r.v.size(); ++i) vectors_[i] = load(r.v[i].data());
  set(VecCode::CTR, r.ctr);
  set(VecCode::WK, r.wk);
  set(VecCode::HOLD, r.hold);
  if (std::find(kCounterBytes.begin(), kCounterBytes.end(), r.ctr_width / 8) != kCounterBytes.end())
    counter_bytes_ = r.ctr_width / 8;
  ar_ = r.ar;
  step_ = r.step;
  window_start_ = r.window_start;
  window_end_ = r.window_end;
  flag_ = r.flag;
  for (unsigned i = 0; i < contexts_.size(); ++i) {
    const auto row = [this, i](StreamRow n, const Vec& value) {
      fn::context_load(load(value.data()), *tables_,
                       {.contexts = contexts_.data(), .shown = i, .n = static_cast<unsigned>(n)});
    };
    row(StreamRow::Lfsr0, r.context_lfsr0[i]);
    row(StreamRow::Lfsr1, r.context_lfsr1[i]);
    row(StreamRow::Lfsr2, r.context_lfsr2[i]);
    row(StreamRow::Lfsr3, r.context_lfsr3[i]);
    row(StreamRow::Registers, r.context_registers[i]);
    row(StreamRow::Buffer, r.context_buffer[i]);
  }
  hash_ = {load(r.gh.data()), load(r.gx.data()), load(r.gy.data()), r.gt, r.gu};
  if (r.loops <= config_.loop_depth) loops_.resize(r.loops);
  for (std::size_t i = 0; i < loops_.size(); ++i)
    loops_[loops_.size() - 1 - i] = {r.loop_start[i], r.loop_end[i], r.loop_remaining[i]};
  if (r.calls <= config_.call_depth) calls_.resize(r.calls);
  for (std::size_t i = 0; i < calls_.size(); ++i) calls_[calls_.size() - 1 - i] = r.call_return[i];
  notify_ = r.notify;
  if (state_ == CoreState::Waiting) pc_ = r.resume;
}

Machine::Saved Machine::save() const {
  std::vector<std::uint64_t> words(program_.size());
  std::transform(program_.begin(), program_.end(), words.begin(), [](const Decoded& d) { return d.word; });
  return {*this, *tables_, std::move(words)};
}

void Machine::restore(const Saved& saved) {
  static_cast<MachineState&>(*this) = saved.state;
  *tables_ = saved.tables;
  bool changed = false;
  for (std::size_t i = 0; i < program_.size(); ++i) {
    if (program_[i].word == saved.program[i]) continue;
    program_[i] = decode(saved.program[i], config_.rounds, config_.contexts);
    changed = true;
  }
  tables_changed();
  if (translator_ && changed) translator_->program_changed();
}

void Machine::inject(const Fault& fault) {
  const std::size_t bytes = of_memory(fault) ? size(space_of(fault)) : 0;
  check_fault(fault, static_cast<unsigned>(config_.contexts), static_cast<unsigned>(config_.shadow_words),
              config_.protect, bytes);
  if (state_ == CoreState::Running && fault.cycle <= cycles()) throw HostError("this cycle has passed");
  faults_.add(fault);
}

void Machine::reach_memory(std::uint64_t cycle, Space space) {
  faults_.reach_memory(cycle, space, [this](Space of, std::size_t at, std::uint64_t mask) {
    const auto code = static_cast<std::size_t>(of);
    if (of == Space::Program) {
      program_[at] = decode(program_[at].word ^ mask, config_.rounds, config_.contexts);
      if (translator_) translator_->program_changed();
    }
    for (std::size_t b = 0; b < kMemoryBlocks; ++b)
      if (kSpaceBlocks[code] == 1 << b) memory(b)[at] ^= static_cast<std::uint8_t>(mask);
    for (std::size_t t = 0; t < kTableBanks; ++t)
      if (kSpaceBanks[code] == 1 << t) (*tables_)[t][at] ^= static_cast<std::uint8_t>(mask);
  });
}

void Machine::reach_memories(std::uint64_t cycle) {
  for (std::size_t space = 0; space < kSpaceBlocks.size(); ++space) reach_memory(cycle, static_cast<Space>(space));
}

void Machine::written(Space space, std::size_t offset, std::size_t length) {
  const auto code = static_cast<std::size_t>(space);
  for (std::size_t of = 0; of < kSpaceBlocks.size(); ++of) {
    const bool same = of == code || (kSpaceBlocks[of] & kSpaceBlocks[code]) || (kSpaceBanks[of] & kSpaceBanks[code]);
    const std::size_t width = space == Space::Program ? kInsnBytes : 1;
    for (std::size_t i = 0; same && i < length; ++i) faults_.written(static_cast<Space>(of), (offset + i) / width);
  }
}

// By the instruction at hand, whose reads may be later than those of the next one.
void Machine::written_in_wb(Space space, std::size_t offset, std::size_t length) {
  const auto code = static_cast<std::size_t>(space);
  for (std::size_t of = 0; of < kSpaceBlocks.size(); ++of)
    if ((kSpaceBlocks[of] & kSpaceBlocks[code]) || (kSpaceBanks[of] & kSpaceBanks[code]))
      reach_memory(timing_.in_wb(), static_cast<Space>(of));
  written(space, offset, length);
}

void Machine::reads(std::uint64_t cycle, std::size_t block, std::size_t at) {
  for (std::size_t space = 0; space < kSpaceBlocks.size(); ++space) {
    if (kSpaceBlocks[space] != 1 << block) continue;
    reach_memory(cycle, static_cast<Space>(space));
    for (std::size_t i = 0; i < kVectorBytes; ++i) row_wrong_ |= faults_.wrong(static_cast<Space>(space), at + i);
  }
}

// What the host reads, row by row.
void Machine::check_rows(Space space, std::size_t offset, std::span<std::uint8_t> bytes) {
  const std::size_t width = space == Space::Program ? kInsnBytes : kVectorBytes;
  const std::size_t places = space == Space::Program ? 1 : kVectorBytes;
  for (std::size_t row = offset / width; row * width < offset + bytes.size(); ++row) {
    bool wrong = false;
    for (std::size_t i = 0; i < places; ++i) wrong |= faults_.wrong(space, row * places + i);
    if (!wrong) continue;
    for (std::size_t i = std::max(offset, row * width); i < std::min(offset + bytes.size(), (row + 1) * width); ++i)
      bytes[i - offset] = 0;
    state_ = CoreState::Faulted;
    trap_ = Trap::MemoryFault;
    contexts_ = {};
    faults_.clear();
    leave();
    // Rows after it are read of a machine that has been wiped.
    if (config_.wipe && space != Space::Program)
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), (row + 1) * width - offset)),
                bytes.end(), std::uint8_t{0});
    return;
  }
}

// The machine whose look-ups are watched: the handlers give no more than the bank.
thread_local Machine* watched = nullptr;
void Machine::watch(Machine* machine) { watched = machine; }

Value Machine::look_up_watched(Value x, const Bank* bank, const Compact*) {
  const auto number = static_cast<std::size_t>(bank - watched->tables_->data());
  for (std::size_t space = 0; space < kSpaceBanks.size(); ++space) {
    if (kSpaceBanks[space] != 1 << number) continue;
    for (std::size_t i = 0; i < kVectorBytes; ++i)
      watched->entry_wrong_ |= watched->faults_.wrong(static_cast<Space>(space), kVectorBytes * x[i] + i);
  }
  return fn::look_up(x, bank, nullptr);
}

void Machine::clear_alert() {
  if (state_ != CoreState::Faulted) throw HostError("the machine is not faulted");
  state_ = CoreState::Idle;
}

void Machine::start(std::uint16_t pc) {
  if (state_ == CoreState::Faulted) throw HostError("the machine is faulted: clear its alert first");
  if (state_ == CoreState::Locked) throw HostError("the machine is locked: reset it");
  if (closed_ && state_ != CoreState::Running) throw HostError("a program has left its memories closed: wipe them");
  for (const auto& observer : observers_) observer->start(state_);
  loops_.clear();
  calls_.clear();
  instructions_ = 0;
  trap_ = Trap::None;
  pc_ = pc;
  state_ = CoreState::Running;
  timing_.start();
}

void Machine::add_counts(const Counts& more) {
  instructions_ += more.instructions;
  timing_.add(more.cycles, more.stalls);
}

void Machine::resume() {
  if (state_ != CoreState::Waiting) throw HostError("the machine is not waiting");
  for (const auto& observer : observers_) observer->resume();
  state_ = CoreState::Running;
  timing_.resume();
}

}  // namespace lutra
