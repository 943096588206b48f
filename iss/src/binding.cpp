// Python module _iss: the simulated machine.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>

#include "machine.hpp"
#include "retire_dict.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using lutra::Machine;
using lutra::Space;

nb::bytes host_read(const Machine& m, int space, std::size_t offset, std::size_t length) {
  if (length > m.size(static_cast<Space>(space))) throw lutra::HostError("read beyond the memory space");
  std::vector<std::uint8_t> buffer(length);
  m.read(static_cast<Space>(space), offset, buffer);
  return nb::bytes(reinterpret_cast<const char*>(buffer.data()), length);
}

void host_write(Machine& m, int space, std::size_t offset, nb::bytes data) {
  m.write(static_cast<Space>(space), offset, {reinterpret_cast<const std::uint8_t*>(data.c_str()), data.size()});
}

nb::object next(Machine& m) {
  lutra::Retire r;
  return m.step(r) ? nb::object(lutra::to_python(r)) : nb::none();
}

}  // namespace

NB_MODULE(_iss, m) {
  m.doc() = "Instruction-set simulator; codes of spaces, registers, states and traps are those of the ISA tables.";
  nb::exception<lutra::HostError>(m, "HostError", PyExc_ValueError);
  m.def(
      "legal", [](std::uint64_t word, int rounds) { return lutra::decode(word, rounds).encoding != nullptr; }, "word"_a,
      "rounds"_a, "Whether a word is an instruction of the machine with this ROUNDS_PER_INSTR.");
  nb::class_<Machine>(m, "Machine")
      .def(
          "__init__",
          [](Machine* self, int rounds, int contexts) { new (self) Machine({.rounds = rounds, .contexts = contexts}); },
          "rounds"_a = 2, "contexts"_a = 2,
          "A machine after reset; rounds is ROUNDS_PER_INSTR, contexts STREAM_CONTEXTS, 1 or 2 each.")
      .def("reset", &Machine::reset, "Clear registers and state; memories keep their contents.")
      .def("write", &host_write, "space"_a, "offset"_a, "data"_a,
           "Write bytes; program words are 8 bytes, little-endian. HostError beyond the space.")
      .def("read", &host_read, "space"_a, "offset"_a, "length"_a, "Read bytes. HostError beyond the space.")
      .def(
          "size", [](const Machine& self, int space) { return self.size(static_cast<Space>(space)); }, "space"_a,
          "Size of a space in bytes.")
      .def("start", &Machine::start, "pc"_a, "Start at a program address.")
      .def("resume", &Machine::resume, "Go on behind a wait. HostError when the machine is not waiting.")
      .def(
          "run", &Machine::run, "limit"_a, nb::call_guard<nb::gil_scoped_release>(),
          "Run without counting cycles until the program stops or `limit` instructions are done; returns their number.")
      .def("run_exact", &Machine::run_exact, "limit"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run cycle-exactly until the program stops or `limit` cycles are used; returns the instructions done.")
      .def("step", &next, "One instruction, cycle-exact: its retirement record, or None when not running.")
      .def("cover", &Machine::cover, "Count functional coverage from now on; before the first start.")
      .def(
          "coverage", [](const Machine& self) { return lutra::to_dict(self.coverage()); },
          "Counts by place in the collector's table, or None.")
      .def_prop_ro("state", [](const Machine& self) { return static_cast<int>(self.state()); })
      .def_prop_ro("trap", [](const Machine& self) { return static_cast<int>(self.trap()); })
      .def_prop_ro("pc", &Machine::pc)
      .def_prop_ro("notified", &Machine::notified)
      .def_prop_ro("cycles", &Machine::cycles)
      .def_prop_ro("instructions", &Machine::instructions)
      .def_prop_ro("stalls", [](const Machine& self) { return self.stalls(); })
      .def(
          "vector",
          [](const Machine& self, int code) {
            if (code < 0 || code > 15) throw lutra::HostError("no such vector register");
            return lutra::to_bytes(self.vector(static_cast<lutra::VecCode>(code)));
          },
          "code"_a, "Value of v0..v7, ctr or wk, 16 bytes.")
      .def(
          "address_register",
          [](const Machine& self, int n) {
            if (n < 0 || n >= lutra::kAddressRegs) throw lutra::HostError("no such address register");
            return self.address_register(n);
          },
          "n"_a)
      .def_prop_ro("flag", &Machine::flag);
}
