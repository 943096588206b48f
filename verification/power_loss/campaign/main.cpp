// `power_loss_campaign PLAN FOLDER [OPTION...]`: cuts power at the places of a plan, each in a separate process, and
// prints its findings as JSON on the last line. `python -m power_loss` starts it.
//
//   --seeds=A:B       of the states left at random (0:1)
//   --shard=I/N       every N-th place, from the I-th on
//   --sample=N        about N places, as many of each kind as there are
//   --double=N,M      after about N of the single cuts a second one, at each place of a recovery that has at most M
//                     and at M of one that has more
//   --repeat=PLACE    this place alone (PLACE or PLACE/PLACE), with all that the devices say
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstring>

#include "../device/random.hpp"
#include "points.hpp"

using namespace power_loss;

namespace {

struct Options {
  Seeds seeds;
  std::size_t shard = 0, shards = 1, sample = 0, doubles = 0, second_places = 0;
  std::string repeat;
};

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 0; i < count; ++i) {
    const char* text = arguments[i];
    if (std::sscanf(text, "--seeds=%" SCNu64 ":%" SCNu64, &options.seeds.first, &options.seeds.last) == 2) continue;
    if (std::sscanf(text, "--shard=%zu/%zu", &options.shard, &options.shards) == 2) continue;
    if (std::sscanf(text, "--sample=%zu", &options.sample) == 1) continue;
    if (std::sscanf(text, "--double=%zu,%zu", &options.doubles, &options.second_places) == 2) continue;
    if (!std::strncmp(text, "--repeat=", 9)) {
      options.repeat = text + 9;
      continue;
    }
    give_up(std::string("no such option: ") + text);
  }
  if (options.seeds.first >= options.seeds.last || options.shard >= options.shards) give_up("an empty range");
  return options;
}

constexpr std::size_t kFailuresKept = 20;

class Campaign {
 public:
  Campaign(const Plan& plan, Bench& bench, const Options& options)
      : plan_(plan), bench_(bench), options_(options), judge_(plan, bench) {
    std::sscanf(plan.geometry.c_str(), "%u,%u,%u", &geometry_.sector, &geometry_.granule, &geometry_.slot);
  }

  void run();
  void repeat();
  void print_result() const;
  void print_verdict() const;
  bool failed() const { return failures_ > 0; }

 private:
  // Facts about an uncut cycle.
  struct Known {
    Image before;
    std::string confirmed;        // before it
    std::set<std::string> legal;  // what may boot after a cut in it
  };
  void learn();
  void cut_once(const Point& point, bool twice);
  void cut_again(const Point& first, const Image& image, const Found& found);
  void cut_recovery(const Point& first, const Point& second, const Image& image, const Found& found);
  Image after_cut(Image image, const Steps& steps, const Cut& cut, const std::string& confirmed, std::string& tried);
  std::set<std::string> legal_after(const Steps& recovery, const Image& image, const Found& found) const;
  void fail(const std::string& place, const std::string& what);
  void progress(std::size_t done, std::size_t all);

  const Plan& plan_;
  Bench& bench_;
  const Options options_;
  Judge judge_;
  Geometry geometry_;
  std::vector<Known> known_;
  std::vector<Point> points_;
  std::map<std::string, std::uint64_t> single_, double_, outcomes_;
  std::size_t failures_ = 0;
  std::vector<std::pair<std::string, std::string>> kept_;
  std::chrono::steady_clock::time_point shown_{};
};

// Runs each cycle once without a cut: where it begins, its accesses, and what boots after it.
void Campaign::learn() {
  Image image = judge_.start();
  for (std::size_t number = 0; number < plan_.cycles.size(); ++number) {
    const Cycle& cycle = plan_.cycles[number];
    Known known{image, "", {}};
    Image copy = image;
    const Found before = judge_.boot(copy);
    known.confirmed = before.primary;
    Steps steps = plan_.resolved(cycle.steps);
    steps.insert(steps.begin(), "--trace");
    const Life life = bench_.live(image, steps);
    const std::vector<Access> all = accesses(life.said);
    copy = image;
    const Found after = judge_.boot(copy);
    if (after.running != cycle.expected)
      throw Violation{"cycle " + std::to_string(number) + " without a cut: " + after.running + " boots and not " +
                      cycle.expected + "; " + life.said};
    known.legal = {before.running, before.primary, after.running, after.primary};
    for (const std::string& name : Plan::brought(cycle.steps)) known.legal.insert(name);
    known_.push_back(known);
    const std::vector<Point> points = points_of(number, all, geometry_, options_.seeds);
    points_.insert(points_.end(), points.begin(), points.end());
  }
}

void Campaign::run() {
  learn();
  const std::size_t whole = points_.size();
  if (options_.sample) points_ = sample(points_, options_.sample, options_.seeds.first);
  std::set<std::string> twice;
  if (options_.doubles)
    for (const Point& point : sample(points_, options_.doubles, options_.seeds.first + 1)) twice.insert(name_of(point));
  // In a fixed order, so that each shard has a share of everything.
  Random order(points_.size());
  for (std::size_t i = points_.size(); i-- > 1;) std::swap(points_[i], points_[order.next() % (i + 1)]);
  std::vector<Point> mine;
  for (std::size_t i = options_.shard; i < points_.size(); i += options_.shards) mine.push_back(points_[i]);
  std::fprintf(stderr, "%zu of %zu places\n", mine.size(), whole);
  for (std::size_t i = 0; i < mine.size() && failures_ < kFailuresKept; ++i) {
    progress(i, mine.size());
    cut_once(mine[i], twice.contains(name_of(mine[i])));
  }
}

// State after a life that is cut; `tried` becomes the pack that it had begun to try.
Image Campaign::after_cut(Image image, const Steps& steps, const Cut& cut, const std::string& confirmed,
                          std::string& tried) {
  Steps arguments = plan_.resolved(steps);
  arguments.insert(arguments.begin(), option_of(cut));
  const Life life = bench_.live(image, arguments);
  if (life.code != kPowerLost) throw Violation{"the power was to go, and the device says: " + life.said};
  tried = judge_.tried(life, image, confirmed);
  return image;
}

void Campaign::cut_once(const Point& point, bool twice) {
  const Known& known = known_[point.life];
  ++single_[std::to_string(point.life) + ": " + point.stratum];
  try {
    std::string tried;
    const Steps& steps = plan_.cycles[point.life].steps;
    const Image image = after_cut(known.before, steps, point.cut, known.confirmed, tried);
    const Found found = judge_.recover(image, known.legal, tried);
    ++outcomes_[found.running + (found.trial() ? " on trial" : "")];
    if (twice) cut_again(point, image, found);
  } catch (const Violation& violation) {
    fail(name_of(point), violation.what);
  }
}

// Firmware that may boot after a cut in a recovery: what would have booted, or what the recovery brings.
std::set<std::string> Campaign::legal_after(const Steps& recovery, const Image& image, const Found& found) const {
  std::set<std::string> legal = {found.running, found.primary};
  for (const std::string& name : Plan::brought(recovery)) legal.insert(name);
  if (std::find(recovery.begin(), recovery.end(), "revert") != recovery.end())
    for (unsigned slot = 0; slot < LUTRA_SLOTS; ++slot) legal.insert(judge_.in_slot(image, slot));
  return legal;
}

void Campaign::cut_again(const Point& first, const Image& image, const Found& found) {
  for (std::size_t number = 0; number < plan_.recoveries.size(); ++number) {
    Image copy = image;
    Steps traced = plan_.resolved(plan_.recoveries[number]);
    traced.insert(traced.begin(), "--trace");
    const std::vector<Access> all = accesses(bench_.live(copy, traced).said);
    std::vector<Point> seconds = points_of(number, all, geometry_, {first.cut.seed, first.cut.seed + 1});
    if (seconds.size() > options_.second_places)
      seconds =
          sample(seconds, options_.second_places, Random(first.cut.seed, first.cut.number, first.cut.place).next());
    for (const Point& second : seconds) cut_recovery(first, second, image, found);
  }
}

void Campaign::cut_recovery(const Point& first, const Point& second, const Image& image, const Found& found) {
  const Steps& recovery = plan_.recoveries.at(second.life);
  std::string name;
  for (const std::string& step : recovery) name += step + " ";
  ++double_[std::to_string(first.life) + ", then " + name + "- " + second.stratum];
  try {
    std::string tried;
    const Image torn = after_cut(image, recovery, second.cut, found.primary, tried);
    judge_.recover(torn, legal_after(recovery, image, found), tried);
  } catch (const Violation& violation) {
    fail(name_of(first) + "/" + name_of(second), violation.what);
  }
}

// Repeats one place, with all output of the devices.
void Campaign::repeat() {
  learn();
  const auto slash = options_.repeat.find('/');
  const Point first = point_of(options_.repeat.substr(0, slash));
  if (first.life >= known_.size()) give_up("no such cycle: " + options_.repeat);
  bench_.show();
  if (slash == std::string::npos) return cut_once(first, false);
  const Point second = point_of(options_.repeat.substr(slash + 1));
  if (second.life >= plan_.recoveries.size()) give_up("no such recovery: " + options_.repeat);
  const Known& known = known_[first.life];
  std::string tried;
  Image image = after_cut(known.before, plan_.cycles[first.life].steps, first.cut, known.confirmed, tried);
  Image copy = image;
  const Found found = judge_.boot(copy);
  cut_recovery(first, second, image, found);
}

void Campaign::fail(const std::string& place, const std::string& what) {
  ++failures_;
  if (kept_.size() < kFailuresKept) kept_.emplace_back(place, what);
}

// A line every half second, for the program that shows progress.
void Campaign::progress(std::size_t done, std::size_t all) {
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < std::chrono::milliseconds(500)) return;
  shown_ = now;
  std::printf("progress %zu %zu\n", done, all);
  std::fflush(stdout);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out + "\"";
}

void print_counts(const char* name, const std::map<std::string, std::uint64_t>& counts) {
  std::printf("\"%s\": {", name);
  const char* comma = "";
  for (const auto& [key, value] : counts) {
    std::printf("%s%s: %" PRIu64, comma, quoted(key).c_str(), value);
    comma = ", ";
  }
  std::printf("}, ");
}

void Campaign::print_result() const {
  std::printf("{\"scenario\": %s, \"places\": %zu, \"lives\": %" PRIu64 ", ", quoted(plan_.name).c_str(),
              points_.size(), bench_.lives());
  print_counts("single", single_);
  print_counts("double", double_);
  print_counts("outcomes", outcomes_);
  std::printf("\"failures\": [");
  const char* comma = "";
  for (const auto& [place, what] : kept_) {
    std::printf("%s[%s, %s]", comma, quoted(place).c_str(), quoted(what).c_str());
    comma = ", ";
  }
  std::printf("]}\n");
}

void Campaign::print_verdict() const {
  for (const auto& [place, what] : kept_) std::printf("%s: %s\n", place.c_str(), what.c_str());
  if (kept_.empty()) std::printf("%s: the device came through\n", options_.repeat.c_str());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) give_up("usage: power_loss_campaign PLAN FOLDER [OPTION...]");
  const Plan plan = read_plan(arguments[1]);
  const Options options = read_options(count - 3, arguments + 3);
  Bench bench(plan.device, arguments[2], plan.geometry);
  try {
    Campaign campaign(plan, bench, options);
    if (options.repeat.empty()) {
      campaign.run();
      campaign.print_result();
    } else {
      campaign.repeat();
      campaign.print_verdict();
    }
    return campaign.failed() ? 1 : 0;
  } catch (const Violation& violation) {
    std::printf("{\"scenario\": \"%s\", \"failures\": [[\"before any cut\", %s]]}\n", plan.name.c_str(),
                quoted(violation.what).c_str());
    return 1;
  }
}
