// Host access to the core in bytes, on top of its port's rows, and control.
#include "rtl_machine.hpp"

#include <algorithm>

namespace lutra {

namespace {

std::size_t row_bytes(Space space) { return space == Space::Program ? sizeof(std::uint64_t) : kVectorBytes; }

// The part of an access in one row: `length` bytes from `at` on in the row, from `from` on in the access.
struct Part {
  std::size_t row, at, from, length;
};

std::vector<Part> parts(Space space, std::size_t offset, std::size_t length) {
  const std::size_t width = row_bytes(space);
  std::vector<Part> out;
  for (std::size_t from = 0; from < length; from += out.back().length) {
    const std::size_t at = (offset + from) % width;
    out.push_back({(offset + from) / width, at, from, std::min(width - at, length - from)});
  }
  return out;
}

}  // namespace

void RtlMachine::reset() {
  for (const auto& observer : observers_) observer->reset(state());
  core_->reset();
}

void RtlMachine::inject(const Fault& fault) {
  check_fault(fault, kCoreContexts, kCoreShadowWords, kCoreProtect, of_memory(fault) ? size(space_of(fault)) : 0);
  if (state() == CoreState::Running && fault.cycle <= cycles()) throw HostError("this cycle has passed");
  core_->inject(fault);
}

void RtlMachine::clear_alert() {
  if (state() != CoreState::Faulted) throw HostError("the machine is not faulted");
  core_->clear_alert();
}

void RtlMachine::wipe() {
  if (!kCoreWipe) throw HostError("this core has no wipe");
  if (state() == CoreState::Running) throw HostError("a program runs; it is wiped when that has stopped");
  if (state() == CoreState::Locked) throw HostError("the machine is locked; reset it");
  for (const auto& observer : observers_) observer->wiped(state(), false);
  core_->wipe();
}

void RtlMachine::escalate() {
  if (!kCoreWipe) throw HostError("this core has no wipe");
  for (const auto& observer : observers_) observer->wiped(state(), true);
  core_->escalate();
}

void RtlMachine::start(std::uint16_t pc) {
  if (state() == CoreState::Faulted) throw HostError("the machine is faulted: clear its alert first");
  if (state() == CoreState::Locked) throw HostError("the machine is locked: reset it");
  const CoreState before = state();
  core_->start(pc);
  if (state() != CoreState::Running)
    throw HostError("the core does not start: a program has left its memories closed; wipe them");
  for (const auto& observer : observers_) observer->start(before);
}

void RtlMachine::resume() {
  if (state() != CoreState::Waiting) throw HostError("the machine is not waiting");
  for (const auto& observer : observers_) observer->resume();
  core_->resume();
}

Vec RtlMachine::read_row(Space space, std::size_t row) {
  const auto at = static_cast<std::uint16_t>(row);
  if (space != Space::Program) return core_->read_row(space, at);
  const std::uint64_t word = core_->read_program(at);
  Vec v{};
  for (std::size_t i = 0; i < sizeof word; ++i) v[i] = static_cast<std::uint8_t>(word >> (8 * i));
  return v;
}

void RtlMachine::write_row(Space space, std::size_t row, const Vec& value) {
  const auto at = static_cast<std::uint16_t>(row);
  if (space != Space::Program) return core_->write_row(space, at, value);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < sizeof word; ++i) word |= std::uint64_t{value[i]} << (8 * i);
  core_->write_program(at, word);
}

// Rows that are covered only in part keep their other bytes.
void RtlMachine::write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  check_access(size(space), offset, bytes.size());
  for (const Part& part : parts(space, offset, bytes.size())) {
    const bool whole = part.length == row_bytes(space);
    const auto piece = bytes.subspan(part.from, part.length);
    if (space == Space::BankBoth && !whole) {  // the banks' other bytes need not agree
      write(Space::Bank0, offset + part.from, piece);
      write(Space::Bank1, offset + part.from, piece);
      continue;
    }
    Vec row = whole ? Vec{} : read_row(space, part.row);
    std::copy(piece.begin(), piece.end(), row.begin() + static_cast<std::ptrdiff_t>(part.at));
    write_row(space, part.row, row);
  }
}

std::vector<std::uint8_t> RtlMachine::read(Space space, std::size_t offset, std::size_t length) {
  check_access(size(space), offset, length);
  std::vector<std::uint8_t> bytes(length);
  for (const Part& part : parts(space, offset, length)) {
    const Vec row = read_row(space, part.row);
    std::copy_n(row.begin() + static_cast<std::ptrdiff_t>(part.at), part.length,
                bytes.begin() + static_cast<std::ptrdiff_t>(part.from));
  }
  return bytes;
}

// Reading both banks at once, which can only be written, gives zeros.
std::vector<std::uint8_t> RtlMachine::contents(Space space, std::size_t offset, std::size_t length) const {
  check_access(size(space), offset, length);
  std::vector<std::uint8_t> bytes(length);
  const auto code = static_cast<std::size_t>(space);
  const auto copy = [&](const Memories::Lanes& lanes) {
    for (std::size_t i = 0; i < length; ++i) bytes[i] = lanes[(offset + i) % kVectorBytes][(offset + i) / kVectorBytes];
  };
  const Memories& m = memories();
  for (std::size_t b = 0; b < m.blocks.size(); ++b)
    if (kSpaceBlocks[code] == 1 << b) copy(m.blocks[b]);
  for (std::size_t t = 0; t < m.banks.size(); ++t)
    if (kSpaceBanks[code] == 1 << t) copy(m.banks[t]);
  if (space == Space::Program)
    for (std::size_t i = 0; i < length; ++i)
      bytes[i] = static_cast<std::uint8_t>(m.program[(offset + i) / kInsnBytes] >> (8 * ((offset + i) % kInsnBytes)));
  return bytes;
}

bool RtlMachine::clock(Retire& record) {
  const bool retired = core_->clock(record);
  for (const auto& observer : observers_) {
    if (retired) observer->retired(record);
    observer->clocked();
  }
  return retired;
}

bool RtlMachine::step(Retire& record) {
  while (state() == CoreState::Running)
    if (clock(record)) return true;
  return false;
}

std::uint64_t RtlMachine::run(std::uint64_t limit) {
  Retire record;
  std::uint64_t retired = 0;
  while (state() == CoreState::Running && cycles() < limit) retired += clock(record);
  return retired;
}

}  // namespace lutra
