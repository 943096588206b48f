// Chosen fields of many retirements in one call, for users of whole runs: a dictionary per record costs more than the
// simulation.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "host.hpp"
#include "retire_dict.hpp"

namespace lutra {

class FieldChoice {
 public:
  // `names` are those of isa/retire.td.
  explicit FieldChoice(const std::vector<std::string>& names) {
    std::size_t found = 0;
    each_field(Retire{}, [&](const char* name, const auto&, auto) {
      chosen_.push_back(std::find(names.begin(), names.end(), name) != names.end());
      found += chosen_.back();
    });
    if (found != names.size()) throw HostError("no such field of a retirement");
  }

  // Equal if the same chosen fields apply and have the same values.
  std::string bytes(const Retire& r) const {
    std::string all;
    each(r, [&all](const char*, const auto& value, auto applies) {
      append(all, applies);
      if (applies) append(all, value);
    });
    return all;
  }

  nanobind::dict dict(const Retire& r) const {
    nanobind::dict d;
    each(r, [&d]<class T>(const char* name, const T& value, auto applies) {
      if constexpr (std::is_same_v<T, Vec> || std::is_integral_v<T>)
        if (applies) d[name] = to_object(value);
    });
    return d;
  }

 private:
  template <class Visit>
  void each(const Retire& r, const Visit& visit) const {
    std::size_t n = 0;
    each_field(r, [&](const char* name, const auto& value, auto applies) {
      if (chosen_[n++]) visit(name, value, applies);
    });
  }

  template <class T>
  static void append(std::string& all, const T& value) {
    all.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::vector<bool> chosen_;
};

// To the program's stop, or beyond `limit` cycles: (cycle, pc, insn, bytes of the chosen fields) of each retirement.
template <class M>
nanobind::list retirements(M& machine, const std::vector<std::string>& names, std::uint64_t limit) {
  const FieldChoice choice(names);
  nanobind::list all;
  for (Retire r; machine.step(r);) {
    const std::string bytes = choice.bytes(r);
    all.append(nanobind::make_tuple(r.cycle, r.pc, r.insn, nanobind::bytes(bytes.data(), bytes.size())));
    if (r.cycle > limit) break;
  }
  return all;
}

// The same, but a dictionary of the chosen fields for each combination of values that occurs.
template <class M>
nanobind::list combinations(M& machine, const std::vector<std::string>& names, std::uint64_t limit) {
  const FieldChoice choice(names);
  std::unordered_set<std::string> seen;
  nanobind::list all;
  for (Retire r; machine.step(r);) {
    if (seen.insert(choice.bytes(r)).second) all.append(choice.dict(r));
    if (r.cycle > limit) break;
  }
  return all;
}

}  // namespace lutra
