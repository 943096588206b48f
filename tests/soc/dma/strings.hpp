// Strings as the bench asks for them, and what the units have to make of them: where each byte is, and which fault it
// meets. Written from the design alone, byte by byte.
#pragma once

#include <vector>

#include "memory.hpp"

constexpr uint64_t kSpace = 1ull << 40;

enum class Fault : uint8_t { kNone, kAddress, kElement, kBus };

struct Window {
  uint64_t base = 0, limit = 0;
  bool holds(uint64_t address, uint64_t bytes) const {
    return address < kSpace && address >= base && address + bytes <= limit && address + bytes <= kSpace;
  }
};

struct String {
  uint64_t address = 0;
  uint32_t bytes = 0;
  bool list = false;
  bool ring = false;
  bool goes_on = false;
};

struct Place {
  uint64_t address = 0;
  Fault fault = Fault::kNone;
  bool begins = false;  // a segment, or a string
};

inline uint32_t word(const Memory& memory, uint64_t address, bool big_endian) {
  uint32_t value = 0;
  for (unsigned i = 0; i < 4; i++) value |= uint32_t(memory.read(address + i)) << 8 * (big_endian ? 3 - i : i);
  return value;
}

class Reference {
 public:
  std::vector<uint64_t> elements;  // addresses that were read

  Fault fault() const { return fault_; }

  std::vector<Place> places(const String& string, const Memory& memory, const Window& window, bool big_endian) {
    if (!string.goes_on) {
      list_ = string.list;
      fault_ = Fault::kNone;
      (list_ ? pointer_ : address_) = string.address;
      left_ = 0;
      ended_ = false;
      fetched_ = pointer_;
    }
    if (!list_) {
      left_ = string.bytes;
      if (fault_ == Fault::kNone && string.bytes && !window.holds(address_, string.bytes)) fault_ = Fault::kAddress;
    }
    std::vector<Place> found;
    bool begins = true;
    for (uint32_t i = 0; i < string.bytes; i++) {
      if (fault_ == Fault::kNone && left_ == 0) {
        fault_ = next(memory, window, big_endian);
        begins = true;
      }
      found.push_back({address_, fault_, begins});
      begins = false;
      address_++;
      left_--;
    }
    return found;
  }

 private:
  Fault next(const Memory& memory, const Window& window, bool big_endian) {
    if (ended_) return Fault::kElement;
    if (pointer_ % 16 || !window.holds(pointer_, 16)) return Fault::kAddress;
    // Fetched together: to the end of 64 bytes, where the window has them.
    if (pointer_ == fetched_) {
      uint64_t end = pointer_ / 64 * 64 + 64;
      if (!window.holds(pointer_, end - pointer_)) end = pointer_ + 16;
      for (; fetched_ != end; fetched_ += 16) elements.push_back(fetched_);
    }
    if (memory.bad(pointer_)) return Fault::kBus;
    address_ = word(memory, pointer_, big_endian) | uint64_t(word(memory, pointer_ + 4, big_endian)) << 32;
    left_ = word(memory, pointer_ + 8, big_endian);
    uint32_t flags = word(memory, pointer_ + 12, big_endian);
    ended_ = flags & 1;
    pointer_ += 16;
    if (left_ == 0 || flags >> 1) return Fault::kElement;
    return window.holds(address_, left_) ? Fault::kNone : Fault::kAddress;
  }

  bool list_ = false, ended_ = false;
  Fault fault_ = Fault::kNone;
  uint64_t address_ = 0, pointer_ = 0, left_ = 0, fetched_ = 0;
};
