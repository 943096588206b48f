// Text of the architectural state: the forms of isa/state.td.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lutra_state.hpp"
#include "retire_text.hpp"

namespace lutra {

// The values in which two states differ, a line each.
inline std::vector<std::string> differences(const Registers& iss, const Registers& rtl) {
  std::vector<std::string> left, lines;
  each_register(iss, Shown{},
                [&left](std::string_view, const auto&, bool, std::string text) { left.push_back(std::move(text)); });
  auto expected = left.begin();
  each_register(rtl, Shown{}, [&](std::string_view name, const auto&, bool, const std::string& text) {
    if (*expected != text)
      lines.push_back("register " + std::string(name) + ": simulator " + *expected + ", RTL " + text);
    ++expected;
  });
  return lines;
}

}  // namespace lutra
