// The simulator as the scoreboard's reference model, by DPI-C (lutra_reference_pkg.sv).
#include <svdpi.h>

#include <algorithm>

#include "host_writes.hpp"
#include "lockstep.hpp"
#include "observed.hpp"
#include "retire_bits.hpp"
#include "srams.hpp"

namespace {

using namespace lutra;

Memories memories() { return verilated::find_memories(*Verilated::threadContextp(), "tb_top.dut"); }

// There is one core.
uvm::Observed observed;

struct Reference {
  Reference(int rounds, int delay) : lockstep(rounds), writes(lockstep.iss(), static_cast<std::uint64_t>(delay)) {
    uvm::copy_memories(memories(), lockstep.iss());
  }

  Lockstep lockstep;
  uvm::HostWrites writes;
  // At the beginning, and after a reset of a program that runs, registers of data are what they are in the core.
  bool unknown = true;
  std::string text;  // last message, kept while the caller uses it
};

Reference& self(void* handle) { return *static_cast<Reference*>(handle); }

// A row in bytes; false beyond the space, where the core ignores a write and reads zero.
bool place(const Machine& iss, Space space, int row, std::size_t& offset, std::size_t& bytes) {
  bytes = space == Space::Program ? kInsnBytes : kVectorBytes;
  offset = static_cast<std::size_t>(row) * bytes;
  return offset < iss.size(space);
}

bool is_memory(Space space) { return kSpaceBlocks[static_cast<std::size_t>(space)] != 0; }

}  // namespace

extern "C" {

void* lutra_reference_new(int rounds, int delay) { return new Reference(rounds, delay); }

void lutra_reference_delete(void* handle) { delete &self(handle); }

void lutra_reference_reset(void* handle) {
  Reference& r = self(handle);
  r.writes.take_effect();
  r.unknown |= r.lockstep.iss().state() == CoreState::Running;
  r.lockstep.reset();
}

void lutra_reference_start(void* handle, int pc) {
  Reference& r = self(handle);
  r.writes.take_effect();
  if (r.unknown) r.lockstep.keep(observed.registers);
  r.unknown = false;
  r.lockstep.start(static_cast<std::uint16_t>(pc));
}

void lutra_reference_resume(void* handle) {
  self(handle).writes.take_effect();
  self(handle).lockstep.resume();
}

void lutra_reference_wipe(void* handle) {
  self(handle).writes.take_effect();
  self(handle).lockstep.iss().wipe();
}

svBit lutra_reference_closed(void* handle) { return self(handle).lockstep.iss().closed(); }

// Whether the host may access closed memories is decided by its cycle; a write takes effect later (host_writes.hpp).
void lutra_reference_write(void* handle, long long clock, int code, int row, const svBitVecVal* data) {
  Reference& r = self(handle);
  const auto space = static_cast<Space>(code);
  std::size_t offset, bytes;
  if (!place(r.lockstep.iss(), space, row, offset, bytes)) return;
  if (is_memory(space)) return r.writes.write(static_cast<std::uint64_t>(clock), space, offset, bits_to_vec(data));
  Vec v = bits_to_vec(data);
  if (space == Space::Program)
    for (std::size_t i = 0; i < kInsnBytes; ++i) v[i] = static_cast<std::uint8_t>(data[i / 4] >> (8 * (i % 4)));
  r.lockstep.iss().poke(space, offset, std::span(v).first(bytes));
}

void lutra_reference_read(void* handle, int code, int row, svBitVecVal* data) {
  Reference& r = self(handle);
  const auto space = static_cast<Space>(code);
  std::size_t offset, bytes;
  Vec v{};
  if (!place(r.lockstep.iss(), space, row, offset, bytes) || space == Space::BankBoth) return vec_to_bits(data, v);
  const auto found = r.lockstep.iss().peek(space, offset, bytes);
  std::copy(found.begin(), found.end(), v.begin());
  if (is_memory(space)) r.writes.overlay(space, offset, v);
  vec_to_bits(data, v);
  if (space == Space::Program)
    for (std::size_t w = 0; w < 4; ++w) {
      data[w] = 0;
      for (std::size_t i = 4; i-- > 0;) data[w] = data[w] << 8 | v[4 * w + i];
    }
}

svBit lutra_reference_retired(void* handle, long long clock, const svBitVecVal* record) {
  Reference& r = self(handle);
  Retire rtl;
  unpack_retire(record, rtl);
  r.writes.take_effect(static_cast<std::uint64_t>(clock));
  if (!r.lockstep.retired(rtl)) return 0;
  r.writes.stored(static_cast<std::uint64_t>(clock), rtl);
  return 1;
}

void lutra_reference_observe(const svBitVecVal* registers) { observed.take(registers, memories()); }

// By the observed cycle, host writes granted before it have taken effect.
svBit lutra_reference_stopped(void* handle, int state, int trap, int pc, long long cycles, long long instructions,
                              const svBitVecVal* stalls) {
  Reference& r = self(handle);
  r.writes.take_effect();
  return r.lockstep.stopped({static_cast<CoreState>(state), static_cast<Trap>(trap), static_cast<std::uint16_t>(pc),
                             static_cast<std::uint64_t>(cycles), static_cast<std::uint64_t>(instructions),
                             std::vector<std::uint64_t>(stalls, stalls + kStallCauses)}) &&
         r.lockstep.same_state(observed.registers, observed.memories());
}

void lutra_reference_silent(void* handle) { self(handle).lockstep.silent(); }

const char* lutra_reference_report(void* handle) {
  Reference& r = self(handle);
  const auto& divergence = r.lockstep.divergence();
  r.text = divergence ? divergence->report() : "";
  return r.text.c_str();
}

}  // extern "C"
