// The bytes that a descriptor points to: in one piece, in a list of elements, or in the descriptor itself.
#pragma once

#include <cstdint>
#include <span>

#include "bus.hpp"
#include "layout.hpp"

namespace lutra::soc {

inline constexpr unsigned kAddressBits = 40;

// Where a ring may point.
struct Window {
  std::uint64_t base, limit;
  bool holds(std::uint64_t address, std::uint64_t bytes) const {
    constexpr std::uint64_t kEnd = std::uint64_t{1} << kAddressBits;
    if (bytes == 0) return true;
    const std::uint64_t end = limit < kEnd ? limit : kEnd;
    return address >= base && address < end && bytes <= end - address;
  }
};

// Reads or writes one string from its beginning on. After an error nothing is accessed any more.
class String {
 public:
  String() = default;
  String(Bus& bus, const Window& window, bool big, std::uint64_t address, bool list)
      : bus_(&bus), window_(window), big_(big), list_(list), next_(address) {
    if (!list) address_ = address, left_ = ~std::uint64_t{0};
  }
  explicit String(std::span<const std::uint8_t> inlined) : inlined_(inlined) {}

  // Bytes that cannot be read are zero.
  Status read(std::span<std::uint8_t> bytes);
  Status write(std::span<const std::uint8_t> bytes);
  std::uint32_t written() const { return written_; }

 private:
  // The piece that follows, of at most `bytes`; moves on behind it.
  Status piece(std::size_t bytes, std::uint64_t& address, std::size_t& length);
  Status element();

  Bus* bus_ = nullptr;
  Window window_{};
  bool big_ = false, list_ = false, ended_ = false;
  std::uint64_t next_ = 0;  // element
  std::uint64_t address_ = 0, left_ = 0;
  std::span<const std::uint8_t> inlined_{};
  std::uint32_t written_ = 0;
  Status failed_ = LUTRA_STATUS_OK;
};

}  // namespace lutra::soc
