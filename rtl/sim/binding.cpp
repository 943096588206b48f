// Python module _rtl: the Verilated core, alone and in lock-step with the simulator.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "cosim.hpp"
#include "retire_dict.hpp"
#include "rtl_access.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using lutra::Cosim;
using lutra::HostError;
using lutra::Machine;
using lutra::Retire;
using lutra::RtlMachine;
using lutra::Space;
using lutra::Vec;

// The core alone behind the interface of the simulator; its sizes are the simulator's defaults.
class Core {
 public:
  explicit Core(int rounds) : rtl_(RtlMachine::make(rounds)), sizes_({.rounds = rounds}) { rtl_->reset(); }

  void reset() {
    if (coverage_) coverage_->reset(rtl_->state());
    rtl_->reset();
  }
  void start(std::uint16_t pc) {
    if (coverage_) coverage_->start(rtl_->state());
    rtl_->start(pc);
  }
  void resume() {
    if (rtl_->state() != lutra::CoreState::Waiting) throw HostError("the machine is not waiting");
    if (coverage_) coverage_->resume();
    rtl_->resume();
  }
  void cover() {
    const lutra::Config& c = sizes_.config();
    coverage_ = std::make_unique<lutra::Coverage>(c.rounds, c.memory_rows, c.program_words);
  }
  const lutra::Coverage* coverage() const { return coverage_.get(); }
  void write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
    check(space, offset, bytes.size());
    lutra::write_bytes(*rtl_, space, offset, bytes);
  }
  void read(Space space, std::size_t offset, std::span<std::uint8_t> bytes) {
    check(space, offset, bytes.size());
    lutra::read_bytes(*rtl_, space, offset, bytes);
  }
  bool step(Retire& r) {
    while (rtl_->state() == lutra::CoreState::Running)
      if (clock(r)) return true;
    return false;
  }
  bool run(std::uint64_t limit) {
    Retire r;
    while (rtl_->state() == lutra::CoreState::Running && rtl_->cycles() < limit) clock(r);
    return true;
  }
  std::size_t size(Space space) const { return sizes_.size(space); }
  RtlMachine& rtl() { return *rtl_; }

 private:
  bool clock(Retire& r) {
    const bool retired = rtl_->step(r);
    if (retired && coverage_) coverage_->retire(r);
    return retired;
  }
  void check(Space space, std::size_t offset, std::size_t length) const {
    if (offset > size(space) || length > size(space) - offset) throw HostError("access beyond the memory space");
  }

  std::unique_ptr<RtlMachine> rtl_;
  Machine sizes_;
  std::unique_ptr<lutra::Coverage> coverage_;
};

Cosim& checked(Cosim& c, int space, std::size_t offset, std::size_t length) {
  const std::size_t size = c.iss().size(static_cast<Space>(space));
  if (offset > size || length > size - offset) throw HostError("access beyond the memory space");
  return c;
}

std::span<const std::uint8_t> span_of(const nb::bytes& data) {
  return {reinterpret_cast<const std::uint8_t*>(data.c_str()), data.size()};
}

template <class T>
nb::bytes host_read(T& engine, int space, std::size_t offset, std::size_t length) {
  std::vector<std::uint8_t> buffer(length);
  engine.read(static_cast<Space>(space), offset, buffer);
  return nb::bytes(reinterpret_cast<const char*>(buffer.data()), length);
}

template <class T>
nb::object next(T& engine) {
  Retire r;
  return engine.step(r) ? nb::object(lutra::to_python(r)) : nb::none();
}

nb::object divergence(const Cosim& c) {
  if (!c.divergence()) return nb::none();
  nb::list history;
  for (const Retire& r : c.history()) history.append(lutra::to_python(r));
  const std::optional<Retire>& at = c.divergence()->at();
  return nb::make_tuple(c.divergence()->what, at ? nb::object(lutra::to_python(*at)) : nb::none(),
                        c.divergence()->differences(), history);
}

// What core and lock-step have in common with the simulator's binding.
template <class T>
nb::class_<T> common(nb::module_& m, const char* name) {
  return nb::class_<T>(m, name)
      .def(nb::init<int>(), "rounds"_a = 2, "After reset; rounds is ROUNDS_PER_INSTR, 1 or 2.")
      .def("reset", &T::reset)
      .def("start", &T::start, "pc"_a)
      .def("resume", &T::resume)
      .def("run", &T::run, "limit"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run until the program stops or `limit` cycles are used; false when a lock-step diverged.")
      .def("step", &next<T>, "To the next retirement: its record, or None.")
      .def("cover", &T::cover, "Count functional coverage from now on; before the first start.")
      .def(
          "coverage", [](T& self) { return lutra::to_dict(self.coverage()); },
          "Counts by place in the collector's table, or None.")
      .def_prop_ro("state", [](T& self) { return static_cast<int>(self.rtl().state()); })
      .def_prop_ro("trap", [](T& self) { return static_cast<int>(self.rtl().trap()); })
      .def_prop_ro("pc", [](T& self) { return self.rtl().pc(); })
      .def_prop_ro("irq", [](T& self) { return self.rtl().irq(); })
      .def("clear_irq", [](T& self) { self.rtl().clear_irq(); })
      .def_prop_ro("notified", [](T& self) { return self.rtl().notified(); })
      .def_prop_ro("cycles", [](T& self) { return self.rtl().cycles(); })
      .def_prop_ro("instructions", [](T& self) { return self.rtl().instructions(); })
      .def_prop_ro("stalls", [](T& self) { return self.rtl().stalls(); })
      .def_prop_ro(
          "clocks", [](T& self) { return self.rtl().clocks(); },
          "Clock cycles since it was made, running or not: those of the host's accesses too.")
      .def(
          "trace", [](T& self, const std::string& path) { self.rtl().trace(path); }, "path"_a,
          "Write waves (FST) from now on.")
      .def("trace_close", [](T& self) { self.rtl().trace_close(); });
}

}  // namespace

NB_MODULE(_rtl, m) {
  m.doc() = "The Verilated core, and its lock-step with the simulator; codes are those of the ISA tables.";
  nb::exception<HostError>(m, "HostError", PyExc_ValueError);
  m.def("counting", &RtlMachine::counting, "Whether this build counts lines, toggles and expressions of the core.");
  m.def("write_counts", &RtlMachine::write_counts, "stem"_a,
        "What all cores of the process have counted, to files STEM-N.dat of Verilator's format.");
  common<Core>(m, "Core")
      .def(
          "write",
          [](Core& c, int space, std::size_t offset, nb::bytes data) {
            c.write(static_cast<Space>(space), offset, span_of(data));
          },
          "space"_a, "offset"_a, "data"_a)
      .def("read", &host_read<Core>, "space"_a, "offset"_a, "length"_a)
      .def(
          "size", [](const Core& c, int space) { return c.size(static_cast<Space>(space)); }, "space"_a)
      .def(
          "port_write",
          [](Core& c, int space, std::uint16_t row, const Vec& data) {
            lutra::write_row(c.rtl(), static_cast<Space>(space), row, data);
          },
          "space"_a, "row"_a, "data"_a, "A row by the host port, whether it exists or not: for tests of the port.")
      .def(
          "port_read",
          [](Core& c, int space, std::uint16_t row) {
            return lutra::read_row(c.rtl(), static_cast<Space>(space), row);
          },
          "space"_a, "row"_a);
  common<Cosim>(m, "Cosim")
      .def(
          "disturb_rtl",
          [](Cosim& c, int space, std::size_t offset, nb::bytes data) {
            checked(c, space, offset, data.size()).disturb_rtl(static_cast<Space>(space), offset, span_of(data));
          },
          "space"_a, "offset"_a, "data"_a, "Write to the RTL only: for tests of the lock-step itself.")
      .def(
          "write",
          [](Cosim& c, int space, std::size_t offset, nb::bytes data) {
            checked(c, space, offset, data.size()).write(static_cast<Space>(space), offset, span_of(data));
          },
          "space"_a, "offset"_a, "data"_a)
      .def(
          "read",
          [](Cosim& c, int space, std::size_t offset, std::size_t length) {
            return host_read(checked(c, space, offset, length), space, offset, length);
          },
          "space"_a, "offset"_a, "length"_a)
      .def(
          "size", [](const Cosim& c, int space) { return c.iss().size(static_cast<Space>(space)); }, "space"_a)
      .def_prop_ro("divergence", &divergence,
                   "None, or (what, the record it is at or None, lines of what differs in it, records before it).");
}
