// Checkpoints of a run, few enough for memory and near enough to each other for speed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lutra {

// Checkpoint has a `time`. The first one, at the beginning, is kept.
template <class Checkpoint>
class Checkpoints {
 public:
  // At this number, every second one is dropped and the interval doubled.
  static constexpr std::size_t kMost = 1024;

  explicit Checkpoints(std::uint64_t interval) : interval_(interval) {}

  void add(Checkpoint checkpoint) {
    all_.push_back(std::move(checkpoint));
    if (all_.size() < kMost) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all_.size(); i += 2, ++kept)
      if (kept != i) all_[kept] = std::move(all_[i]);
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(kept), all_.end());
    interval_ *= 2;
  }

  // From this time on another checkpoint is due.
  std::uint64_t due() const { return all_.back().time + interval_; }

  // The last one at or before a time, and the last one for which `holds`, which is true up to one of them: nullptr
  // where there is none.
  const Checkpoint& before(std::uint64_t time) const {
    return *last([time](const Checkpoint& c) { return c.time <= time; });
  }
  template <class Holds>
  const Checkpoint* last(const Holds& holds) const {
    const auto end = std::partition_point(all_.begin(), all_.end(), holds);
    return end == all_.begin() ? nullptr : &*std::prev(end);
  }

  // Drops the checkpoints after a time.
  void cut(std::uint64_t time) {
    while (all_.size() > 1 && all_.back().time > time) all_.pop_back();
  }

  std::size_t size() const { return all_.size(); }

 private:
  std::vector<Checkpoint> all_;
  std::uint64_t interval_;
};

}  // namespace lutra
