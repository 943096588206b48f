// How one memory differs between lanes and the run without faults: rows that differ in some lane.
#pragma once

#include <unordered_map>
#include <vector>

#include "golden.hpp"
#include "lanes.hpp"

namespace faults {

template <int kWidth>
class Overlay {
 public:
  using V = Lanes<kWidth>;

  explicit Overlay(const Memory& memory) : memory_(memory) {}

  bool empty() const { return rows_.empty(); }
  bool get(std::uint32_t row, std::uint32_t bit, unsigned lane) const {
    const auto found = rows_.find(row);
    return found != rows_.end() && faults::get<kWidth>(found->second[bit], lane);
  }
  // All lanes of a row, or null where none differs.
  const std::vector<V>* row(std::uint32_t row) const {
    const auto found = rows_.find(row);
    return found == rows_.end() ? nullptr : &found->second;
  }
  std::vector<V>& make(std::uint32_t row) {
    known_ = false;
    return rows_.try_emplace(row, std::vector<V>(memory_.width, V{})).first->second;
  }
  void flip(std::uint32_t row, std::uint32_t bit, unsigned lane) {
    V& lanes = make(row)[bit];
    set<kWidth>(lanes, lane, !faults::get<kWidth>(lanes, lane));
  }
  void put(std::uint32_t row, unsigned lane, std::uint64_t difference) {
    if (!difference && !rows_.count(row)) return;
    auto& bits = make(row);
    for (std::uint32_t b = 0; b < memory_.width; ++b) set<kWidth>(bits[b], lane, difference >> b & 1);
  }
  std::uint64_t take(std::uint32_t row, unsigned lane) const {
    std::uint64_t out = 0;
    if (const auto* bits = this->row(row))
      for (std::uint32_t b = 0; b < memory_.width; ++b)
        out |= std::uint64_t{faults::get<kWidth>((*bits)[b], lane)} << b;
    return out;
  }
  void erase(std::uint32_t row) { known_ &= !rows_.erase(row); }
  void clear(const V& lanes) {
    if (!any<kWidth>(live() & lanes)) return;
    for (auto& [row, bits] : rows_)
      for (V& bit : bits) bit &= ~lanes;
    known_ = false;
  }
  void reset() { rows_.clear(), known_ = false; }

  // Lanes that differ in some row; rows in which none does any longer go.
  V live() {
    if (known_) return live_;
    live_ = V{};
    for (auto it = rows_.begin(); it != rows_.end();) {
      V of_row{};
      for (const V& bit : it->second) of_row |= bit;
      live_ |= of_row;
      it = any<kWidth>(of_row) ? std::next(it) : rows_.erase(it);
    }
    known_ = true;
    return live_;
  }
  // Visits (row, difference) of a lane.
  template <class F>
  void each(unsigned lane, F&& visit) const {
    for (const auto& [row, bits] : rows_)
      if (const std::uint64_t difference = take(row, lane)) visit(row, difference);
  }

 private:
  const Memory& memory_;
  std::unordered_map<std::uint32_t, std::vector<V>> rows_;
  V live_{};
  bool known_ = false;
};

}  // namespace faults
