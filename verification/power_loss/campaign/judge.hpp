// Judges the state of a device after a power loss. The loader's own statements are not trusted: slots are
// compared with the packs byte by byte, and the core's memories with those of a device that was never cut.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "../device/storage.hpp"
#include "plan.hpp"

namespace power_loss {

inline constexpr const char* kNone = "none";

// Report of a device that has booted.
struct Report {
  unsigned primary, running, counter, roots, state[2], size[2];
  int check[2], answers;
  std::uint64_t core;
  unsigned pack_counter[2];
  std::string digest[2];
};

// Firmware by the name of its pack: what runs, and what boots without a trial.
struct Found {
  std::string running = kNone, primary = kNone;
  unsigned counter = 0, roots = 0;
  bool trial() const { return running != primary; }
};

// Access that changes something: kind `w`, `e` or `b` (write, erase, burn), and how many places it can be cut at.
struct Access {
  char kind;
  std::uint32_t address, length, places;
};

// A check that failed.
struct Violation {
  std::string what;
};

class Judge {
 public:
  Judge(const Plan& plan, Bench& bench);

  // A fresh life that boots: its findings, complete and consistent, or a Violation. trace: its accesses.
  Found boot(Image& image, std::vector<Access>* trace = nullptr);
  // A life from an image, after which a boot must find one of `legal`; at the end the update is repeated and must
  // complete. `tried`: the pack that an earlier life booted as a trial, and that must not boot as one again.
  Found recover(Image image, const std::set<std::string>& legal, const std::string& tried,
                std::vector<Access>* trace = nullptr);
  // The pack that is complete in a slot, or none.
  std::string in_slot(const Image& image, unsigned slot) const;
  // The pack, other than the confirmed one, whose known answers a boot of this life has run, so that it had its
  // trial; or none.
  std::string tried(const Life& life, const Image& image, const std::string& confirmed) const;

  const Image& start() const { return start_; }

 private:
  struct Reference {
    std::uint64_t core;
    std::string digest;
    unsigned counter;
  };
  Report report(const Life& life) const;
  void life_must_succeed(Image& image, const Steps& steps, const char* what);
  std::string pack_of(const Image& image, unsigned slot, unsigned size) const;

  const Plan& plan_;
  Bench& bench_;
  Geometry geometry_;
  Image start_;
  std::map<std::string, Reference> references_;
  unsigned goal_roots_ = 0;
};

// The accesses reported by a traced life.
std::vector<Access> accesses(const std::string& said);

}  // namespace power_loss
