#include "points.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>

#include "../device/random.hpp"

namespace power_loss {
namespace {

std::string region_of(const Access& access, const Geometry& geometry) {
  if (access.kind == 'b') return "burn";
  const std::string what = access.kind == 'w' ? "write" : "erase";
  return what + (access.address < 2 * geometry.sector ? " record" : " slot");
}

}  // namespace

std::vector<Point> points_of(std::size_t life, const std::vector<Access>& accesses, const Geometry& geometry,
                             const Seeds& seeds) {
  std::vector<Point> points;
  for (std::uint32_t number = 0; number < accesses.size(); ++number) {
    const Access& access = accesses[number];
    const std::string region = region_of(access, geometry);
    const auto add = [&](std::uint32_t place, Tear tear, std::uint64_t seed, const std::string& what) {
      points.push_back({life, {number, place, tear, seed}, region + ", " + what});
    };
    for (std::uint32_t place = 0; place < access.places; ++place) {
      if (access.kind == 'b') {
        const bool drawn = access.places == kBurnPlaces && place > 1;
        for (std::uint64_t seed = seeds.first; seed < (drawn ? seeds.last : seeds.first + 1); ++seed)
          add(place, Tear::Bits, seed, "subset");
        continue;
      }
      add(place, Tear::Old, seeds.first, kTears[0]);
      for (const Tear tear : {Tear::Bits, Tear::Random, Tear::Unit})
        for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed)
          add(place, tear, seed, kTears[static_cast<std::size_t>(tear)]);
    }
  }
  return points;
}

std::vector<Point> sample(const std::vector<Point>& points, std::size_t count, std::uint64_t seed) {
  std::map<std::string, std::vector<Point>> strata;
  for (const Point& point : points) strata[std::to_string(point.life) + point.stratum].push_back(point);
  // Small strata first: what they do not use goes to the others.
  std::vector<std::vector<Point>*> order;
  for (auto& [name, stratum] : strata) order.push_back(&stratum);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
  std::vector<Point> chosen;
  std::size_t left = order.size();
  for (const auto* stratum : order) {
    const std::size_t share = std::min(stratum->size(), (count - std::min(count, chosen.size())) / left--);
    Random random(seed, left);
    for (std::size_t i = 0; i < share; ++i) {
      const std::size_t begin = i * stratum->size() / share, end = (i + 1) * stratum->size() / share;
      chosen.push_back((*stratum)[begin + random.next() % (end - begin)]);
    }
  }
  return chosen;
}

std::string name_of(const Point& point) {
  const Cut& cut = point.cut;
  return std::to_string(point.life) + "." + std::to_string(cut.number) + "." + std::to_string(cut.place) + "." +
         kTears[static_cast<std::size_t>(cut.tear)] + "." + std::to_string(cut.seed);
}

Point point_of(const std::string& name) {
  Point point;
  char tear[8] = {};
  if (std::sscanf(name.c_str(), "%zu.%" SCNu32 ".%" SCNu32 ".%7[a-z].%" SCNu64, &point.life, &point.cut.number,
                  &point.cut.place, tear, &point.cut.seed) != 5)
    give_up("no place to cut: " + name);
  const auto* found =
      std::find_if(std::begin(kTears), std::end(kTears), [&](const char* text) { return !std::strcmp(text, tear); });
  if (found == std::end(kTears)) give_up("no state after a cut: " + name);
  point.cut.tear = static_cast<Tear>(found - std::begin(kTears));
  return point;
}

std::string option_of(const Cut& cut) {
  return "--cut=" + std::to_string(cut.number) + "," + std::to_string(cut.place) + "," +
         std::to_string(static_cast<unsigned>(cut.tear)) + "," + std::to_string(cut.seed);
}

}  // namespace power_loss
