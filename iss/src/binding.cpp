// Python module _iss: the simulated machine.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "machine.hpp"
#include "machine_binding.hpp"
#include "pipeline_binding.hpp"
#include "simulator_target.hpp"
#include "timeline_binding.hpp"
#include "translate/piece.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using lutra::HostError;
using lutra::Machine;

NB_MODULE(_iss, m) {
  m.doc() = "Instruction-set simulator; codes of spaces, registers, states and traps are those of the ISA tables.";
  lutra::bind_version(m);
  // For every machine's binding: they have this module's exceptions in common.
  nb::exception<HostError>(m, "HostError", PyExc_ValueError);
  m.def(
      "legal", [](std::uint64_t word, int rounds) { return lutra::decode(word, rounds).encoding != nullptr; }, "word"_a,
      "rounds"_a, "Whether a word is an instruction of the machine with this ROUNDS_PER_INSTR.");
  m.def(
      "levels",
      [] {
        std::vector<std::pair<std::string, bool>> found;
        for (const lutra::Level& level : lutra::levels()) found.emplace_back(level.name, level.usable());
        return found;
      },
      "Levels of host instructions for translated code, the best first, and whether this machine has them.");
  lutra::bind_pipeline(m);
  auto machine = lutra::bind_machine<Machine>(m, "Machine", "The simulator.");
  machine
      .def(
          "__init__",
          [](Machine* self, int rounds, int contexts, int shadow_words) {
            new (self) Machine({.rounds = rounds, .contexts = contexts, .shadow_words = shadow_words});
          },
          "rounds"_a = lutra::kCoreRounds, "contexts"_a = lutra::kCoreContexts,
          "shadow_words"_a = lutra::kCoreShadowWords,
          "A machine after reset; rounds is ROUNDS_PER_INSTR, contexts STREAM_CONTEXTS, 1 or 2 each; shadow_words "
          "SHADOW_WORDS, 0 to 16.")
      .def(
          "repeat", &Machine::repeat, "pc"_a, "times"_a, "limit"_a, "recorded"_a = false,
          nb::call_guard<nb::gil_scoped_release>(),
          "Start at a program address and run to the stop, so many times, or until one does not halt within the limit. "
          "Returns the instructions done. recorded: with the record of every instruction, which nobody reads.")
      .def(
          "translate",
          [](Machine& self, const std::string& level, unsigned patience) { return self.translate(level, patience); },
          "level"_a = "", "patience"_a = Machine::kPatience,
          "Translate what is entered `patience` times, with the host instructions of a level: avx512, avx2, portable; "
          "the "
          "best one by default. False where the host has no such level.")
      .def_ro_static("PATIENCE", &Machine::kPatience)
      .def("interpret_only", &Machine::interpret_only, "Do not translate.")
      .def_prop_ro("contents", &Machine::table_contents, "What translated code takes the banks to hold, by name.")
      .def_prop_ro("level", &Machine::level, "Level of host instructions of translated code; empty: interpreted.")
      .def(
          "vector",
          [](const Machine& self, int code) {
            if (code < 0 || code >= lutra::kVectorCodes) throw HostError("no such vector register");
            return lutra::to_bytes(self.vector(static_cast<lutra::VecCode>(code)));
          },
          "code"_a, "Value of v0..v7, ctr or wk, 16 bytes.")
      .def(
          "address_register",
          [](const Machine& self, int n) {
            if (n < 0 || n >= lutra::kAddressRegs) throw HostError("no such address register");
            return self.address_register(n);
          },
          "n"_a)
      .def_prop_ro("flag", &Machine::flag);
  lutra::bind_timeline<lutra::SimulatorTarget>(m, machine);
}
