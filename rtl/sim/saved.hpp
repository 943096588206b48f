// Verilator's streams of a model's state, to memory and from it.
#pragma once

#include <verilated_save.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace lutra::verilated {

class Saving final : public VerilatedSerialize {
 public:
  explicit Saving(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  void flush() override {
    bytes_.insert(bytes_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }

 private:
  std::vector<std::uint8_t>& bytes_;
};

class Restoring final : public VerilatedDeserialize {
 public:
  explicit Restoring(std::span<const std::uint8_t> bytes) : bytes_(bytes) { m_endp = m_bufp; }

 private:
  // More after what is not read yet.
  void fill() override {
    if (bytes_.empty()) return;
    const auto left = static_cast<std::size_t>(m_endp - m_cp);
    std::memmove(m_bufp, m_cp, left);
    const std::size_t more = std::min(bytes_.size(), bufferSize() - left);
    std::copy_n(bytes_.begin(), more, m_bufp + left);
    bytes_ = bytes_.subspan(more);
    m_cp = m_bufp;
    m_endp = m_bufp + left + more;
  }

  std::span<const std::uint8_t> bytes_;
};

}  // namespace lutra::verilated
