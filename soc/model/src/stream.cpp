#include "stream.hpp"

#include <algorithm>
#include <utility>

namespace lutra::soc {
namespace {

// Codes of `notify`.
constexpr std::uint8_t kDone = 1, kKey = 3;
// From a start of the core to its first instruction.
constexpr std::uint64_t kStart = 4;
// More than the jobs in m2 take.
constexpr std::uint64_t kStop = 1 << 16;

}  // namespace

Stream::Stream(bool exact, bool wipe) : machine_({.wipe = wipe}), exact_(exact) {
  if (!exact) machine_.translate();
}

bool Stream::fits(std::uint32_t rows_in, std::uint32_t rows_out) const {
  if (!exact_ && !jobs_.empty()) return false;
  // One row more: the zero in place of the next header.
  return used_in_ + rows_in + 1 <= kRows && used_out_ + rows_out <= kRows;
}

void Stream::write(std::uint32_t row, const Row& value) { machine_.write(Space::Mem2, row % kRows * kRow, value); }

void Stream::place(const Job& job, const std::vector<Row>& rows) {
  const auto count = static_cast<std::uint32_t>(rows.size());
  for (std::uint32_t i = 1; i < count; ++i) write(in_ + i, rows[i]);
  write(in_ + count, Row{});
  write(in_, rows[0]);
  in_ = (in_ + count) % kRows;
  used_in_ += count;
  used_out_ += job.rows_out;
  if (!job.between) last_operation_ = job.operation;
  last_sets_key_ = job.sets_key;
  jobs_.push_back(job);
}

// A routine that is translated is not watched: whether it has notified is seen at its end.
void Stream::forget_notify() {
  Registers registers = machine_.registers();
  registers.notify = 0;
  machine_.set_registers(registers);
}

void Stream::spend(std::uint64_t cycles, std::uint64_t& budget, std::uint64_t& used) {
  budget -= std::min(budget, cycles);
  used += cycles;
  job_cycles_ += cycles;
}

// To the next event of the running core.
std::optional<Event> Stream::advance(std::uint64_t& budget, std::uint64_t limit, std::uint64_t& used) {
  bool notified = false;
  if (exact_) {
    Retire record;
    machine_.step(record);
    notified = record.notify_en;
  } else {
    const std::uint64_t left = limit == 0 ? budget : std::min(budget, limit - std::min(limit, job_cycles_) + 1);
    machine_.run(counted_ + left);
    notified = machine_.state() == CoreState::Halted && machine_.notified() != 0;
  }
  spend(machine_.cycles() - counted_, budget, used);
  counted_ = machine_.cycles();
  if (machine_.state() == CoreState::Trapped) return Event::Trap;
  if (machine_.state() == CoreState::Faulted) return Event::Fault;
  if (!notified || resetting_) return std::nullopt;
  if (machine_.notified() == kKey) {
    taken_ = true;
    return std::nullopt;
  }
  ends_key_ = std::exchange(taken_, false);
  return machine_.notified() == kDone ? Event::Done : Event::Mismatch;
}

Event Stream::run(std::uint64_t& budget, std::uint64_t limit, std::uint16_t reset_entry, std::uint64_t& used) {
  if (std::exchange(ends_key_, false)) return Event::Done;
  while (budget > 0) {
    const bool begins = reset_ && !resetting_;
    const bool closed = machine_.closed() && machine_.state() != CoreState::Running;
    if (closed || (machine_.state() == CoreState::Waiting && !begins)) {
      // Nobody resumes or wipes it.
      spend(limit == 0 ? budget : std::min(budget, limit), budget, used);
    } else if (machine_.state() != CoreState::Running) {
      if (resetting_) resetting_ = reset_ = false;
      resetting_ = reset_;
      if (!exact_) forget_notify();
      machine_.start(reset_ ? reset_entry : jobs_.front().entry);
      counted_ = 0;
      spend(kStart, budget, used);
    } else if (const auto event = advance(budget, limit, used)) {
      return *event;
    }
    if (limit != 0 && job_cycles_ > limit) {
      machine_.reset();
      return Event::Timeout;
    }
  }
  return Event::Budget;
}

void Stream::settle(std::uint64_t& budget) {
  std::uint64_t used = 0;
  while (budget > 0 && machine_.state() == CoreState::Running) advance(budget, 0, used);
  job_cycles_ = 0;
}

void Stream::stop() {
  std::uint64_t most = kStop;
  settle(most);
  if (machine_.state() == CoreState::Running) machine_.reset();
}

std::vector<Row> Stream::take() {
  const Job job = jobs_.front();
  std::vector<Row> rows(job.rows_out);
  const auto memory = machine_.contents(Space::Mem3);
  for (Row& row : rows) {
    // Closed memories read as zeros.
    if (!machine_.closed()) std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(out_ * kRow), kRow, row.begin());
    out_ = (out_ + 1) % kRows;
  }
  used_in_ -= job.rows_in;
  used_out_ -= job.rows_out;
  job_cycles_ = 0;
  jobs_.pop_front();
  return rows;
}

void Stream::forget() {
  jobs_.clear();
  in_ = out_ = used_in_ = used_out_ = 0;
  last_operation_.reset();
  reset_ = true;
  resetting_ = taken_ = ends_key_ = false;
  counted_ = job_cycles_ = 0;
}

}  // namespace lutra::soc
