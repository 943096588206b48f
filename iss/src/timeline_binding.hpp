// The common part of the Python bindings of all timelines (`Backend` of lutra.iss.timeline).
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "machine_binding.hpp"
#include "poke.hpp"
#include "timeline.hpp"

namespace lutra {

inline const char* name(Why why) { return kWhyNames[static_cast<std::size_t>(why)]; }

// Binds the class `Timeline` of a module, and the machine's method that returns one.
template <class Target>
void bind_timeline(nanobind::module_& m, nanobind::class_<typename Target::Machine>& machine) {
  namespace nb = nanobind;
  using namespace nb::literals;
  using T = Timeline<Target>;
  using Cell = std::size_t;
  const auto list = [](const std::vector<Retire>& records) {
    nb::list found;
    for (const Retire& r : records) found.append(to_python(r));
    return found;
  };
  nb::class_<T>(m, "Timeline", "A machine whose past is kept; cells are numbers.")
      .def_prop_ro("now", &T::now)
      .def_prop_ro("latest", &T::latest)
      .def_prop_ro("began", &T::began)
      .def_prop_ro("acted", &T::acted)
      .def_prop_ro("checkpoints", &T::checkpoints)
      .def_prop_ro_static("slice", [](nb::handle) { return Target::kSlice; })
      .def("next",
           [](T& self) {
             std::uint16_t pc = 0;
             return self.next(pc) ? std::optional<int>(pc) : std::nullopt;
           })
      .def("registers", [](const T& self) { return to_python(self.registers()); })
      .def(
          "read",
          [](const T& self, int space, std::int64_t offset, std::int64_t length) {
            const auto bytes = self.read(static_cast<Space>(space), unsigned_size(offset), unsigned_size(length));
            return nb::bytes(bytes.data(), bytes.size());
          },
          "space"_a, "offset"_a, "length"_a)
      .def("seek", &T::seek, "time"_a, "host"_a, nb::call_guard<nb::gil_scoped_release>(),
           "To a time up to the latest; without `host`, before what the host did there.")
      .def(
          "seek_cycle",
          [](T& self, std::uint64_t cycle, std::uint64_t limit) {
            const auto why = self.seek_cycle(cycle, limit);
            return why ? name(*why) : "";
          },
          "cycle"_a, "limit"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Empty if it was reached, else the reason; `limit` after so many instructions.")
      .def(
          "run",
          [](T& self, std::uint64_t limit, std::uint64_t since, std::vector<std::uint16_t> breaks,
             std::vector<Cell> touches, int depth, bool notify) {
            return name(self.run({limit, since, std::move(breaks), std::move(touches), depth, notify}));
          },
          "limit"_a, "since"_a, "breaks"_a, "touches"_a, "depth"_a, "notify"_a,
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "run_back",
          [](T& self, std::uint64_t limit, std::vector<std::uint16_t> breaks, std::vector<Cell> touches, int depth,
             bool notify) {
            return name(self.run_back({limit, 0, std::move(breaks), std::move(touches), depth, notify}));
          },
          "limit"_a, "breaks"_a, "touches"_a, "depth"_a, "notify"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "last", [](const T& self, const std::vector<Cell>& cells) { return self.last(cells); }, "cells"_a)
      .def(
          "history",
          [](T& self, const std::vector<Cell>& cells, std::size_t count) { return self.history(cells, count); },
          "cells"_a, "count"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "records",
          [list](T& self, std::uint64_t first, std::uint64_t last) { return list(self.records(first, last)); },
          "first"_a, "last"_a)
      .def("start", &T::start, "pc"_a)
      .def("resume", &T::resume)
      .def("reset", &T::reset)
      .def(
          "write",
          [](T& self, int space, std::int64_t offset, nb::bytes data) {
            self.write(static_cast<Space>(space), unsigned_size(offset),
                       {static_cast<const std::uint8_t*>(data.data()), data.size()});
          },
          "space"_a, "offset"_a, "data"_a)
      .def(
          "inject",
          [](T& self, std::uint64_t cycle, unsigned context, unsigned word, std::uint32_t mask, bool shadow) {
            self.inject({cycle, context, word, mask, shadow});
          },
          "cycle"_a, "context"_a, "word"_a, "mask"_a, "shadow"_a = false)
      .def(
          "poke_number", [](T& self, const std::string& name, std::uint64_t value) { self.poke(name, value); },
          "name"_a, "value"_a)
      .def(
          "poke_vector", [](T& self, const std::string& name, const Vec& value) { self.poke(name, value); }, "name"_a,
          "value"_a)
      .def_static(
          "register_cell", [](const std::string& name) { return Cells::of_register(name); }, "name"_a,
          "The cell of a register by its base name.")
      .def_static(
          "row_cells",
          [](std::size_t space, std::size_t offset) {
            std::vector<Cell> cells;
            Cells::each_row(space, offset, [&cells](Cell cell) { cells.push_back(cell); });
            return cells;
          },
          "space"_a, "offset"_a, "The cells of the row that a byte lies in; none of program memory or beyond.")
      .def_static(
          "executed_cell",
          [](std::uint16_t pc) {
            if (pc >= kProgramWords) throw HostError("beyond the program memory");
            return Cells::kProgram + pc;
          },
          "pc"_a);
  machine.def(
      "timeline", [](typename Target::Machine& self) { return new T(self); }, nb::keep_alive<0, 1>(),
      nb::sig("def timeline(self) -> Timeline"), "A timeline that begins now.");
}

}  // namespace lutra
