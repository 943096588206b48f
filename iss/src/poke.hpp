// One register set by its name.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "host.hpp"
#include "state_text.hpp"

namespace lutra {

// A vector, or a number.
using RegisterValue = std::variant<Vec, std::uint64_t>;

// The registers with another value in one of them. HostError where there is none of this name, or it holds another kind
// of value or only smaller ones.
inline Registers with_value(Registers r, std::string_view name, const RegisterValue& value) {
  bool found = false;
  each_register(r, Shown{}, [&]<class T>(std::string_view at, T& old, bool, const std::string&) {
    if (at != name) return;
    found = true;
    if constexpr (std::is_same_v<T, Vec>) {
      const auto* vector = std::get_if<Vec>(&value);
      if (!vector) throw HostError(std::string(name) + " holds a vector of 16 bytes, not a number");
      old = *vector;
    } else {
      const auto* number = std::get_if<std::uint64_t>(&value);
      if (!number) throw HostError(std::string(name) + " holds a number, not a vector");
      if (*number > std::numeric_limits<T>::max())
        throw HostError(std::string(name) + " holds numbers up to " +
                        std::to_string(std::uint64_t{std::numeric_limits<T>::max()}));
      old = static_cast<T>(*number);
    }
  });
  if (!found) throw HostError("no register " + std::string(name));
  return r;
}

}  // namespace lutra
