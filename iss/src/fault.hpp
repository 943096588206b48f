// Faults in a stream context, as simulator and core inject them (docs/faults.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host.hpp"
#include "stream.hpp"

namespace lutra {

// Flips bits of a register of a context at the beginning of a cycle of the program that runs, or is started next.
struct Fault {
  std::uint64_t cycle;
  unsigned context;
  unsigned word;  // 0 to 15: s0 to s15; then r1, r2, r3; then the words of the buffer, the oldest first
  std::uint32_t mask;
  bool shadow = false;  // of the word's copy instead
};

constexpr unsigned kLfsrWords = std::tuple_size_v<decltype(Context::s)>;
constexpr unsigned kFsmWords = 3;
constexpr unsigned kContextWords = kLfsrWords + kFsmWords + kRowWords;

inline void check_fault(const Fault& fault, unsigned contexts, unsigned shadow_words) {
  if (fault.context >= contexts) throw HostError("the core has no such stream context");
  if (fault.word >= kContextWords) throw HostError("a stream context has no such word");
  if (fault.shadow && fault.word >= shadow_words) throw HostError("this word has no shadow in this core");
}

// Faults that are still to come, and the differences between words and shadows that past ones have left.
class Faults {
 public:
  // Whether an instruction may meet one.
  bool any() const { return any_; }
  void add(const Fault& fault) {
    pending_.push_back(fault);
    any_ = true;
  }

  // Does those up to a cycle.
  template <class Contexts>
  void reach(std::uint64_t cycle, Contexts& contexts, unsigned shadow_words) {
    std::erase_if(pending_, [&](const Fault& fault) {
      if (fault.cycle > cycle) return false;
      if (!fault.shadow) flip(contexts[fault.context], fault.word, fault.mask);
      if (fault.word < shadow_words) differences_[fault.context][fault.word] ^= fault.mask;
      return true;
    });
    settle();
  }

  bool differs(unsigned context) const { return differences_[context] != LfsrWords{}; }
  // A row is loaded to the words and to their shadows.
  void loaded(unsigned context, unsigned row) {
    if (row < kLfsrRows) std::fill_n(differences_[context].begin() + kRowWords * row, kRowWords, 0);
    settle();
  }
  void clear() { *this = {}; }

 private:
  using LfsrWords = std::array<std::uint32_t, kLfsrWords>;

  static void flip(Context& c, unsigned n, std::uint32_t mask) {
    if (n < kLfsrWords) {
      c.s[n] ^= mask;
    } else if (n < kLfsrWords + kFsmWords) {
      const std::array fsm{&c.r1, &c.r2, &c.r3};
      *fsm[n - kLfsrWords] ^= mask;
    } else {
      Words w = lanes32(c.buffer);
      w[n - kLfsrWords - kFsmWords] ^= mask;
      c.buffer = bytes32(w);
    }
  }
  void settle() {
    any_ = !pending_.empty() || std::any_of(differences_.begin(), differences_.end(),
                                            [](const LfsrWords& words) { return words != LfsrWords{}; });
  }

  std::vector<Fault> pending_;
  std::array<LfsrWords, kStreamContexts> differences_{};
  bool any_ = false;
};

}  // namespace lutra
