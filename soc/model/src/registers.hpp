// The register file: storage, and what a write does to each bit, from the generated table.
#pragma once

#include <array>
#include <cstdint>

#include "layout.hpp"

namespace lutra::soc {

class Registers {
 public:
  Registers() {
#define LUTRA_REGISTER(offset, reset, rw, woset, woclr, pulse) \
  words_[(offset) / 4] = reset;                                \
  rules_[(offset) / 4] = {rw, woset, woclr, pulse};
    LUTRA_AXI_REGISTERS(LUTRA_REGISTER)
#undef LUTRA_REGISTER
  }

  // Hardware's side.
  std::uint32_t operator[](std::size_t offset) const { return words_[offset / 4]; }
  std::uint32_t& operator[](std::size_t offset) { return words_[offset / 4]; }
  std::uint64_t pair(std::size_t low) const { return joined((*this)[low], (*this)[low + 4]); }

  // Software's side; addresses without a register ignore writes. Returns the pulses of this write.
  std::uint32_t write(std::size_t offset, std::uint32_t value) {
    if (offset / 4 >= words_.size()) return 0;
    const Rule& rule = rules_[offset / 4];
    std::uint32_t& word = words_[offset / 4];
    word = (word & ~rule.rw) | (value & rule.rw);
    word |= value & rule.woset;
    word &= ~(value & rule.woclr);
    return value & rule.pulse;
  }

 private:
  struct Rule {
    std::uint32_t rw, woset, woclr, pulse;
  };
  std::array<std::uint32_t, sizeof(lutra_axi_t) / 4> words_{};
  std::array<Rule, sizeof(lutra_axi_t) / 4> rules_{};
};

}  // namespace lutra::soc
