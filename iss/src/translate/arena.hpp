// Memory for translated code and for what it addresses, in the lowest 2 GB, so that addresses have 31 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lutra {

class Arena {
 public:
  static constexpr std::size_t kCode = 1 << 21, kData = 1 << 20;

  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // False where the host gives no such memory; nothing else may be called then.
  bool usable() const { return base_ != nullptr; }

  // `clear` frees what was added after `keep`.
  void keep() { kept_code_ = code_, kept_data_ = data_; }
  void clear() { code_ = kept_code_, data_ = kept_data_; }

  // Zeroed memory for data, which stays; null when it is used up.
  void* data(std::size_t bytes, std::size_t alignment);

  // Place for code that is written now and executed after `seal`; null when it is used up. Never both at a time.
  std::uint8_t* open(std::size_t bytes);
  bool seal();

 private:
  std::uint8_t* base_ = nullptr;
  std::size_t code_ = 0, data_ = 0, kept_code_ = 0, kept_data_ = 0;
};

}  // namespace lutra
