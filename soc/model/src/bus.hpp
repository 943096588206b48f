// The memory that a device reaches, and its image of a flat buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace lutra::soc {

// False is an error response; a write with one may have changed nothing.
class Bus {
 public:
  virtual ~Bus() = default;
  virtual bool read(std::uint64_t address, std::span<std::uint8_t> bytes) = 0;
  virtual bool write(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
};

// Bytes from `base` on. Outside of them, and in the ranges that a test marks as bad, the bus answers with an error.
class FlatMemory final : public Bus {
 public:
  struct Range {
    std::uint64_t first, end;
    bool meets(std::uint64_t address, std::size_t length) const { return address < end && address + length > first; }
  };

  FlatMemory(std::span<std::uint8_t> bytes, std::uint64_t base) : bytes_(bytes), base_(base) {}

  bool read(std::uint64_t address, std::span<std::uint8_t> bytes) override {
    if (!has(address, bytes.size(), bad_reads_)) return false;
    if (!bytes.empty()) std::memcpy(bytes.data(), bytes_.data() + (address - base_), bytes.size());
    return true;
  }
  bool write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    if (!has(address, bytes.size(), bad_writes_)) return false;
    if (!bytes.empty()) std::memcpy(bytes_.data() + (address - base_), bytes.data(), bytes.size());
    return true;
  }
  void fail_reads(Range range) { bad_reads_.push_back(range); }
  void fail_writes(Range range) { bad_writes_.push_back(range); }
  void heal() { bad_reads_.clear(), bad_writes_.clear(); }

 private:
  bool has(std::uint64_t address, std::size_t length, const std::vector<Range>& bad) const {
    if (address < base_ || address - base_ > bytes_.size() || length > bytes_.size() - (address - base_)) return false;
    return std::none_of(bad.begin(), bad.end(), [&](const Range& r) { return r.meets(address, length); });
  }

  std::span<std::uint8_t> bytes_;
  std::uint64_t base_;
  std::vector<Range> bad_reads_, bad_writes_;
};

}  // namespace lutra::soc
