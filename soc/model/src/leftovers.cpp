// When the core is wiped, what is gone then, and what its alert means for messages.
#include <algorithm>

#include "device.hpp"

namespace lutra::soc {
namespace {

// Rows, then zeros through the pipeline.
constexpr std::uint64_t kWipeCycles = kMemoryRows + 7;

}  // namespace

// A wipe waits for the messages that have begun. A raw operation begins one itself, when it is its turn.
bool Device::due() const {
  const auto shut = [](const Ring& r) { return !r.enabled(); };
  const bool left = options_.wipe && (messages_ || runs_);
  return asked_ || (left && queue_.empty() && std::ranges::all_of(rings_, shut));
}

bool Device::clean() {
  const auto begun = [](const Message& m) { return m.issued; };
  if (!due() || std::ranges::any_of(queue_, begun) || stream_.machine().state() == CoreState::Running) return false;
  wipe();
  return true;
}

void Device::wipe() {
  stream_.machine().wipe();
  now_ += kWipeCycles;
  wiped();
}

// Keys, the constants of the firmware, and with them its operations.
void Device::wiped() {
  stream_.forget();
  keys_.drop_all();
  r_[LUTRA_AT(operations)] &= ~LUTRA_AXI__OPERATIONS__COUNT_bm;
  asked_ = messages_ = runs_ = false;
}

// All messages that have begun fail.
void Device::lose(Status why) {
  stream_.forget();
  keys_.drop_all();
  for (Message& m : queue_) {
    if (!m.issued || m.done()) continue;
    m.fail(why);
    m.jobs = 0;
    m.placed = true;
    m.running = false;
    m.time = std::max(m.time, core_);
  }
}

void Device::notice() {
  Machine& machine = stream_.machine();
  if (machine.alert() && !alert_) {
    r_[LUTRA_AT(alert)] |= LUTRA_AXI__ALERT__RAISED_bm;
    lose(LUTRA_STATUS_CORE_FAULT);
    if (options_.wipe) wiped();
  } else if (machine.state() == CoreState::Faulted && !LUTRA_GET(r_[LUTRA_AT(alert)], LUTRA_AXI__ALERT__RAISED)) {
    machine.clear_alert();
  }
  alert_ = machine.alert();
}

void Device::escalate() {
  if (!options_.wipe) return;
  escalated_ = true;
  stream_.machine().escalate();
  notice();
}

bool Device::alert() const {
  return stream_.machine().alert() || LUTRA_GET(r_[LUTRA_AT(alert)], LUTRA_AXI__ALERT__RAISED);
}

// A ring that is closed has no keys any more.
void Device::closed() {
  for (unsigned n = 0; options_.wipe && n < kRings; ++n)
    if (!rings_[n].enabled() && quiet(n)) keys_.drop_ring(n);
}

}  // namespace lutra::soc
