// Searches for the shortest formula of an S-box of four bits: `search TABLE MOST` prints the instructions of one, each
// of which is a logic instruction of two or three registers, or says that there is none of at most MOST.
//
// Functions of the four inputs are truth tables, up to complements, which the instructions absorb: of a and b they have
// every product of the two or of their complements. A formula is then a set of functions. The four results are in it in
// any case, so each is taken as soon as it can be; what the search tries is the other functions.

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Function = std::uint16_t;  // bit i: the value for inputs i

constexpr int kInputs = 4;
constexpr int kResults = 4;
constexpr int kMost = 12;  // instructions

// A function or its complement, whichever is 0 for inputs 0.
Function normal(unsigned f) { return static_cast<Function>((f & 1) != 0 ? ~f : f); }

// The product of a and b in polarity p: bit 0 complements a, bit 1 complements b.
Function product(Function a, Function b, int p) { return normal(((p & 1) != 0 ? ~a : a) & ((p & 2) != 0 ? ~b : b)); }

class Search {
 public:
  explicit Search(const std::array<Function, kResults>& results) : results_(results), banned_(1 << 16) {
    for (int i = 0; i < kInputs; ++i) {
      unsigned f = 0;
      for (unsigned x = 0; x < 16; ++x) {
        f |= (x >> i & 1U) << x;
      }
      known_[size_++] = normal(f);
    }
  }

  // Whether there is a formula with `others` functions besides the results; `formula` has it.
  bool find(int others) {
    const int before = size_;
    take_results();
    if (missing() == 0) {
      formula_.assign(known_.begin(), known_.begin() + size_);
      return true;
    }
    const bool found = others > 0 && (others == 1 ? last() : next(others));
    size_ = before;
    return found;
  }

  const std::vector<Function>& formula() const { return formula_; }

 private:
  // Every function that one instruction makes of the known ones, once each.
  std::vector<Function> candidates() const {
    std::vector<Function> found;
    std::vector<bool> seen(1 << 16);
    for (int i = 0; i < size_; ++i) {
      seen[known_[i]] = true;
    }
    seen[0] = true;
    const auto add = [&](Function f) {
      if (!seen[f]) {
        seen[f] = true;
        if (!banned_[f]) {
          found.push_back(f);
        }
      }
    };
    for (int i = 0; i < size_; ++i) {
      for (int j = 0; j < i; ++j) {
        each_pair(known_[i], known_[j], [&](Function f) {
          add(f);
          for (int k = 0; k < size_; ++k) {
            add(static_cast<Function>(f ^ known_[k]));
          }
        });
      }
    }
    return found;
  }

  template <typename Visit>
  static void each_pair(Function a, Function b, const Visit& visit) {
    visit(static_cast<Function>(a ^ b));
    for (int p = 0; p < 4; ++p) {
      visit(product(a, b, p));
    }
  }

  // Adds each result that an instruction makes of what is known, until there is none.
  void take_results() {
    while (const unsigned found = makeable()) {
      known_[size_++] = results_[std::countr_zero(found)];
    }
  }

  unsigned missing() const {
    unsigned bits = (1U << kResults) - 1;
    for (int i = 0; i < size_; ++i) {
      for (int r = 0; r < kResults; ++r) {
        bits &= known_[i] == results_[r] ? ~(1U << r) : ~0U;
      }
    }
    return bits;
  }

  // The missing results that one instruction makes of what is known: a pair, and another function or none.
  unsigned makeable() {
    const unsigned bits = missing();
    mark(bits, true);
    unsigned found = 0;
    for (int i = 0; i < size_; ++i) {
      for (int j = 0; j < i; ++j) {
        each_pair(known_[i], known_[j], [&](Function f) { found |= marks_[f]; });
      }
    }
    mark(bits, false);
    return found;
  }

  // Marks what makes a result by XOR with a known function or none.
  void mark(unsigned bits, bool on) {
    for (int r = 0; r < kResults; ++r) {
      if ((bits >> r & 1U) == 0) {
        continue;
      }
      const auto change = [&](Function f) { marks_[f] = static_cast<std::uint8_t>(on ? marks_[f] | 1U << r : 0); };
      change(results_[r]);
      for (int i = 0; i < size_; ++i) {
        change(static_cast<Function>(results_[r] ^ known_[i]));
      }
    }
  }

  // Tries each candidate; a formula with an earlier one has been looked for already, so later ones do without it.
  bool next(int others) {
    const std::vector<Function> tried = candidates();
    bool found = false;
    std::size_t n = 0;
    for (; n < tried.size() && !found; ++n) {
      known_[size_++] = tried[n];
      found = find(others - 1);
      --size_;
      banned_[tried[n]] = true;
    }
    for (std::size_t i = 0; i < n; ++i) {
      banned_[tried[i]] = false;
    }
    return found;
  }

  // As `next`, for the last function: one that makes no result at once is not worth a look.
  bool last() {
    const std::vector<Function> tried = candidates();
    const unsigned bits = missing();
    std::vector<std::uint8_t> useful(1 << 16);
    mark(bits, true);
    // As a term of a sum: with a pair, or with another function, of what is known.
    for (int r = 0; r < kResults; ++r) {
      if ((bits >> r & 1U) != 0) {
        for (int i = 0; i < size_; ++i) {
          useful[results_[r] ^ known_[i]] = 1;
          for (int j = 0; j < i; ++j) {
            each_pair(known_[i], known_[j], [&](Function f) { useful[f ^ results_[r]] = 1; });
          }
        }
      }
    }
    std::vector<Function> worth;
    for (const Function f : tried) {
      bool is = useful[f] != 0;
      for (int i = 0; i < size_ && !is; ++i) {
        for (int p = 0; p < 4 && !is; ++p) {
          is = marks_[product(f, known_[i], p)] != 0;
        }
      }
      if (is) {
        worth.push_back(f);
      }
    }
    mark(bits, false);
    for (const Function f : worth) {
      known_[size_++] = f;
      const bool found = find(0);
      --size_;
      if (found) {
        return true;
      }
    }
    return false;
  }

  std::array<Function, kResults> results_;
  std::array<Function, kInputs + kMost> known_{};
  int size_ = 0;
  std::vector<bool> banned_;
  std::array<std::uint8_t, 1 << 16> marks_{};
  std::vector<Function> formula_;
};

}  // namespace

int main(int count, char** arguments) {
  const std::string table = count == 3 ? arguments[1] : "";
  const int most = count == 3 ? std::atoi(arguments[2]) : 0;
  if (table.size() != 16 || table.find_first_not_of("0123456789abcdef") != std::string::npos || most < kResults ||
      most > kMost) {
    std::fprintf(stderr, "usage: search TABLE MOST: 16 hexadecimal digits, and 4 to %d instructions\n", kMost);
    return 2;
  }
  std::array<Function, kResults> results{};
  for (int r = 0; r < kResults; ++r) {
    unsigned f = 0;
    for (unsigned x = 0; x < 16; ++x) {
      f |= (std::stoul(table.substr(x, 1), nullptr, 16) >> r & 1U) << x;
    }
    results[r] = normal(f);
  }
  Search search(results);
  for (int cost = kResults; cost <= most; ++cost) {
    if (search.find(cost - kResults)) {
      for (const Function f : search.formula()) {
        std::printf("%04x\n", f);
      }
      return 0;
    }
  }
  return 1;
}
