// A stack of bounded depth that is part of the object around it.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace lutra {

template <class T, std::size_t depth>
class Stack {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& back() { return elements_[size_ - 1]; }
  const T& back() const { return elements_[size_ - 1]; }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }
  void push_back(const T& element) {
    assert(size_ < depth);
    elements_[size_++] = element;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  // New elements are zero.
  void resize(std::size_t size) {
    assert(size <= depth);
    for (std::size_t i = size_; i < size; ++i) elements_[i] = T{};
    size_ = size;
  }

 private:
  std::array<T, depth> elements_{};
  std::size_t size_ = 0;
};

}  // namespace lutra
