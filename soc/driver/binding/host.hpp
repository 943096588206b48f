// The host of the driver in Python, and a ring in its memory.
#ifndef LUTRA_SOC_DRIVER_BINDING_HOST_HPP
#define LUTRA_SOC_DRIVER_BINDING_HOST_HPP

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "lutra_soc.h"

namespace lutra::driver {

namespace nb = nanobind;

using Buffer = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// Cookie, result word, bytes, cycles.
using Done = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
constexpr std::size_t kRow = 16;

// The host of the driver. Its memory is a buffer whose first byte has address 0; time passes by the cycles for which
// the device runs while the driver waits, and by one with each look at the clock.
class Host {
 public:
  Host(nb::object device, Buffer memory, std::optional<nb::object> clean, std::optional<nb::object> invalidate,
       std::uint32_t patience, std::uint32_t turn)
      : device_(std::move(device)),
        memory_(std::move(memory)),
        clean_(std::move(clean)),
        invalidate_(std::move(invalidate)),
        turn_(turn) {
    soc_.context = this;
    soc_.read = [](void* context, std::uint32_t offset) {
      return at(context).guarded<std::uint32_t>(
          [&](Host& h) { return nb::cast<std::uint32_t>(h.device_.attr("read")(offset)); });
    };
    soc_.write = [](void* context, std::uint32_t offset, std::uint32_t value) {
      at(context).guarded<int>([&](Host& h) { return h.device_.attr("write")(offset, value), 0; });
    };
    if (clean_)
      soc_.clean = [](void* context, std::uint64_t address, std::uint32_t bytes) {
        at(context).guarded<int>([&](Host& h) { return (*h.clean_)(address, bytes), 0; });
      };
    if (invalidate_)
      soc_.invalidate = [](void* context, std::uint64_t address, std::uint32_t bytes) {
        at(context).guarded<int>([&](Host& h) { return (*h.invalidate_)(address, bytes), 0; });
      };
    soc_.time = [](void* context) { return ++at(context).now_; };
    soc_.wait = [](void* context) {
      at(context).guarded<int>([&](Host& h) { return h.device_.attr("run")(h.turn_), 0; });
      at(context).now_ += at(context).turn_;
    };
    soc_.patience = patience;
  }
  Host(const Host&) = delete;

  lutra_soc* soc() { return &soc_; }
  std::uint8_t* bytes(std::uint64_t address, std::size_t length) {
    if (address > memory_.size() || length > memory_.size() - address)
      throw nb::value_error("beyond the host's memory");
    return memory_.data() + address;
  }
  std::uint32_t now() const { return now_; }
  // Re-raises what a callback has raised.
  template <class T>
  T checked(T value) {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
    return value;
  }

 private:
  static Host& at(void* context) { return *static_cast<Host*>(context); }
  template <class T, class Call>
  T guarded(Call call) noexcept {
    try {
      if (!raised_) return call(*this);
    } catch (...) {
      raised_ = std::current_exception();
    }
    return T(~0u);
  }

  nb::object device_;
  Buffer memory_;
  std::optional<nb::object> clean_, invalidate_;
  std::uint32_t turn_, now_ = 0;
  lutra_soc soc_{};
  std::exception_ptr raised_;
};

class Ring {
 public:
  Ring(Host& host, std::uint32_t number, std::uint64_t address, std::uint32_t log2, std::uint8_t first_context,
       std::uint8_t contexts, lutra_soc* soc = nullptr)
      : host_(host), soc_(soc != nullptr ? soc : host.soc()), number_(number) {
    memory_ = {host.bytes(address, log2 < 16 ? LUTRA_RING_BYTES(log2) : 0), address, log2, first_context, contexts};
  }
  // One that is opened as a part of something else.
  Ring(Host& host, lutra_ring* ring) : host_(host), soc_(host.soc()), ring_(ring) {}
  Ring(const Ring&) = delete;

  int open() { return host_.checked(lutra_ring_open(ring_, soc_, number_, &memory_)); }
  Host& host() { return host_; }
  lutra_ring* get() { return ring_; }

 private:
  Host& host_;
  lutra_soc* soc_;
  std::uint32_t number_ = 0;
  lutra_ring_memory memory_{};
  lutra_ring own_{};
  lutra_ring* ring_ = &own_;
};

// Entries of a table of operations: entry and flags.
using Table = std::vector<std::pair<std::uint16_t, std::uint32_t>>;
inline int set_operations(Host& host, lutra_soc* soc, const Table& table, std::uint16_t stream_reset) {
  std::vector<lutra_operation> operations;
  for (const auto& [entry, flags] : table) operations.push_back({entry, flags});
  return host.checked(
      lutra_soc_set_operations(soc, operations.data(), static_cast<std::uint32_t>(operations.size()), stream_reset));
}

#ifndef LUTRA_SOC_SWAP  // words of a cluster are little-endian
void bind_cluster(nb::module_& m);
#endif

}  // namespace lutra::driver

#endif
