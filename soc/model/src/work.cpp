// What the device does for a message: chunks into the stream, output from it, raw operations.
#include <algorithm>

#include "device.hpp"

namespace lutra::soc {
namespace {

constexpr std::uint32_t kRowBytes = kRow;
std::uint32_t rows_of(std::uint32_t bytes) { return (bytes + kRowBytes - 1) / kRowBytes; }

// Lanes of a header, 16 bits each, big-endian.
// Kinds of the next job, see lutra_job.sv.
enum More : std::uint32_t { kMorePacket = 1, kMoreNoAad, kMoreKey, kMoreJob };
enum Lane { Last, First, Mask, AadRows, More, Key, TextBytes, TextBlocks, Lanes };
Row header(const std::array<std::uint32_t, Lanes>& lanes) {
  Row row;
  for (std::size_t i = 0; i < Lanes; ++i) {
    row[2 * i] = static_cast<std::uint8_t>(lanes[i] >> 8);
    row[2 * i + 1] = static_cast<std::uint8_t>(lanes[i]);
  }
  return row;
}

// Bits of associated data and of text, 64 bits each, big-endian.
Row lengths(std::uint64_t aad, std::uint64_t text) {
  Row row;
  for (unsigned i = 0; i < 8; ++i) {
    row[i] = static_cast<std::uint8_t>(8 * aad >> 8 * (7 - i));
    row[8 + i] = static_cast<std::uint8_t>(8 * text >> 8 * (7 - i));
  }
  return row;
}

// The next `bytes` of a string as rows, the last one padded.
void append(std::vector<Row>& rows, Message& m, String& from, std::uint32_t bytes) {
  for (std::uint32_t at = 0; at < bytes; at += kRowBytes) {
    Row row{};
    m.fail(from.read({row.data(), std::min(kRowBytes, bytes - at)}));
    rows.push_back(row);
  }
}
Row row_at(const std::uint8_t* bytes) {
  Row row;
  std::copy_n(bytes, row.size(), row.begin());
  return row;
}

}  // namespace

bool Device::place(Message& m) {
  const Operation& op = m.operation;
  const std::uint64_t text_rows = std::uint64_t{m.text_left / kRowBytes} + (m.text_left % kRowBytes != 0);
  const std::uint64_t left = text_rows + rows_of(m.aad_left);
  const std::uint32_t most = left <= Stream::kChunkRows ? Stream::kChunkRows : Stream::kLongRows;
  const std::uint32_t aad = std::min(m.aad_left, most * kRowBytes);
  const std::uint32_t room = aad == m.aad_left ? most - rows_of(aad) : 0;
  const std::uint32_t text = std::min(m.text_left, room * kRowBytes);
  const bool last = aad == m.aad_left && text == m.text_left;
  const bool tag_in = op.checks_tag() && last, tag_out = op.makes_tag() && last;
  const bool sets = op.sets_key() && !op.key_rows();
  const std::uint32_t keys = sets ? 2 : op.inline_key() ? 1 : 0;
  const std::uint32_t out = op.mac() || op.sets_key() ? 0 : text;
  const std::uint32_t rows_in = 3 + rows_of(aad) + keys + rows_of(text) + tag_in;
  const std::uint32_t rows_out = rows_of(out) + tag_out;
  if (!stream_.fits(rows_in, rows_out)) return false;

  const std::uint32_t shown = sets ? m.d.bytes : text;
  const bool whole_tag = !op.checks_tag() || m.d.tag == kRow;
  const bool packet = m.first && last && rows_of(shown) > 1 && aad <= kRowBytes && whole_tag;
  const std::uint32_t turns = m.first ? std::max(rows_of(shown), 2U) - 1 : 0;
  const std::uint32_t shape = !packet ? kMoreJob : op.takes_aad() && aad == 0 ? kMoreNoAad : kMorePacket;
  const std::uint32_t more = stream_.continues(m.d.operation) ? shape : 0;
  const bool between = op.restores() && stream_.goes_on();
  std::vector<Row> rows{
      header({last ? 1 + m.d.tag : 0, turns, Keys::kContexts * Keys::kContextBytes + shown % kRowBytes * kRowBytes,
              rows_of(aad), op.restores() ? between * kMoreKey : more, Keys::kContextBytes * m.d.key.context,
              shown % kRowBytes, shown / kRowBytes}),
      row_at(m.d.iv()), lengths(m.d.aad, m.d.bytes)};
  append(rows, m, m.aad, aad);
  if (op.inline_key()) rows.push_back(row_at(m.d.inline_key()));
  if (sets) rows.insert(rows.end(), {row_at(m.d.key_bytes()), row_at(m.d.key_bytes() + kRow)});
  append(rows, m, m.source, text);
  if (tag_in) append(rows, m, m.source, m.d.tag);

  // With the first job: those behind it in the stream may use the key.
  if (m.first && op.sets_key() && m.d.bytes != 0)
    keys_.set(m.d.key, m.ring, op.kind());
  else if (m.first && op.overwrites())
    keys_.drop(m.d.key.context);
  m.aad_left -= aad;
  m.text_left -= text;
  m.first = false;
  messages_ = true;
  // After an error the rest of the message is of no use.
  m.placed = last || !m.good();
  ++m.jobs;
  reader_ = std::max({reader_, m.time, now_}) + beats(rows_in * kRow);
  stream_.place({&m, m.d.operation, op.entry(), rows_in, rows_out, out, tag_out ? m.d.tag : 0,
                 reader_ + options_.latency, op.sets_key(), between},
                rows);
  // Jobs behind it may not use what is in the context now.
  if (op.restores() && !m.good()) {
    stream_.stop();
    fail(m.status);
  }
  return true;
}

// One event of the core.
bool Device::core() {
  if (stream_.empty()) {
    if (queue_.empty() || !queue_.front().running) stream_.settle(budget_);
    return false;
  }
  const Job job = stream_.jobs().front();
  std::uint64_t used = 0;
  const Event event = stream_.run(
      budget_, watchdog(),
      static_cast<std::uint16_t>(LUTRA_GET(r_[LUTRA_AT(stream_reset)], LUTRA_AXI__STREAM_RESET__ENTRY)), used);
  core_ = std::max(core_, job.ready) + used;
  job.message->cycles += used;
  switch (event) {
    case Event::Budget:
      return false;
    case Event::Done:
    case Event::Mismatch:
      output(event == Event::Mismatch);
      return true;
    case Event::Trap:
      fail(LUTRA_STATUS_CORE_TRAP);
      return true;
    case Event::Fault:
      return true;  // see notice
    case Event::Timeout:
      fail(LUTRA_STATUS_TIMEOUT);
      if (options_.wipe) wiped();
      return true;
  }
  return false;
}

void Device::output(bool mismatch) {
  const Job job = stream_.jobs().front();
  Message& m = *job.message;
  const std::vector<Row> rows = stream_.take();
  if (mismatch) m.fail(LUTRA_STATUS_TAG_MISMATCH);
  std::vector<std::uint8_t> bytes;
  for (const Row& row : rows) bytes.insert(bytes.end(), row.begin(), row.end());
  const std::span<const std::uint8_t> text = std::span(bytes).first(job.text);
  const std::span<const std::uint8_t> tag = std::span(bytes).last(job.tag == 0 ? 0 : kRow).first(job.tag);
  for (const auto part : {text, tag})
    if (m.good()) m.fail(m.destination.write(part));
  writer_ = std::max(writer_, core_) + beats(rows.size() * kRow);
  m.time = std::max(m.time, writer_ + options_.latency);
  --m.jobs;
}

// All that is in the stream has failed.
void Device::fail(Status why) {
  stream_.forget();
  if (why != LUTRA_STATUS_ABORTED) keys_.drop_all();
  for (Message& m : queue_) {
    if (m.jobs == 0 && (m.first || m.placed)) continue;
    m.fail(why);
    m.jobs = 0;
    m.placed = true;
    m.time = std::max(m.time, core_);
  }
}

bool Device::raw(Message& m) {
  if (!m.running && stream_.machine().state() == CoreState::Running) return false;
  if (messages_ && options_.wipe) wipe();
  if (m.d.operation == kRawRun) return raw_run(m);
  raw_rows(m);
  stream_.forget();
  m.placed = true;
  return true;
}

void Device::raw_rows(Message& m) {
  Machine& machine = stream_.machine();
  const auto space = static_cast<Space>(m.d.tag);
  const bool program = space == Space::Program;
  const std::size_t length = program ? sizeof(std::uint64_t) : kRow;
  for (std::uint32_t done = 0; done < m.d.bytes && m.good(); done += kRow) {
    const std::size_t at = (m.d.aad + done / kRow) * length;
    const std::size_t bytes = std::min<std::size_t>(kRow, m.d.bytes - done);
    const bool exists = m.d.tag < kSpaceBlocks.size() && at + length <= machine.size(space);
    Row row{};
    if (m.d.operation == kRawWrite) {
      m.fail(m.source.read(std::span(row).first(bytes)));
      if (exists && m.good()) machine.write(space, at, {row.data(), length});
    } else {
      if (exists) std::ranges::copy(machine.read(space, at, length), row.begin());
      m.fail(m.destination.write(std::span(row).first(bytes)));
    }
  }
  m.raw_bytes = m.good() ? m.d.bytes : 0;
  m.time = std::max(m.time, now_) + beats(m.d.bytes) + options_.latency;
}

bool Device::raw_run(Message& m) {
  Machine& machine = stream_.machine();
  if (!m.running) {
    stream_.forget();
    // A program that has left the memories closed keeps all others from starting, until a wipe.
    m.running = !machine.closed();
    if (m.running) machine.start(static_cast<std::uint16_t>(m.d.aad));
  }
  runs_ = true;
  std::uint64_t limit = watchdog() == 0 ? ~std::uint64_t{0} : watchdog();
  if (m.d.bytes != 0) limit = std::min<std::uint64_t>(limit, m.d.bytes);
  const std::uint64_t before = machine.cycles();
  machine.run(std::min(limit, before + budget_));
  const std::uint64_t used = machine.cycles() - before;
  budget_ -= std::min(budget_, used);
  if (machine.state() == CoreState::Running && machine.cycles() < limit) return false;
  m.cycles = m.running ? machine.cycles() : 0;
  m.time = std::max(m.time, now_) + m.cycles;
  if (machine.state() == CoreState::Running) {
    m.fail(LUTRA_STATUS_TIMEOUT);
    machine.reset();
    if (options_.wipe) wiped();
  } else if (machine.state() == CoreState::Trapped) {
    m.fail(LUTRA_STATUS_CORE_TRAP);
  }
  if (!m.good()) keys_.drop_all();
  m.result = LUTRA_PUT(machine.state(), LUTRA_COMPLETION__RESULT__CORE) |
             LUTRA_PUT(machine.trap(), LUTRA_COMPLETION__RESULT__TRAP) |
             LUTRA_PUT(machine.notified(), LUTRA_COMPLETION__RESULT__NOTIFY);
  m.running = false;
  m.placed = true;
  return true;
}

}  // namespace lutra::soc
