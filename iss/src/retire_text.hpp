// Text of retirement records, for traces and for the report of a divergence: the forms of isa/retire.td.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lutra_retire.hpp"

namespace lutra {

// Formatting of the values of a record, one function per form.
struct Shown {
  static std::string hex(std::uint64_t value, std::size_t digits) {
    std::string text(digits, '0');
    for (std::size_t i = digits; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
    return text;
  }
  static std::string decimal(std::uint64_t value) { return std::to_string(value); }
  static std::string address(std::uint16_t value) { return "0x" + hex(value, 4); }
  static std::string word(std::uint64_t value) { return "0x" + hex(value, 16); }
  static std::string lanes(std::uint16_t value) { return value == 0xffff ? "" : "/" + hex(value, 4); }
  static std::string vector(const Vec& value) {
    std::string text;
    for (const std::uint8_t byte : value) text += hex(byte, 2);
    return text;
  }
  static std::string trap_name(std::size_t code) { return name(kTrapNames, code); }
  static std::string vector_name(std::size_t code) { return name(kVecCodeNames, code); }
  static std::string space_name(std::size_t code) { return name(kSpaceNames, code); }
  static std::string address_register_name(std::size_t code) { return name(kAddressRegisterNames, code); }

  // A code without a name, which only a wrong core can show, keeps its number.
  template <std::size_t N, class Code>
  static std::string name(const std::array<std::string_view, N>& names, Code code) {
    const auto i = static_cast<std::size_t>(code);
    return i < N && !names[i].empty() ? std::string(names[i]) : "?" + std::to_string(i);
  }

  // The texts of the registers in a mask, separated by commas.
  template <class One>
  static std::string each(std::uint64_t mask, const One& one) {
    std::string text;
    for (std::size_t i = 0; mask >> i; ++i)
      if ((mask >> i) & 1) text += (text.empty() ? "" : ",") + one(i);
    return text;
  }
};

// One effect of a record; the text is empty where it did not happen.
struct Effect {
  std::string_view name;
  bool always;  // every record has it: cycle, pc, insn
  std::string text;
};

// Values of fields that do not apply but are not zero; a correct machine has none.
inline std::string residue(const Retire& r) {
  std::string text;
  const auto add = [&text](const char* name, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if (value == T{}) return;
    text += (text.empty() ? "residue:" : ",") + std::string(name) + "=";
    if constexpr (std::is_same_v<T, Vec>)
      text += Shown::vector(value);
    else
      text += "0x" + Shown::hex(value, 2 * sizeof(T));
  };
  each_field(r, [&add]<class T>(const char* name, const T& value, auto applies) {
    if constexpr (std::is_same_v<T, Vec> || std::is_integral_v<T>) {
      if (!applies) add(name, value);
    } else {
      for (std::size_t i = 0; i < value.size(); ++i)
        if (!((applies >> i) & 1)) add((std::string(name) + "[" + std::to_string(i) + "]").c_str(), value[i]);
    }
  });
  return text;
}

// All effects in the order of the description. Two records that differ in any bit differ in the text of an effect.
inline std::vector<Effect> effects(const Retire& r) {
  std::vector<Effect> all;
  each_effect(r, Shown{}, [&all](const char* name, bool always, bool happened, const auto& text) {
    all.push_back({name, always, happened ? text() : std::string()});
  });
  all.push_back({"residue", false, residue(r)});
  return all;
}

// A whole record in one line.
inline std::string text(const Retire& r) {
  std::string line;
  for (const Effect& effect : effects(r))
    if (!effect.text.empty()) line += (line.empty() ? "" : " ") + effect.text;
  return line;
}

// The effects in which two records differ, two lines each.
inline std::vector<std::string> differences(const Retire& iss, const Retire& rtl) {
  std::vector<std::string> lines;
  const std::vector<Effect> left = effects(iss), right = effects(rtl);
  const auto side = [](const Effect& e) { return e.text.empty() ? "no " + std::string(e.name) : e.text; };
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].text == right[i].text) continue;
    lines.push_back("- simulator: " + side(left[i]));
    lines.push_back("+ RTL      : " + side(right[i]));
  }
  return lines;
}

}  // namespace lutra
