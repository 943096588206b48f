// The core with its stream of jobs: m2 as the circular buffer of inputs, m3 of outputs.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "machine.hpp"
#include "message.hpp"

namespace lutra::soc {

using Row = std::array<std::uint8_t, kRow>;

// A chunk of a message in the stream.
struct Job {
  Message* message;
  std::uint32_t operation;
  std::uint16_t entry;
  std::uint32_t rows_in, rows_out;
  std::uint32_t text, tag;  // bytes of its output: of text, then of the tag in a row of its own
  std::uint64_t ready;      // when it is in m2
  bool sets_key, between;   // between: a saved key, for the routine of the job before it
};

// Why `run` came back.
enum class Event { Budget, Done, Mismatch, Trap, Fault, Timeout };

class Stream {
 public:
  static constexpr std::uint32_t kRows = kMemoryRows;
  static constexpr std::uint32_t kChunkRows = LUTRA_AXI__CAPABILITIES__CHUNK_ROWS_reset;
  static constexpr std::uint32_t kLongRows = LUTRA_AXI__CHUNKS__LONG_ROWS_reset;

  // exact: instruction by instruction, several jobs at a time, so that routines go from job to job. Otherwise one job
  // at a time, translated. wipe: the core has one.
  Stream(bool exact, bool wipe);

  Machine& machine() { return machine_; }
  const Machine& machine() const { return machine_; }
  bool empty() const { return jobs_.empty(); }
  const std::deque<Job>& jobs() const { return jobs_; }
  bool fits(std::uint32_t rows_in, std::uint32_t rows_out) const;
  // Whether the job before it has this operation.
  bool continues(std::uint32_t operation) const { return last_operation_ == operation; }
  // Whether the routine of the job before it restores a saved key.
  bool goes_on() const { return last_operation_.has_value() && !last_sets_key_; }

  // The rows of a job, the header first.
  void place(const Job& job, const std::vector<Row>& rows);
  // Runs the oldest job; takes the cycles from the budget and adds them to `used`. limit: of the watchdog, or 0.
  Event run(std::uint64_t& budget, std::uint64_t limit, std::uint16_t reset_entry, std::uint64_t& used);
  // After the last job, to the halt of its routine.
  void settle(std::uint64_t& budget);
  // To the halt of the routine, whatever it still does; a routine without end is reset.
  void stop();
  // The rows of the oldest job's output; the job leaves the stream.
  std::vector<Row> take();
  // Nothing is in the stream any more, and its reset comes before the next job.
  void forget();

 private:
  void write(std::uint32_t row, const Row& value);
  std::optional<Event> advance(std::uint64_t& budget, std::uint64_t limit, std::uint64_t& used);
  void forget_notify();
  void spend(std::uint64_t cycles, std::uint64_t& budget, std::uint64_t& used);

  Machine machine_;
  bool exact_;
  std::deque<Job> jobs_;
  std::uint32_t in_ = 0, out_ = 0;  // next rows
  std::uint32_t used_in_ = 0, used_out_ = 0;
  std::optional<std::uint32_t> last_operation_;
  bool last_sets_key_ = false;
  // A key is restored, whose job ends after the one before it; that one has ended.
  bool taken_ = false, ends_key_ = false;
  bool reset_ = true, resetting_ = false;
  std::uint64_t counted_ = 0;     // cycles of this start that are accounted for
  std::uint64_t job_cycles_ = 0;  // since the oldest job is the oldest
};

}  // namespace lutra::soc
