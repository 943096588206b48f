// Python module _profile: the cycles of machines of the modules _iss and _rtl, by instruction.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>

#include "observed.hpp"
#include "pipeline_binding.hpp"
#include "profile.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using lutra::Profile;

namespace {

nb::list nodes(const Profile& self) {
  nb::list out;
  for (const Profile::Node& node : self.nodes()) {
    nb::dict cells;
    for (std::size_t pc = 0; pc < node.cells.size(); ++pc)
      if (const Profile::Cell& c = node.cells[pc]; c.count)
        cells[nb::int_(pc)] = nb::make_tuple(c.count, c.taken, c.edges, c.inside, c.stalls);
    out.append(nb::make_tuple(node.parent, node.call, cells));
  }
  return out;
}

nb::list waits(const Profile& self) {
  nb::list out;
  for (const auto& [key, cycles] : self.waits())
    out.append(nb::make_tuple(std::get<0>(key), std::get<1>(key), std::get<2>(key), cycles));
  return out;
}

nb::list loops(const Profile& self) {
  nb::list out;
  for (const auto& [repeat, loop] : self.loops())
    out.append(nb::make_tuple(repeat, loop.entries, loop.passes, loop.cycles));
  return out;
}

nb::list spans(const Profile& self) {
  nb::list out;
  for (const Profile::Span& s : self.spans()) out.append(nb::make_tuple(s.node, s.pc, s.begin, s.end));
  return out;
}

nb::list shares(const Profile& self) {
  nb::list out;
  for (const Profile::Share& s : self.shares()) out.append(nb::make_tuple(s.issued, s.edges, s.stalls));
  return out;
}

nb::list window(const Profile& self) {
  nb::list out;
  for (const Profile::Seen& s : self.window()) out.append(nb::make_tuple(s.offset, lutra::to_python(s.passage)));
  return out;
}

}  // namespace

NB_MODULE(_profile, m) {
  m.doc() = "Where cycles go, counted from what a machine retires; lutra.profile.collector says what the tuples hold.";
  nb::class_<Profile>(m, "Profile")
      .def(nb::init<int, std::uint64_t, std::size_t, std::size_t>(), "rounds"_a, "window_from"_a, "window_limit"_a,
           "spans"_a,
           "For machines with this ROUNDS_PER_INSTR, as after reset; the window is of instructions kept one by one.")
      .def(lutra::Watching())
      .def("finish", &Profile::finish, "End what is open; then all is complete.")
      .def_prop_ro("cycles", &Profile::cycles, "Of all that has retired.")
      .def_prop_ro("nodes", &nodes, "Parent, address of the call, cells by program address; the first is the root.")
      .def_prop_ro("waits", &waits, "Program address, code of the cause, address that is waited for, cycles.")
      .def_prop_ro("loops", &loops, "Address of the repeat, entries, passes, cycles.")
      .def_prop_ro("spans", &spans, "Node, first program address, first cycle, and the one after the last.")
      .def_prop_ro("spans_left_out", &Profile::spans_left_out)
      .def_prop_ro("shares", &shares, "Instructions issued, edges, stalls by cause; of share_cycles each.")
      .def_prop_ro("share_cycles", &Profile::share_cycles)
      .def_prop_ro("window", &window, "What to add to its cycles, and the passage, of each instruction.");
}
