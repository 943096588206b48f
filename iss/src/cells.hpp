// Cells: numbers for everything that instructions touch. A timeline keeps the last touch of every cell.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "lutra_retire.hpp"
#include "lutra_state.hpp"
#include "retire_text.hpp"

namespace lutra {

// Index of the first cell of a kind. Writes touch registers, stores touch rows, execution touches program addresses; a
// depth of the call stack by every instruction that leaves it.
struct Cells {
  static constexpr std::size_t kVectors = 0;  // by code: ctr, wk and hold are among them
  static constexpr std::size_t kAddress = kVectors + kVectorCodes;
  static constexpr std::size_t kContexts = kAddress + kAddressRegs;
  static constexpr std::size_t kHash = kContexts + kStreamContexts;  // gh, gx, gy, gt, gu
  static constexpr std::size_t kFlag = kHash + 5;
  static constexpr std::size_t kLoops = kFlag + 1;
  static constexpr std::size_t kCalls = kLoops + 1;
  static constexpr std::size_t kNotify = kCalls + 1;
  static constexpr std::size_t kResume = kNotify + 1;
  static constexpr std::size_t kDepths = kResume + 1;
  static constexpr std::size_t kBlocks = kDepths + kCallDepth + 1;
  static constexpr std::size_t kBanks = kBlocks + kMemoryBlocks * kMemoryRows;
  static constexpr std::size_t kProgram = kBanks + kTableBanks * kTableRows;
  static constexpr std::size_t kCount = kProgram + kProgramWords;

  static constexpr std::size_t vector(VecCode code) { return kVectors + static_cast<std::size_t>(code); }

  // The cell of a register by its base name, e.g. `ar3` or `c0`; loop0 and call0 are part of their stacks.
  static std::optional<std::size_t> of_register(std::string_view name) {
    const Registers r;
    std::optional<std::size_t> found;
    each_register(r, Shown{}, [&](std::string_view value, const auto& at, bool, const std::string&) {
      if (value.substr(0, value.find('.')) == name && !found) found = of_value(r, &at);
    });
    return found;
  }

  // Calls visit(cell) for the row that holds a byte of a space: two cells for both banks, none for program memory or
  // beyond.
  template <class Visit>
  static void each_row(std::size_t space, std::size_t offset, const Visit& visit) {
    const std::size_t row = offset / kVectorBytes;
    if (space >= kSpaceBlocks.size()) return;
    for (std::size_t b = 0; b < kMemoryBlocks; ++b)
      if (((kSpaceBlocks[space] >> b) & 1) && row < kMemoryRows) visit(kBlocks + b * kMemoryRows + row);
    for (std::size_t t = 0; t < kTableBanks; ++t)
      if (((kSpaceBanks[space] >> t) & 1) && row < kTableRows) visit(kBanks + t * kTableRows + row);
  }

  // Fields that every record has: a cell is touched if its value has changed.
  struct Stacks {
    std::uint8_t loops = 0, calls = 0;
    std::uint16_t remaining = 0;
  };

  // Calls visit(cell) for everything that an instruction has touched.
  template <class Visit>
  [[gnu::always_inline]] static void each_touched(const Retire& r, Stacks& before, const Visit& visit) {
    if (r.pc < kProgramWords) visit(kProgram + r.pc);
    if (r.rd_en) visit(kVectors + r.rd);
    if (r.partner_en) visit(kVectors + r.rd + 1);
    if (r.hold_en) visit(vector(VecCode::HOLD));
    if (r.ctr_en || r.width_en) visit(vector(VecCode::CTR));
    for (unsigned mask = r.ar_mask; mask; mask &= mask - 1)
      visit(kAddress + static_cast<std::size_t>(std::countr_zero(mask)));
    if (r.step_en || r.window_en) visit(kAddress + r.config_ar);
    for (unsigned mask = r.context_mask; mask; mask &= mask - 1)
      visit(kContexts + static_cast<std::size_t>(std::countr_zero(mask)));
    if (r.hash_en)
      for (std::size_t i = kHash; i < kFlag; ++i) visit(i);
    if (r.flag_en) visit(kFlag);
    if (r.notify_en) visit(kNotify);
    if (r.wait_en) visit(kResume);
    each_store(r, [&visit](std::size_t space, std::size_t address, std::size_t lanes) {
      const std::size_t first = address + static_cast<std::size_t>(std::countr_zero(lanes));
      const std::size_t last = address + static_cast<std::size_t>(std::bit_width(lanes)) - 1;
      each_row(space, first, visit);
      if (last / kVectorBytes != first / kVectorBytes) each_row(space, last, visit);
    });
    const Stacks after{r.loop_depth, r.call_depth, r.loop_remaining};
    if (after.loops != before.loops || after.remaining != before.remaining) visit(kLoops);
    if (after.calls != before.calls) visit(kCalls);
    before = after;
    visit(depth(r.call_depth));
  }

  // The cell of a depth of the call stack; an impossible depth, from a wrong core, counts as full.
  static std::size_t depth(std::size_t calls) { return kDepths + std::min<std::size_t>(calls, kCallDepth); }

 private:
  // The cell of a value of `r`.
  static std::optional<std::size_t> of_value(const Registers& r, const void* at) {
    const auto of = [at](const auto& values, std::size_t first, bool one = false) -> std::optional<std::size_t> {
      for (std::size_t i = 0; i < values.size(); ++i)
        if (&values[i] == at) return first + (one ? 0 : i);
      return {};
    };
    for (const auto found : {of(r.v, kVectors), of(r.ar, kAddress), of(r.context_lfsr0, kContexts),
                             of(r.loop_start, kLoops, true), of(r.call_return, kCalls, true)})
      if (found) return found;
    const std::pair<const void*, std::size_t> single[] = {{&r.ctr, vector(VecCode::CTR)},
                                                          {&r.wk, vector(VecCode::WK)},
                                                          {&r.hold, vector(VecCode::HOLD)},
                                                          {&r.gh, kHash},
                                                          {&r.gx, kHash + 1},
                                                          {&r.gy, kHash + 2},
                                                          {&r.gt, kHash + 3},
                                                          {&r.gu, kHash + 4},
                                                          {&r.flag, kFlag},
                                                          {&r.loops, kLoops},
                                                          {&r.calls, kCalls},
                                                          {&r.notify, kNotify},
                                                          {&r.resume, kResume}};
    for (const auto& [value, cell] : single)
      if (value == at) return cell;
    return {};
  }
};

}  // namespace lutra
