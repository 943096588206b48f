// Random numbers that a seed and a place determine (splitmix64, Steele et al., OOPSLA 2014).
#pragma once

#include <cstdint>

namespace power_loss {

class Random {
 public:
  template <class... Numbers>
  explicit Random(std::uint64_t seed, Numbers... numbers) : state_(seed) {
    ((state_ = next() ^ static_cast<std::uint64_t>(numbers)), ...);
  }

  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace power_loss
