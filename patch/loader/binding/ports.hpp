// The host side of the loader in Python: every callback is a method of one of three objects, flash, fuses and core.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "lutra_loader.h"

namespace lutra {

// An exception in a method ends the loader's call as a failure of that port. From then on the ports are not called, as
// after a power loss, until `finish` re-raises the exception in the caller of the loader.
class Ports {
 public:
  Ports(nanobind::object flash, nanobind::object fuses, nanobind::object core);
  Ports(const Ports&) = delete;

  lutra_device* device() { return &device_; }
  const lutra_device* device() const { return &device_; }
  void finish();

 private:
  template <class Call>
  static int guarded(void* context, Call call) noexcept;

  nanobind::object flash_, fuses_, core_;
  lutra_device device_{};
  std::exception_ptr raised_;
};

}  // namespace lutra
