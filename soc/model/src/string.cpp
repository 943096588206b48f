#include "string.hpp"

#include <algorithm>
#include <array>

namespace lutra::soc {

Status String::element() {
  std::array<std::uint8_t, sizeof(lutra_element_t)> bytes;
  if (ended_) return LUTRA_STATUS_BAD_DESCRIPTOR;
  if (next_ % bytes.size() != 0 || !window_.holds(next_, bytes.size())) return LUTRA_STATUS_BAD_ADDRESS;
  if (!bus_->read(next_, bytes)) return LUTRA_STATUS_READ_ERROR;
#define LUTRA_WORD(member) word_at(bytes.data() + offsetof(lutra_element_t, member), big_)
  address_ = joined(LUTRA_WORD(address_low), LUTRA_WORD(address_high));
  left_ = LUTRA_WORD(length);
  const std::uint32_t flags = LUTRA_WORD(flags);
#undef LUTRA_WORD
  if (left_ == 0 || (flags & ~LUTRA_ELEMENT__FLAGS__LAST_bm) != 0) return LUTRA_STATUS_BAD_DESCRIPTOR;
  if (!window_.holds(address_, left_)) return LUTRA_STATUS_BAD_ADDRESS;
  ended_ = LUTRA_GET(flags, LUTRA_ELEMENT__FLAGS__LAST) != 0;
  next_ += bytes.size();
  return LUTRA_STATUS_OK;
}

Status String::piece(std::size_t bytes, std::uint64_t& address, std::size_t& length) {
  if (list_ && left_ == 0)
    if (const Status bad = element(); bad != LUTRA_STATUS_OK) return bad;
  length = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left_));
  address = address_;
  if (!window_.holds(address, length)) return LUTRA_STATUS_BAD_ADDRESS;
  address_ += length;
  left_ -= length;
  return LUTRA_STATUS_OK;
}

Status String::read(std::span<std::uint8_t> bytes) {
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
  if (bus_ == nullptr) {
    const std::size_t length = std::min(bytes.size(), inlined_.size());
    std::copy_n(inlined_.begin(), length, bytes.begin());
    inlined_ = inlined_.subspan(length);
    return LUTRA_STATUS_OK;
  }
  while (failed_ == LUTRA_STATUS_OK && !bytes.empty()) {
    std::uint64_t address;
    std::size_t length;
    failed_ = piece(bytes.size(), address, length);
    if (failed_ != LUTRA_STATUS_OK) break;
    if (!bus_->read(address, bytes.first(length))) failed_ = LUTRA_STATUS_READ_ERROR;
    bytes = bytes.subspan(length);
  }
  return failed_;
}

Status String::write(std::span<const std::uint8_t> bytes) {
  while (failed_ == LUTRA_STATUS_OK && !bytes.empty()) {
    std::uint64_t address;
    std::size_t length;
    failed_ = piece(bytes.size(), address, length);
    if (failed_ == LUTRA_STATUS_READ_ERROR) failed_ = LUTRA_STATUS_WRITE_ERROR;  // of its list
    if (failed_ != LUTRA_STATUS_OK) break;
    if (bus_->write(address, bytes.first(length)))
      written_ += static_cast<std::uint32_t>(length);
    else
      failed_ = LUTRA_STATUS_WRITE_ERROR;
    bytes = bytes.subspan(length);
  }
  return failed_;
}

}  // namespace lutra::soc
