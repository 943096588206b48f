// The common part of the Python bindings of all machines (`Backend` of lutra.engine).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "fault.hpp"
#include "host.hpp"
#include "retire_choice.hpp"
#include "state_list.hpp"

namespace lutra {

// Python integers may be negative: as sizes they are beyond every space.
inline std::size_t unsigned_size(std::int64_t n) { return static_cast<std::size_t>(n); }

// Modules of different builds can meet in one process (LUTRA_RTL_LIBRARY), so their records and registers must have the
// same meaning.
inline void bind_version(nanobind::module_& m) { m.attr("RECORD_BYTES") = sizeof(Retire) + sizeof(Registers); }

// A reset, and a program that zeroes what it keeps, with zeros in the first row of m2. Nobody observes the program.
template <class M>
void clear(M& machine, std::span<const std::uint8_t> program) {
  constexpr std::uint64_t kLimit = 1 << 12;
  machine.reset();
  const auto unobserved = machine.unobserved();
  machine.write(Space::Mem2, 0, Vec{});
  machine.write(Space::Program, 0, program);
  machine.start(0);
  machine.run(kLimit);
  if (machine.state() != CoreState::Halted) throw HostError("the program that clears the registers does not halt");
  machine.reset();
}

template <class M>
nanobind::class_<M> bind_machine(nanobind::module_& m, const char* name, const char* doc) {
  namespace nb = nanobind;
  using namespace nb::literals;
  return nb::class_<M>(m, name, doc)
      .def(
          "write",
          [](M& self, int space, std::int64_t offset, nb::bytes data) {
            self.write(static_cast<Space>(space), unsigned_size(offset),
                       {static_cast<const std::uint8_t*>(data.data()), data.size()});
          },
          "space"_a, "offset"_a, "data"_a,
          "Write bytes; program words are 8 bytes, little-endian. HostError beyond the space.")
      .def(
          "read",
          [](M& self, int space, std::int64_t offset, std::int64_t length) {
            const auto bytes = self.read(static_cast<Space>(space), unsigned_size(offset), unsigned_size(length));
            return nb::bytes(bytes.data(), bytes.size());
          },
          "space"_a, "offset"_a, "length"_a, "Read bytes. HostError beyond the space.")
      .def(
          "size", [](const M& self, int space) { return self.size(static_cast<Space>(space)); }, "space"_a,
          "Size of a space in bytes.")
      .def(
          "inject",
          [](M& self, std::uint64_t cycle, unsigned context, unsigned word, std::uint64_t mask, bool shadow) {
            self.inject({cycle, context, word, mask, shadow});
          },
          "cycle"_a, "context"_a, "word"_a, "mask"_a, "shadow"_a = false,
          "Flip bits of a stream context or a memory at the beginning of a cycle. HostError for what is not there.")
      .def_prop_ro("alert", &M::alert)
      .def("clear_alert", &M::clear_alert, "A faulted machine is idle then. HostError for another.")
      .def("wipe", &M::wipe, "Zero all but the programs. HostError while one runs, and where the core has no wipe.")
      .def("escalate", &M::escalate, "The same at any time, and lock the machine until it is reset.")
      .def("reset", &M::reset, "Clear the state; memories and registers of data keep their contents.")
      .def(
          "clear",
          [](M& self, nb::bytes program) {
            clear(self, std::span(static_cast<const std::uint8_t*>(program.data()), program.size()));
          },
          "program"_a,
          "Run a program that zeroes what a reset keeps, unobserved; it takes place in pm and row 0 of m2.")
      .def("start", &M::start, "pc"_a, "Start at a program address.")
      .def("resume", &M::resume, "Go on after a wait. HostError when the machine is not waiting.")
      .def("run", &M::run, "limit"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run until the program stops or `limit` cycles are used; returns the instructions done.")
      .def(
          "step",
          [](M& self) {
            Retire record;
            return self.step(record) ? nb::object(to_python(record)) : nb::none();
          },
          "To the next retirement: its record, or None when not running.")
      .def("retirements", &retirements<M>, "names"_a, "limit"_a,
           "To the stop, or beyond `limit` cycles: cycle, pc, insn and the bytes of the named fields of each record.")
      .def("combinations", &combinations<M>, "names"_a, "limit"_a,
           "The same, but the named fields of each combination of their values that occurs.")
      .def(
          "add_counts",
          [](M& self, std::uint64_t cycles, std::uint64_t instructions,
             const std::array<std::uint64_t, kStallCauses>& stalls) {
            self.add_counts({cycles, instructions, stalls});
          },
          "cycles"_a, "instructions"_a, "stalls"_a,
          "As if so many more had been counted, stalls by cause: for tests of counters near their wrap.")
      .def(
          "registers", [](const M& self) { return to_python(self.registers()); },
          "Name, value, text and whether it is in use, of every register.")
      .def_prop_ro("state", [](const M& self) { return static_cast<int>(self.state()); })
      .def_prop_ro("trap", [](const M& self) { return static_cast<int>(self.trap()); })
      .def_prop_ro("pc", &M::pc)
      .def_prop_ro("notified", &M::notified)
      .def_prop_ro("cycles", &M::cycles)
      .def_prop_ro("instructions", &M::instructions)
      .def_prop_ro("stalls", &M::stalls);
}

}  // namespace lutra
