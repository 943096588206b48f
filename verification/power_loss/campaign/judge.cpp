#include "judge.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <sstream>

namespace power_loss {
namespace {

[[noreturn]] void violate(const std::string& what) { throw Violation{what}; }

// Output lines of a device, by their first word.
std::string line_of(const std::string& said, const std::string& word) {
  std::istringstream lines(said);
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(word + " ")) found = line;
  return found;
}

void monotone(const Bytes& before, const Bytes& after) {
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] & ~after[i]) violate("a fuse is no longer burnt");
}

}  // namespace

std::vector<Access> accesses(const std::string& said) {
  std::istringstream lines(said);
  std::vector<Access> all;
  for (std::string line; std::getline(lines, line);) {
    Access access{};
    if (std::sscanf(line.c_str(), "%c %" SCNu32 " %" SCNu32 " %" SCNu32, &access.kind, &access.address, &access.length,
                    &access.places) == 4)
      all.push_back(access);
  }
  return all;
}

// Installs every pack on a separate, uncut device to record its effect; then runs the lives before the campaign.
Judge::Judge(const Plan& plan, Bench& bench) : plan_(plan), bench_(bench) {
  std::sscanf(plan.geometry.c_str(), "%u,%u,%u", &geometry_.sector, &geometry_.granule, &geometry_.slot);
  const Image empty{Bytes(geometry_.bytes(), 0xff), plan.fuses};
  for (const auto& [name, bytes] : plan.packs) {
    Image image = empty;
    if (bench.live(image, {"update=" + plan.paths.at(name)}).code != kDone) continue;  // This pack must be refused.
    const Report seen = report(bench.live(image, {"boot", "report"}));
    references_[name] = {seen.core, seen.digest[seen.running & 1], seen.pack_counter[seen.running & 1]};
    if (in_slot(image, seen.running) != name) violate("a slot does not hold pack " + name + " as it was applied");
  }
  start_ = empty;
  for (const Steps& steps : plan.prepare) life_must_succeed(start_, steps, "preparing");
  Image image = start_;
  life_must_succeed(image, {"update=" + plan.goal}, "the update");
  goal_roots_ = boot(image).roots;
}

Report Judge::report(const Life& life) const {
  Report report{};
  char digest[2][65] = {};
  const std::string line = line_of(life.said, "report");
  const int got =
      std::sscanf(line.c_str(), "report %u %u %u %u %u %u %u %u %d %d %d %" SCNx64 " %u %64s %u %64s", &report.primary,
                  &report.running, &report.counter, &report.roots, &report.state[0], &report.state[1], &report.size[0],
                  &report.size[1], &report.check[0], &report.check[1], &report.answers, &report.core,
                  &report.pack_counter[0], digest[0], &report.pack_counter[1], digest[1]);
  if (got != 16) violate("no report: " + life.said);
  report.digest[0] = digest[0];
  report.digest[1] = digest[1];
  return report;
}

std::string Judge::pack_of(const Image& image, unsigned slot, unsigned size) const {
  const auto begin = image.flash.begin() + 2 * geometry_.sector + slot * geometry_.slot;
  for (const auto& [name, bytes] : plan_.packs)
    if ((!size || bytes.size() == size) && std::equal(bytes.begin(), bytes.end(), begin)) return name;
  return kNone;
}

std::string Judge::in_slot(const Image& image, unsigned slot) const { return pack_of(image, slot, 0); }

Found Judge::boot(Image& image, std::vector<Access>* trace) {
  const Bytes fuses = image.fuses;
  Steps arguments = {"boot", "report"};
  if (trace) arguments.insert(arguments.begin(), "--trace");
  const Life life = bench_.live(image, arguments);
  monotone(fuses, image.fuses);
  if (trace) *trace = accesses(life.said);
  const std::string result = "boot " + std::to_string(LUTRA_ERROR_NO_FIRMWARE) + " ";
  if (life.code == kFailed && life.said.find(result) != life.said.npos) return {};
  if (life.code != kDone) violate("the device does not boot: " + life.said);

  const Report seen = report(life);
  Found found;
  found.counter = seen.counter;
  found.roots = seen.roots;
  if (seen.running >= LUTRA_SLOTS) violate("nothing runs after a boot");
  found.running = pack_of(image, seen.running, seen.size[seen.running]);
  const auto reference = references_.find(found.running);
  if (reference == references_.end()) violate("what runs is none of the packs: neither the old nor the new");
  if (seen.digest[seen.running] != reference->second.digest) violate("the digest is not that of " + found.running);
  if (seen.core != reference->second.core) violate("the core does not hold " + found.running);
  if (seen.answers != LUTRA_ERROR_OK) violate("a known answer of " + found.running + " does not come out");
  if (seen.check[seen.running] != LUTRA_ERROR_OK) violate("what runs is reported as damaged");
  if (seen.primary != LUTRA_NO_SLOT) {
    if (seen.primary >= LUTRA_SLOTS) violate("the primary slot is none");
    found.primary = pack_of(image, seen.primary, seen.size[seen.primary]);
    if (!references_.contains(found.primary)) violate("what is confirmed is none of the packs");
    if (seen.state[seen.primary] != LUTRA_SLOT_CONFIRMED) violate("the primary slot is not confirmed");
    if (seen.counter != references_.at(found.primary).counter)
      violate("the fuses' counter is " + std::to_string(seen.counter) + ", that of what is confirmed " +
              std::to_string(references_.at(found.primary).counter));
  } else if (seen.counter) {
    violate("a counter is burnt and nothing is confirmed");
  }
  const unsigned expected = seen.primary == seen.running ? LUTRA_SLOT_CONFIRMED : LUTRA_SLOT_TRIAL;
  if (seen.state[seen.running] != expected) violate("what runs is neither confirmed nor on trial");
  return found;
}

void Judge::life_must_succeed(Image& image, const Steps& steps, const char* what) {
  const Bytes fuses = image.fuses;
  const Life life = bench_.live(image, plan_.resolved(steps));
  monotone(fuses, image.fuses);
  if (life.code != kDone) violate(std::string(what) + " fails: " + life.said);
}

Found Judge::recover(Image image, const std::set<std::string>& legal, const std::string& tried,
                     std::vector<Access>* trace) {
  const Found found = boot(image, trace);
  if (!legal.contains(found.running)) violate(found.running + " boots, which is neither the old nor the new");
  if (found.trial()) {
    if (found.running == tried) violate(tried + " is on trial a second time");
    Image again = image;
    const Found back = boot(again);
    if (back.running != found.primary) violate("after a trial without confirmation " + back.running + " boots");
  }
  life_must_succeed(image, {"update=" + plan_.goal}, "the update, done again,");
  const Found done = boot(image);
  if (done.running != plan_.goal || done.primary != plan_.goal) violate("the update, done again, has no effect");
  if (done.roots != goal_roots_) violate("the fuses hold other roots than after an update that was not cut");
  return found;
}

std::string Judge::tried(const Life& life, const Image& image, const std::string& confirmed) const {
  bool booting = false, started = false;
  std::istringstream lines(life.said);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("begin ")) booting = line == "begin boot";
    if (line.starts_with("run ") && booting) started = true;
  }
  for (unsigned slot = 0; slot < LUTRA_SLOTS && started; ++slot)
    if (const std::string name = in_slot(image, slot); name != kNone && name != confirmed) return name;
  return kNone;
}

}  // namespace power_loss
