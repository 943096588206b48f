// The reader of netlists as verification/faults/netlist.py writes them, and the order of evaluation.
#include "netlist.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <sstream>
#include <tuple>

namespace faults {

namespace {

constexpr Node kUndriven = ~Node{0};

// A line, whose numbers are nets until all of them are known.
struct Reader {
  std::istringstream text;
  std::string where;

  template <class T>
  T next() {
    T value{};
    if (!(text >> value)) throw InputError(where + ": a value is missing or not a number");
    return value;
  }
  std::vector<Node> nets(std::size_t count) {
    std::vector<Node> out(count);
    for (Node& net : out) net = next<Node>();
    return out;
  }
  std::vector<Node> rest() {
    std::vector<Node> out;
    for (Node net; text >> net;) out.push_back(net);
    if (!text.eof()) throw InputError(where + ": not a number");
    return out;
  }
};

// Gates by level, then by truth table, so that neighbours do the same. Raises InputError for a loop.
std::vector<std::uint32_t> ordered(const std::vector<Gate>& gates, const std::vector<Node>& outs, Node nets) {
  std::vector<std::uint32_t> driver(nets, kUndriven);
  for (std::uint32_t g = 0; g < gates.size(); ++g) driver[outs[g]] = g;
  std::vector<std::uint32_t> level(gates.size(), 0), waits(gates.size(), 0), ready;
  std::vector<std::vector<std::uint32_t>> readers(gates.size());
  for (std::uint32_t g = 0; g < gates.size(); ++g) {
    for (const Node net : gates[g].in)
      if (driver[net] != kUndriven) {
        readers[driver[net]].push_back(g);
        ++waits[g];
      }
    if (!waits[g]) ready.push_back(g);
  }
  for (std::size_t i = 0; i < ready.size(); ++i)
    for (const std::uint32_t g : readers[ready[i]]) {
      level[g] = std::max(level[g], level[ready[i]] + 1);
      if (!--waits[g]) ready.push_back(g);
    }
  if (ready.size() != gates.size()) throw InputError("the netlist has a loop of gates");
  std::sort(ready.begin(), ready.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(level[a], gates[a].table, a) < std::tuple(level[b], gates[b].table, b);
  });
  return ready;
}

}  // namespace

Netlist::Netlist(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(path + ": cannot be read");
  Node nets = 2;
  std::vector<Node> gate_out, flop_out;
  std::vector<std::vector<Node>> memory_out;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    Reader in{std::istringstream(line), path + ":" + std::to_string(number)};
    const auto kind = in.next<std::string>();
    if (kind == "nets") {
      nets = in.next<Node>();
    } else if (kind == "gate") {
      gate_out.push_back(in.next<Node>());
      Gate gate{{kZero, kZero, kZero}, static_cast<std::uint8_t>(in.next<unsigned>())};
      const auto from = in.rest();
      if (from.empty() || from.size() > gate.in.size()) throw InputError(in.where + ": a gate has one to three inputs");
      std::copy(from.begin(), from.end(), gate.in.begin());
      gates.push_back(gate);
    } else if (kind == "flop") {
      flop_out.push_back(in.next<Node>());
      FlipFlop flop{in.next<Node>()};
      if (const auto reset = in.rest(); reset.size() == 3)
        flop.reset = reset[0], flop.reset_active = reset[1], flop.reset_value = reset[2];
      flip_flops.push_back(flop);
    } else if (kind == "memory") {
      Memory m{};
      m.name = in.next<std::string>();
      m.depth = in.next<std::uint32_t>();
      m.width = in.next<std::uint32_t>();
      const auto bits = in.next<std::uint32_t>();
      if (!m.width || m.width > 64) throw InputError(in.where + ": a memory is up to 64 bits wide");
      m.req = in.next<Node>();
      m.we = in.next<Node>();
      m.index = in.nets(bits);
      m.wdata = in.nets(m.width);
      memory_out.push_back(in.nets(m.width));
      memories.push_back(m);
    } else if (kind == "input" || kind == "output") {
      const auto name = in.next<std::string>();
      (kind == "input" ? inputs : outputs).push_back({name, in.rest()});
    } else {
      throw InputError(in.where + ": unknown kind of line: " + kind);
    }
  }

  // From nets to nodes.
  std::vector<Node> node(nets, kUndriven);
  Node next = 0;
  const auto drive = [&](Node net) {
    if (net >= nets || node[net] != kUndriven)
      throw InputError(path + ": net " + std::to_string(net) + " is driven twice, or beyond the last");
    return node[net] = next++;
  };
  drive(0), drive(1);
  for (const Port& port : inputs)
    for (const Node net : port.bits) drive(net);
  first_state_ = next;
  for (const Node net : flop_out) drive(net);
  for (std::size_t m = 0; m < memories.size(); ++m) {
    memories[m].rdata = next;
    for (const Node net : memory_out[m]) drive(net);
  }
  first_gate_ = next;
  const auto order = ordered(gates, gate_out, nets);
  std::vector<Gate> sorted;
  for (const std::uint32_t g : order) {
    drive(gate_out[g]);
    sorted.push_back(gates[g]);
  }
  gates = std::move(sorted);
  const auto to_node = [&](Node& net) {
    if (net >= nets || node[net] == kUndriven)
      throw InputError(path + ": net " + std::to_string(net) + " is not driven");
    net = node[net];
  };
  for (Gate& gate : gates) std::for_each(gate.in.begin(), gate.in.end(), to_node);
  for (FlipFlop& flop : flip_flops) to_node(flop.d), to_node(flop.reset);
  for (Memory& m : memories) {
    to_node(m.req), to_node(m.we);
    std::for_each(m.index.begin(), m.index.end(), to_node);
    std::for_each(m.wdata.begin(), m.wdata.end(), to_node);
  }
  for (auto* ports : {&inputs, &outputs})
    for (Port& port : *ports) std::for_each(port.bits.begin(), port.bits.end(), to_node);
  for (const auto* nets_of : {&gate_out, &flop_out})
    for (const Node net : *nets_of) sites.push_back(node[net]);
  for (const auto& out : memory_out)
    for (const Node net : out) sites.push_back(node[net]);
  connect();
}

void Netlist::connect() {
  fanout_at_.assign(nodes() + 2, 0);
  const auto each = [&](auto&& visit) {
    std::uint32_t sink = 0;
    const auto read = [&](Node from) {
      if (from > kOne) visit(from, sink);
    };
    for (const Gate& gate : gates) {
      for (const Node from : gate.in) read(from);
      ++sink;
    }
    for (const FlipFlop& flop : flip_flops) {
      read(flop.d), read(flop.reset);
      ++sink;
    }
    for (const Memory& m : memories) {
      read(m.req), read(m.we);
      std::for_each(m.index.begin(), m.index.end(), read);
      std::for_each(m.wdata.begin(), m.wdata.end(), read);
      ++sink;
    }
  };
  each([&](Node from, std::uint32_t) { ++fanout_at_[from + 2]; });
  std::partial_sum(fanout_at_.begin(), fanout_at_.end(), fanout_at_.begin());
  fanout_.resize(fanout_at_.back());
  // Each start moves to its end, which is the start of the next.
  each([&](Node from, std::uint32_t sink) { fanout_[fanout_at_[from + 1]++] = sink; });
}

const Port* Netlist::find(const std::vector<Port>& ports, const std::string& name) const {
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const Port& port) { return port.name == name; });
  return found == ports.end() ? nullptr : &*found;
}

}  // namespace faults
