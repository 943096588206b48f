// Faults in stream contexts and memories, as simulator and core inject them (docs/faults.md).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "host.hpp"
#include "stream.hpp"

namespace lutra {

// Flips bits of a register of a context, or of a memory, at the beginning of a cycle of the program that runs, or is
// started next.
struct Fault {
  std::uint64_t cycle;
  unsigned context;  // or kOfMemory + a space
  unsigned
      word;  // 0 to 15: s0 to s15; then r1, r2, r3; then the words of the buffer, the oldest first; a memory's byte
  std::uint64_t mask;   // of a word, a byte of a row, a program word
  bool shadow = false;  // of the word's copy, or of the check bits instead
};
constexpr unsigned kOfMemory = 8;

constexpr unsigned kLfsrWords = std::tuple_size_v<decltype(Context::s)>;
constexpr unsigned kFsmWords = 3;
constexpr unsigned kContextWords = kLfsrWords + kFsmWords + kRowWords;

inline bool of_memory(const Fault& fault) { return fault.context >= kOfMemory; }
inline Space space_of(const Fault& fault) { return static_cast<Space>(fault.context - kOfMemory); }

// What the check bits of a program word differ in where the word does (rtl/lutra_check_pkg.sv).
constexpr std::uint64_t check_difference(std::uint64_t word) {
  constexpr unsigned kTop = 0x80, kPolynomial = 0x07;
  unsigned crc = 0;
  for (int i = kInsnBits - 1; i >= 0; --i)
    crc = (crc << 1 & 0xff) ^ (((crc & kTop) != 0) != ((word >> i & 1) != 0) ? kPolynomial : 0);
  return crc;
}

inline void check_fault(const Fault& fault, unsigned contexts, unsigned shadow_words, bool protect, std::size_t bytes) {
  if (of_memory(fault)) {
    const bool word = space_of(fault) == Space::Program;
    if (fault.word >= (word ? bytes / kInsnBytes : bytes)) throw HostError("the memory has no such place");
    if (fault.shadow && !protect) throw HostError("memories have no check bits in this core");
    if (!word && fault.mask > (fault.shadow ? 1 : 0xff)) throw HostError("a byte of a memory has no such bit");
    if (word && fault.shadow && fault.mask > 0xff) throw HostError("a word has no such check bit");
    return;
  }
  if (fault.mask > 0xffffffff) throw HostError("a word of a stream context has no such bit");
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
      if (fault.cycle > cycle || of_memory(fault)) return false;
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
  // Contexts are zeroed and nothing more is flipped; memories stay as they are.
  void clear() {
    pending_.clear();
    differences_ = {};
    settle();
  }

  // Does those of a memory up to a cycle, by flip(space, word, mask).
  template <class Flip>
  void reach_memory(std::uint64_t cycle, Space space, const Flip& flip) {
    std::erase_if(pending_, [&](const Fault& fault) {
      if (fault.cycle > cycle || !of_memory(fault) || space_of(fault) != space) return false;
      if (!fault.shadow) flip(space, fault.word, fault.mask);
      wrong_.push_back(fault);
      return true;
    });
    settle();
  }
  // Whether the check of what is read at a place of a memory fails.
  bool wrong(Space space, std::size_t at) const {
    std::uint64_t check = 0;
    for (const Fault& f : wrong_) {
      if (space_of(f) != space || f.word != at) continue;
      if (space == Space::Program)
        check ^= f.shadow ? f.mask : check_difference(f.mask);
      else
        check ^= static_cast<std::uint64_t>(std::popcount(f.mask) & 1);
    }
    return check != 0;
  }
  // A place of a memory is written.
  void written(Space space, std::size_t at) {
    std::erase_if(wrong_, [=](const Fault& f) { return space_of(f) == space && f.word == at; });
    settle();
  }
  // All places but those of programs are written.
  void wiped() {
    std::erase_if(wrong_, [](const Fault& f) { return space_of(f) != Space::Program; });
    settle();
  }

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
    any_ = !pending_.empty() || !wrong_.empty() ||
           std::any_of(differences_.begin(), differences_.end(),
                       [](const LfsrWords& words) { return words != LfsrWords{}; });
  }

  std::vector<Fault> pending_;
  std::vector<Fault> wrong_;  // done to memories, where nothing has been written since
  std::array<LfsrWords, kStreamContexts> differences_{};
  bool any_ = false;
};

}  // namespace lutra
