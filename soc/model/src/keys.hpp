// Who may use which key context.
#pragma once

#include <array>
#include <cstdint>

#include "lutra_axi.h"

namespace lutra::soc {

struct Handle {
  std::uint32_t context, generation;
};

class Keys {
 public:
  // Contexts are rows 8 i to 8 i + 7 of m0 and m1; the rows after the last are the firmware's.
  static constexpr std::uint32_t kContexts = LUTRA_AXI__CAPABILITIES__CONTEXTS_reset;
  static constexpr std::uint32_t kContextBytes = 8 * 16;
  static constexpr std::uint32_t kSavedBytes = 2 * kContextBytes;

  // Whether a message of this ring may use the key of this class.
  bool serves(Handle h, unsigned ring, std::uint32_t kind) const {
    if (h.context >= kContexts) return false;
    const Entry& e = entries_[h.context];
    return e.valid && e.ring == ring && e.generation == h.generation && e.kind == kind;
  }
  // Whether a ring may overwrite a context: it is free or its own.
  bool open(std::uint32_t context, unsigned ring) const {
    return context < kContexts && (!entries_[context].valid || entries_[context].ring == ring);
  }
  void set(Handle h, unsigned ring, std::uint32_t kind) { entries_[h.context] = {true, ring, h.generation, kind}; }
  void drop(std::uint32_t context) { entries_[context].valid = false; }
  void drop_ring(unsigned ring) {
    for (Entry& e : entries_) e.valid = e.valid && e.ring != ring;
  }
  // Firmware that went wrong can have changed what is behind any handle.
  void drop_all() { entries_.fill({}); }

 private:
  struct Entry {
    bool valid = false;
    unsigned ring = 0;
    std::uint32_t generation = 0, kind = 0;
  };
  std::array<Entry, kContexts> entries_{};
};

}  // namespace lutra::soc
