#include "device.hpp"

#include <algorithm>
#include <bit>

namespace lutra::soc {
namespace {

// Messages that are fetched before the oldest of them is complete.
constexpr std::size_t kLookAhead = 8;
constexpr std::uint64_t kWatchdogUnit = 256;

}  // namespace

Device::Device(Bus& bus, const Options& options)
    : bus_(bus), options_(options), rings_{Ring(0, r_, bus), Ring(1, r_, bus)}, stream_(options.exact, options.wipe) {
  r_[LUTRA_AT(capabilities)] = LUTRA_PUT(kRings, LUTRA_AXI__CAPABILITIES__RINGS) |
                               LUTRA_PUT(Keys::kContexts, LUTRA_AXI__CAPABILITIES__CONTEXTS) |
                               LUTRA_PUT(std::countr_zero(kBusBytes), LUTRA_AXI__CAPABILITIES__BUS) |
                               LUTRA_PUT(options.wipe, LUTRA_AXI__CAPABILITIES__WIPE) |
                               LUTRA_PUT(kAddressBits, LUTRA_AXI__CAPABILITIES__ADDRESS_BITS) |
                               LUTRA_PUT(Stream::kChunkRows, LUTRA_AXI__CAPABILITIES__CHUNK_ROWS);
  r_[LUTRA_AT(chunks)] = LUTRA_PUT(Stream::kLongRows, LUTRA_AXI__CHUNKS__LONG_ROWS);
}

std::uint32_t Device::read(std::uint32_t offset) const {
  if (offset >= sizeof(lutra_axi_t)) return 0;
  if (offset == LUTRA_AT(status)) {
    const Machine& m = stream_.machine();
    return LUTRA_PUT(!queue_.empty() || due(), LUTRA_AXI__STATUS__BUSY) |
           LUTRA_PUT(m.state(), LUTRA_AXI__STATUS__CORE) | LUTRA_PUT(m.trap(), LUTRA_AXI__STATUS__TRAP) |
           LUTRA_PUT(m.alert(), LUTRA_AXI__STATUS__ALERT);
  }
  const bool enabled = LUTRA_GET(r_[LUTRA_AT(control)], LUTRA_AXI__CONTROL__ENABLE);
  for (unsigned n = 0; n < kRings; ++n) {
    if (offset == LUTRA_RING_AT(n, head)) return rings_[n].head();
    if (offset == LUTRA_RING_AT(n, state)) return rings_[n].state(quiet(n) && !(enabled && rings_[n].waiting()));
  }
  return r_[offset];
}

void Device::write(std::uint32_t offset, std::uint32_t value) {
  const std::uint32_t pulses = r_.write(offset, value);
  if (offset == LUTRA_AT(control) && LUTRA_GET(pulses, LUTRA_AXI__CONTROL__CORE_RESET)) {
    stream_.machine().reset();
    alert_ = false;
    if (options_.wipe) wiped();
    fail(LUTRA_STATUS_ABORTED);
  }
  if (options_.wipe && stream_.machine().state() != CoreState::Locked) {
    asked_ = asked_ || (offset == LUTRA_AT(control) && LUTRA_GET(pulses, LUTRA_AXI__CONTROL__WIPE));
    if (escalated_ || LUTRA_GET(r_[LUTRA_AT(control)], LUTRA_AXI__CONTROL__ESCALATE)) stream_.machine().escalate();
  }
  notice();
  for (unsigned n = 0; n < kRings; ++n) rings_[n].written(quiet(n));
  closed();
}

// Nothing of a ring is in work.
bool Device::quiet(unsigned ring) const {
  return std::none_of(queue_.begin(), queue_.end(), [ring](const Message& m) { return m.ring == ring; });
}

std::uint64_t Device::watchdog() const {
  return kWatchdogUnit * LUTRA_GET(r_[LUTRA_AT(watchdog)], LUTRA_AXI__WATCHDOG__LIMIT);
}

Window Device::window(unsigned ring) const {
  return {r_.pair(LUTRA_WINDOW_AT(ring, base_low)), r_.pair(LUTRA_WINDOW_AT(ring, limit_low))};
}

unsigned Device::interrupts() const {
  unsigned pending = 0;
  for (unsigned n = 0; n < kRings; ++n) pending |= static_cast<unsigned>(rings_[n].interrupts()) << n;
  const std::uint32_t alert = r_[LUTRA_AT(alert)];
  pending |= LUTRA_GET(alert, LUTRA_AXI__ALERT__RAISED) & LUTRA_GET(alert, LUTRA_AXI__ALERT__ENABLE);
  return pending;
}

bool Device::idle() const {
  const bool enabled = LUTRA_GET(r_[LUTRA_AT(control)], LUTRA_AXI__CONTROL__ENABLE);
  return queue_.empty() && !due() &&
         std::none_of(rings_.begin(), rings_.end(), [enabled](const Ring& r) { return enabled && r.waiting(); });
}

std::uint64_t Device::run(std::uint64_t cycles) {
  const std::uint64_t begin = now_;
  const std::uint64_t end = begin + cycles;
  const unsigned before = interrupts();
  budget_ = cycles;
  while (now_ < end) {
    for (Ring& ring : rings_) ring.tick(now_);
    if ((interrupts() & ~before) != 0) return now_ - begin;
    if (step()) continue;
    // Nothing to do before the time of an interrupt, or before the end.
    std::uint64_t next = end;
    if (budget_ > 0)
      for (const Ring& ring : rings_) next = std::min(next, ring.deadline().value_or(end));
    now_ = std::max(now_, next);
  }
  for (Ring& ring : rings_) ring.tick(now_);
  return now_ - begin;
}

bool Device::step() {
  const bool cleaned = clean();
  const bool fetched = fetch();
  const bool issued = issue();
  const bool ran = core();
  notice();
  const bool completed = complete();
  return cleaned || fetched || issued || ran || completed;
}

// Round robin, a message at a time.
bool Device::fetch() {
  if (!LUTRA_GET(r_[LUTRA_AT(control)], LUTRA_AXI__CONTROL__ENABLE) || queue_.size() >= kLookAhead) return false;
  for (unsigned i = 0; i < kRings; ++i) {
    const unsigned n = (turn_ + i) % kRings;
    if (!rings_[n].waiting()) continue;
    turn_ = (n + 1) % kRings;
    const auto descriptor = rings_[n].fetch(big(), window(n));
    if (!descriptor) return true;
    reader_ = std::max(reader_, now_) + beats(descriptor->raw.size());
    Message m;
    m.ring = n;
    m.d = *descriptor;
    m.time = reader_ + options_.latency;
    queue_.push_back(m);
    return true;
  }
  return false;
}

// The first message that is not wholly in the stream: its checks, then a chunk.
bool Device::issue() {
  for (Message& m : queue_) {
    if (m.placed) continue;
    if (!m.issued) {
      if (due()) return false;
      start(m);
      return true;
    }
    if (m.first && !m.running && rings_[m.ring].aborting()) {
      m.fail(LUTRA_STATUS_ABORTED);
      m.placed = true;
      return true;
    }
    return m.d.is_raw() ? &m == &queue_.front() && raw(m) : place(m);
  }
  return false;
}

void Device::start(Message& m) {
  m.issued = true;
  if (rings_[m.ring].lost() || rings_[m.ring].aborting()) {
    m.fail(LUTRA_STATUS_ABORTED);
    m.placed = true;
    return;
  }
  if (stream_.machine().alert()) return lose(LUTRA_STATUS_CORE_FAULT);
  const std::uint32_t count = LUTRA_GET(r_[LUTRA_AT(operations)], LUTRA_AXI__OPERATIONS__COUNT);
  if (!m.d.is_raw() && m.d.operation < std::min<std::uint32_t>(count, kOperations))
    m.operation = Operation(r_[LUTRA_AT(operation) + 4 * m.d.operation]);
  const bool locked = LUTRA_GET(r_[LUTRA_AT(control)], LUTRA_AXI__CONTROL__RAW_LOCK);
  const Window w = window(m.ring);
  m.fail(check(m, {keys_, std::min<std::uint32_t>(count, kOperations), locked}));
  if (!m.good()) {
    m.placed = true;
    return;
  }
  m.source =
      m.d.inlined ? String({m.d.payload(), Descriptor::kInlineBytes}) : String(bus_, w, big(), m.d.source, m.d.gather);
  m.aad = String(bus_, w, big(), m.d.aad_address, false);
  m.destination = String(bus_, w, big(), m.d.destination, m.d.scatter);
  m.aad_left = m.d.aad;
  m.text_left = m.operation.sets_key() && !m.operation.key_rows() ? 0 : m.d.bytes;
}

// In order, each with its result, once the message before it is complete.
bool Device::complete() {
  if (queue_.empty() || !queue_.front().done()) return false;
  const Message& m = queue_.front();
  now_ = std::max(now_, m.time + options_.latency + beats(sizeof(lutra_completion_t)));
  rings_[m.ring].complete(
      {m.d.cookie, m.result | LUTRA_PUT(m.status, LUTRA_COMPLETION__RESULT__STATUS),
       m.d.is_raw() ? m.raw_bytes : m.destination.written(), static_cast<std::uint32_t>(m.cycles), m.d.interrupt},
      big(), now_, window(m.ring));
  const unsigned ring = m.ring;
  queue_.pop_front();
  rings_[ring].written(quiet(ring));
  closed();
  return true;
}

}  // namespace lutra::soc
