#include "ring.hpp"

#include <array>

namespace lutra::soc {
namespace {

// Cycles in a unit of moderation.timer.
constexpr std::uint64_t kTimerUnit = 64;

}  // namespace

void Ring::written(bool quiet) {
  draining_ = draining_ || !enabled();
  if (draining_ && quiet) {
    fetched_ = head_ = 0;
    stopped_ = lost_ = draining_ = false;
    reason_ = LUTRA_STATUS_OK;
  }
  const auto ahead = static_cast<std::uint16_t>(tail() - head_);
  if (enabled() && !draining_ && ahead > 1u << log2()) stop(LUTRA_STATUS_BAD_DESCRIPTOR);
}

void Ring::stop(Status reason) {
  if (stopped_) return;
  stopped_ = true;
  reason_ = reason;
  raise(LUTRA_AXI__RING_PAGE__INTERRUPT__STOPPED_bm);
}

std::optional<Descriptor> Ring::fetch(bool big, const Window& window) {
  Descriptor::Bytes bytes{};
  const std::uint64_t base = r_.pair(at(LUTRA_RING_AT(0, descriptors_low)));
  const std::uint64_t address = base + slot(fetched_) * bytes.size();
  const bool inside = base % bytes.size() == 0 && window.holds(address, bytes.size());
  if (!inside || !bus_.read(address, bytes)) {
    stop(inside ? LUTRA_STATUS_READ_ERROR : LUTRA_STATUS_BAD_ADDRESS);
    return std::nullopt;
  }
  ++fetched_;
  return Descriptor(bytes, big);
}

void Ring::complete(const Result& result, bool big, std::uint64_t now, const Window& window) {
  std::array<std::uint8_t, sizeof(lutra_completion_t)> bytes;
  const bool phase = ((head_ >> log2()) & 1) == 0;
#define LUTRA_WORD(member) bytes.data() + offsetof(lutra_completion_t, member)
  put_word(LUTRA_WORD(cookie), result.cookie, big);
  put_word(LUTRA_WORD(result), result.result | LUTRA_PUT(phase, LUTRA_COMPLETION__RESULT__PHASE), big);
  put_word(LUTRA_WORD(bytes), result.bytes, big);
  put_word(LUTRA_WORD(cycles), result.cycles, big);
#undef LUTRA_WORD
  const std::uint64_t base = r_.pair(at(LUTRA_RING_AT(0, completions_low)));
  if (lost_) return;
  const std::uint64_t address = base + slot(head_) * bytes.size();
  const bool inside = base % bytes.size() == 0 && window.holds(address, bytes.size());
  if (!inside || !bus_.write(address, bytes)) {
    lost_ = true;
    return stop(inside ? LUTRA_STATUS_WRITE_ERROR : LUTRA_STATUS_BAD_ADDRESS);
  }
  ++head_;
  ++unreported_;
  const std::uint32_t moderation = get(LUTRA_RING_AT(0, moderation));
  const std::uint32_t count = LUTRA_GET(moderation, LUTRA_AXI__RING_PAGE__MODERATION__COUNT);
  const std::uint32_t timer = LUTRA_GET(moderation, LUTRA_AXI__RING_PAGE__MODERATION__TIMER);
  if (timer != 0 && !deadline_) deadline_ = now + kTimerUnit * timer;
  if (result.interrupt || (count != 0 && unreported_ >= count)) {
    deadline_ = now;
    tick(now);
  }
}

void Ring::tick(std::uint64_t now) {
  if (!deadline_ || now < *deadline_) return;
  deadline_.reset();
  unreported_ = 0;
  raise(LUTRA_AXI__RING_PAGE__INTERRUPT__COMPLETED_bm);
}

bool Ring::interrupts() const {
  return (get(LUTRA_RING_AT(0, interrupt)) & get(LUTRA_RING_AT(0, interrupt_enable))) != 0;
}

std::uint32_t Ring::state(bool idle) const {
  return LUTRA_PUT(idle, LUTRA_AXI__RING_PAGE__STATE__IDLE) |
         LUTRA_PUT(stopped_, LUTRA_AXI__RING_PAGE__STATE__STOPPED) |
         LUTRA_PUT(reason_, LUTRA_AXI__RING_PAGE__STATE__REASON);
}

}  // namespace lutra::soc
