// Executable memory of Linux on x86-64; other hosts have none.
#include "translate/arena.hpp"

#include <sys/mman.h>

#include <cstring>

namespace lutra {

Arena::Arena() {
#ifdef MAP_32BIT
  void* at = mmap(nullptr, kCode + kData, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
  if (at == MAP_FAILED) return;
  base_ = static_cast<std::uint8_t*>(at);
  // A host that forbids execution says so here.
  if (seal()) return;
  munmap(base_, kCode + kData);
  base_ = nullptr;
#endif
}

Arena::~Arena() {
  if (base_ != nullptr) munmap(base_, kCode + kData);
}

void* Arena::data(std::size_t bytes, std::size_t alignment) {
  data_ = (data_ + alignment - 1) / alignment * alignment;
  if (bytes > kData - data_) return nullptr;
  void* at = base_ + kCode + data_;
  data_ += bytes;
  return std::memset(at, 0, bytes);
}

std::uint8_t* Arena::open(std::size_t bytes) {
  if (bytes > kCode - code_ || mprotect(base_, kCode, PROT_READ | PROT_WRITE) != 0) return nullptr;
  std::uint8_t* at = base_ + code_;
  code_ += bytes;
  return at;
}

bool Arena::seal() { return mprotect(base_, kCode, PROT_READ | PROT_EXEC) == 0; }

}  // namespace lutra
