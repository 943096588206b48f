// The pipeline as Python sees it: records in, ways through the pipeline out (lutra.iss.pipeline).
#pragma once

#include <nanobind/nanobind.h>

#include "pipeline.hpp"

namespace lutra {

// The fields of a Python record that the pipeline needs.
inline Retire from_fields(const nanobind::dict& fields) {
  const auto number = [&fields](const char* name) {
    return fields.contains(name) ? nanobind::cast<std::uint64_t>(fields[name]) : 0;
  };
  Retire r;
  r.cycle = number("cycle");
  r.pc = static_cast<std::uint16_t>(number("pc"));
  r.insn = number("insn");
  r.trap = static_cast<std::uint8_t>(number("trap"));
  r.ar_mask = static_cast<std::uint8_t>(number("ar_mask"));
  if (r.ar_mask)
    for (const auto& [register_number, value] : nanobind::cast<nanobind::dict>(fields["ar_value"]))
      r.ar_value.at(nanobind::cast<std::size_t>(register_number)) = nanobind::cast<std::uint16_t>(value);
  r.flag_en = number("flag_en");
  r.flag = number("flag");
  r.wait_en = number("wait_en");
  return r;
}

// A passage, as the members of lutra.iss.pipeline.Passage.
inline nanobind::tuple to_python(const Passage& p) {
  nanobind::list waits;
  for (const Wait& w : p.waits) waits.append(nanobind::make_tuple(static_cast<int>(w.cause), w.cycles, w.pc, w.issue));
  const nanobind::object taken = p.taken ? nanobind::cast(*p.taken) : nanobind::none();
  return nanobind::make_tuple(p.pc, p.word, p.first, p.resumed, p.bubbles, p.decode, p.issue, p.retire, taken, waits);
}

inline void bind_pipeline(nanobind::module_& m) {
  namespace nb = nanobind;
  using namespace nb::literals;
  nb::class_<Pipeline>(m, "Pipeline", "From retirement records to the stages of a machine with this ROUNDS_PER_INSTR.")
      .def(nb::init<int>(), "rounds"_a)
      .def("reset", &Pipeline::reset, "The address registers and the flag are zero from here on.")
      .def(
          "retired",
          [](Pipeline& self, const nb::dict& fields) { return to_python(self.retired(from_fields(fields))); },
          "fields"_a, "The way of the next instruction, by the fields of its record.");
}

}  // namespace lutra
