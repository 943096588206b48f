// What one retired instruction did: the record that simulator and RTL are compared by.
#pragma once

#include <array>
#include <cstdint>

namespace lutra {

using Vec = std::array<std::uint8_t, 16>;  // byte 0 is the first byte in memory

struct Retire {
  std::uint64_t cycle = 0;  // of the instruction's WB stage
  std::uint64_t insn = 0;
  std::uint16_t pc = 0;
  std::uint8_t trap = 0;  // trap code of isa/machine.td, 0: none

  bool rd_en = false;
  std::uint8_t rd = 0;  // code of isa/registers.td
  Vec rd_value{};

  bool partner_en = false;  // the register behind rd
  Vec partner_value{};

  bool hold_en = false;
  Vec hold_value{};

  bool ctr_en = false;  // ctr++
  Vec ctr_value{};

  bool key_en = false, data_en = false;             // rows read through the key slot and the data slot
  std::uint16_t key_address = 0, data_address = 0;  // of which blocks is in the instruction

  bool store_en = false;
  std::uint8_t store_space = 0;  // code of isa/machine.td
  std::uint16_t store_address = 0;
  std::uint16_t store_lanes = 0;  // bit i: byte i of the value is written
  Vec store_value{};

  std::uint8_t ar_mask = 0;                 // address registers written: slots, address unit, vtoar
  std::array<std::uint16_t, 8> ar_value{};  // 0 where the mask is 0

  bool step_en = false, window_en = false, width_en = false;
  std::uint8_t config_ar = 0;                // whose step or window
  std::uint16_t config_n = 0, config_e = 0;  // step or AddrStart or width code; AddrEnd

  bool flag_en = false;
  bool flag = false;

  std::uint8_t context_mask = 0;        // stream contexts written
  std::array<Vec, 2> context_state{};   // r1, r2, r3, newest LFSR word; zero where the mask is 0
  std::array<Vec, 2> context_buffer{};  //
  std::array<Vec, 2> context_lfsr{};    // XOR of the LFSR's four rows

  std::uint8_t loop_depth = 0;  // after the instruction
  std::uint16_t loop_remaining = 0;
  std::uint8_t call_depth = 0;

  bool notify_en = false;
  std::uint8_t notify = 0;
  bool halt = false;
  bool wait = false;

  bool operator==(const Retire&) const = default;
};

}  // namespace lutra
