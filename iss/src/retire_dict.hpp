// Retirement records as Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <type_traits>

#include "retire_text.hpp"

namespace lutra {

inline nanobind::bytes to_bytes(const Vec& v) {
  return nanobind::bytes(reinterpret_cast<const char*>(v.data()), v.size());
}

// A value of a record: a vector as its bytes, anything else as a number.
template <class T>
nanobind::object to_object(const T& value) {
  if constexpr (std::is_same_v<T, Vec>)
    return to_bytes(value);
  else
    return nanobind::cast(value);
}

// The fields that apply, by name; of a field under a mask a dictionary of the registers in the mask.
inline nanobind::dict to_dict(const Retire& r) {
  nanobind::dict d;
  each_field(r, [&d]<class T>(const char* name, const T& value, auto applies) {
    if (!applies) return;
    if constexpr (std::is_same_v<T, Vec> || std::is_integral_v<T>) {
      d[name] = to_object(value);
    } else {
      nanobind::dict each;
      for (std::size_t i = 0; i < value.size(); ++i)
        if ((applies >> i) & 1) each[nanobind::int_(i)] = to_object(value[i]);
      d[name] = each;
    }
  });
  return d;
}

// Contents of lutra.iss.retire.Record: the fields, and the texts of effects that only some records have.
inline nanobind::tuple to_python(const Retire& r) {
  nanobind::list texts;
  for (const Effect& effect : effects(r))
    if (!effect.always && !effect.text.empty()) texts.append(nanobind::str(effect.text.c_str(), effect.text.size()));
  return nanobind::make_tuple(to_dict(r), texts);
}

}  // namespace lutra
