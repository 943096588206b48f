// The device model with a memory of its own, as the scoreboard's reference, by DPI-C (lutra_soc_reference_pkg.sv).
#include <svdpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "lutra_model.h"

namespace {

struct Range {
  std::uint64_t first, end;
};

class Reference {
 public:
  Reference(std::uint64_t base, std::size_t size) : base_(base), bytes_(size) { reset(); }

  void reset() {
    const lutra_model_bus bus{this, read, write};
    model_.reset(lutra_model_new(&bus, false));
  }
  lutra_model* model() { return model_.get(); }
  std::uint8_t* byte(std::uint64_t address) { return holds(address, 1) ? &bytes_[address - base_] : nullptr; }

  std::vector<Range> bad_reads, bad_writes;

 private:
  bool holds(std::uint64_t address, std::size_t length) const {
    return address >= base_ && length <= bytes_.size() && address - base_ <= bytes_.size() - length;
  }
  static bool meets(const std::vector<Range>& bad, std::uint64_t first, std::size_t length) {
    for (const Range& r : bad)
      if (first < r.end && r.first < first + length) return true;
    return false;
  }
  static bool read(void* context, std::uint64_t address, void* to, std::size_t length) {
    auto& self = *static_cast<Reference*>(context);
    if (!self.holds(address, length) || meets(self.bad_reads, address, length)) return false;
    std::copy_n(self.byte(address), length, static_cast<std::uint8_t*>(to));
    return true;
  }
  static bool write(void* context, std::uint64_t address, const void* from, std::size_t length) {
    auto& self = *static_cast<Reference*>(context);
    if (!self.holds(address, length) || meets(self.bad_writes, address, length)) return false;
    std::copy_n(static_cast<const std::uint8_t*>(from), length, self.byte(address));
    return true;
  }

  struct Delete {
    void operator()(lutra_model* model) const { lutra_model_delete(model); }
  };
  std::uint64_t base_;
  std::vector<std::uint8_t> bytes_;
  std::unique_ptr<lutra_model, Delete> model_;
};

// There is one device.
std::unique_ptr<Reference> reference;

}  // namespace

extern "C" {

void lutra_soc_reference_new(long long base, int size) {
  reference = std::make_unique<Reference>(static_cast<std::uint64_t>(base), static_cast<std::size_t>(size));
}

void lutra_soc_reference_reset() { reference->reset(); }

void lutra_soc_reference_write(int offset, int value) {
  lutra_model_write(reference->model(), static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(value));
}

int lutra_soc_reference_read(int offset) {
  return static_cast<int>(lutra_model_read(reference->model(), static_cast<std::uint32_t>(offset)));
}

svBit lutra_soc_reference_run(long long cycles) {
  lutra_model_run(reference->model(), static_cast<std::uint64_t>(cycles));
  return lutra_model_idle(reference->model());
}

void lutra_soc_reference_put(long long address, int value) {
  if (std::uint8_t* byte = reference->byte(static_cast<std::uint64_t>(address)))
    *byte = static_cast<std::uint8_t>(value);
}

// Eight bytes, the first in the lowest bits.
long long lutra_soc_reference_word(long long address) {
  std::uint64_t word = 0;
  for (unsigned i = 8; i-- > 0;) word = word << 8 | *reference->byte(static_cast<std::uint64_t>(address) + i);
  return static_cast<long long>(word);
}

void lutra_soc_reference_fail(svBit write, long long first, int bytes) {
  auto& bad = write ? reference->bad_writes : reference->bad_reads;
  bad.push_back({static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(first) + static_cast<unsigned>(bytes)});
}

void lutra_soc_reference_heal() {
  reference->bad_reads.clear();
  reference->bad_writes.clear();
}

}  // extern "C"
