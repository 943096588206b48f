// Where power is cut: every place of every access, in every state that it can leave.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge.hpp"

namespace power_loss {

struct Point {
  std::size_t life = 0;  // number of the cycle or recovery
  Cut cut;
  std::string stratum;  // points with the same stratum are counted together
};

// Seeds of torn states, from the first up to, but without, the last.
struct Seeds {
  std::uint64_t first = 0, last = 1;
};

// All points of a life whose accesses are known. Bits and bytes that are left at random are drawn once per seed.
std::vector<Point> points_of(std::size_t life, const std::vector<Access>& accesses, const Geometry& geometry,
                             const Seeds& seeds);

// About `count` of them at most, equally many of each stratum as far as it has them.
std::vector<Point> sample(const std::vector<Point>& points, std::size_t count, std::uint64_t seed);

// `life.number.place.tear.seed`, and back.
std::string name_of(const Point& point);
Point point_of(const std::string& name);

// The form as an option of the device.
std::string option_of(const Cut& cut);

}  // namespace power_loss
