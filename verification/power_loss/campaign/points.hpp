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
  std::string stratum;  // what is counted together
};

// Seeds of torn states, from the first to before the last.
struct Seeds {
  std::uint64_t first = 0, last = 1;
};

// All points of a life whose accesses are known. Bits and bytes that are left at random are drawn once a seed.
std::vector<Point> points_of(std::size_t life, const std::vector<Access>& accesses, const Geometry& geometry,
                             const Seeds& seeds);

// At most about `count` of them, as many of each stratum where it has them.
std::vector<Point> sample(const std::vector<Point>& points, std::size_t count, std::uint64_t seed);

// `life.number.place.tear.seed`, and back.
std::string name_of(const Point& point);
Point point_of(const std::string& name);

// As an option of the device.
std::string option_of(const Cut& cut);

}  // namespace power_loss
