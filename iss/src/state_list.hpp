// The architectural state as Python objects.
#pragma once

#include <string>

#include "retire_dict.hpp"
#include "state_text.hpp"

namespace lutra {

// Contents of lutra.iss.registers.Registers: name, value, text, and whether it is in use, in the order of
// isa/state.td.
inline nanobind::list to_python(const Registers& r) {
  nanobind::list values;
  each_register(r, Shown{}, [&values](const char* name, const auto& value, bool used, const std::string& text) {
    values.append(nanobind::make_tuple(name, to_object(value), nanobind::str(text.c_str(), text.size()), used));
  });
  return values;
}

}  // namespace lutra
