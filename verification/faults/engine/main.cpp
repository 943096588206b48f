// faults_engine: tries faults on a netlist and writes what became of each. `python -m faults` starts it.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

#include "campaign.hpp"

using namespace faults;

namespace {

struct Options {
  std::string netlist, record, out;
  std::size_t first = 0, last = ~std::size_t{0};
  Choice choice;
  int lanes = 0;
  std::vector<std::string> watch;
};

constexpr const char* kUsage =
    "faults_engine --netlist=FILE --record=FILE [--out=FILE] [--cycles=A:B] [--kinds=flip,stuck,memory] [--part=P]\n"
    "              [--pairs=N] [--window=CYCLES] [--seed=N] [--lanes=64|256|512] [--watch=OUTPUT]...\n"
    "Cycles count from the first one that faults are tried in. Without --out, only compare the netlist with the "
    "record.\n";

[[noreturn]] void refuse(const std::string& why) { throw InputError(why); }

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const auto at = arg.find('=');
    const std::string name = arg.substr(0, at), value = at == std::string::npos ? "" : arg.substr(at + 1);
    try {
      if (name == "--netlist")
        o.netlist = value;
      else if (name == "--record")
        o.record = value;
      else if (name == "--out")
        o.out = value;
      else if (name == "--watch")
        o.watch.push_back(value);
      else if (name == "--part")
        o.choice.part = std::stod(value);
      else if (name == "--pairs")
        o.choice.pairs = std::stoul(value);
      else if (name == "--window")
        o.choice.window = std::stoul(value);
      else if (name == "--seed")
        o.choice.seed = std::stoull(value);
      else if (name == "--lanes")
        o.lanes = std::stoi(value);
      else if (name == "--cycles")
        o.first = std::stoul(value), o.last = std::stoul(value.substr(value.find(':') + 1));
      else if (name == "--kinds") {
        const auto has = [&](const char* kind) { return ("," + value + ",").find(kind) != std::string::npos; };
        o.choice.flips = has(",flip,"), o.choice.stuck = has(",stuck,"), o.choice.memories = has(",memory,");
      } else
        refuse("unknown option " + arg + "\n" + kUsage);
    } catch (const std::logic_error&) {
      refuse(arg + ": not a number");
    }
  }
  if (o.netlist.empty() || o.record.empty()) refuse(std::string("a netlist and a record are needed\n") + kUsage);
  return o;
}

// The most lanes that this processor has instructions for.
int widest() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return 512;
  if (__builtin_cpu_supports("avx2")) return 256;
#endif
  return 64;
}

Effort run(const Campaign& campaign, int lanes) {
  if (lanes > widest()) refuse("this processor has no instructions for " + std::to_string(lanes) + " lanes");
  switch (lanes) {
    case 64:
      return run_64(campaign);
    case 256:
      return run_256(campaign);
    case 512:
      return run_512(campaign);
    default:
      refuse("--lanes: 64, 256 or 512, not " + std::to_string(lanes));
  }
}

// How many pairs of each class there are; sites and cycles of both flips and the class of the first pairs, and of the
// first that end in a silent wrong output.
std::string pairs(const Script& script, const Results& results) {
  constexpr std::size_t kShown = 1000;
  std::array<std::size_t, kHang + 1> classes{};
  std::ostringstream shown;
  for (std::size_t i = 0; i < results.pairs().size(); ++i) {
    const Class result = results.result_of_pair(i);
    if (i < kShown || (result == kSilent && classes[kSilent] < kShown)) {
      const auto& [first, second] = results.pairs()[i];
      shown << (i ? ", [" : "[") << first.site << ", " << first.cycle - script.begin() << ", " << second.site << ", "
            << second.cycle - script.begin() << ", " << unsigned{result} << "]";
    }
    ++classes[result];
  }
  std::ostringstream out;
  out << "{\"classes\": [";
  for (std::size_t c = 0; c < classes.size(); ++c) out << (c ? ", " : "") << classes[c];
  out << "], \"shown\": [" << shown.str() << "]}";
  return out.str();
}

std::string json(const Options& o, const Netlist& netlist, const Script& script, const Golden& golden,
                 const Results& results, const Effort& effort, double seconds, int lanes) {
  std::ostringstream out;
  out << "{\"first\": " << o.choice.first - script.begin() << ", \"last\": " << o.choice.last - script.begin()
      << ", \"cycles\": " << script.end() - script.begin() << ", \"sites\": " << netlist.sites.size()
      << ", \"flips\": " << o.choice.flips << ", \"stuck\": " << (o.choice.stuck && o.choice.first == script.begin())
      << ", \"tried\": " << results.wanted() << ", \"lanes\": " << lanes << ", \"seconds\": " << seconds
      << ", \"lane_cycles\": " << effort.lane_cycles << ", \"clocks\": " << effort.cycles
      << ", \"evaluations\": " << effort.evaluations << ", \"reads\": [";
  const char* between = "";
  if (o.choice.memories)
    for (const Read& read : results.reads()) {
      out << between << "[" << read.memory << ", " << read.row << ", " << read.cycle - script.begin() << ", "
          << read.cycles << ", " << netlist.memories[read.memory].width << "]";
      between = ", ";
    }
  out << "], \"pairs\": " << pairs(script, results) << ", \"watch\": {";
  between = "";
  for (const std::string& name : o.watch) {
    const Port* port = netlist.find(netlist.outputs, name);
    if (!port) refuse("the netlist has no output " + name);
    out << between << "\"" << name << "\": [";
    for (std::size_t cycle = script.begin(); cycle < script.end(); ++cycle)
      out << (cycle == script.begin() ? "" : ", ") << golden.number(cycle, port->bits);
    out << "]";
    between = ", ";
  }
  out << "}}\n";
  return out.str();
}

void work(const Options& given) {
  Options o = given;
  const Netlist netlist(o.netlist);
  const Record record(o.record, netlist);
  check_against(netlist, record);
  const Script script(netlist, record);
  const std::size_t cycles = script.end() - script.begin();
  if (o.out.empty()) {
    std::printf("{\"cycles\": %zu, \"sites\": %zu}\n", cycles, netlist.sites.size());
    return;
  }
  o.last = std::min(o.last, cycles);
  if (o.first >= o.last) refuse("--cycles: the job has " + std::to_string(cycles) + " cycles");
  o.choice.first = script.begin() + o.first;
  o.choice.last = script.begin() + o.last;
  std::vector<Bits> rows = script.rows();
  rows.push_back(rows.back());
  const Golden golden(netlist, rows, script.begin());
  Results results(netlist, golden, script, o.choice);
  std::size_t shown = 0;
  const auto progress = [&] {
    if (results.done() < shown + results.wanted() / 200 + 1) return;
    shown = results.done();
    std::printf("progress %zu %zu\n", shown, results.wanted());
    std::fflush(stdout);
  };
  const int lanes = o.lanes ? o.lanes : widest();
  const std::clock_t begun = std::clock();
  const Effort effort = run({netlist, record, golden, script, results, progress}, lanes);
  results.resolve();
  const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  // Whole or not at all, since a shard that is there is not run again.
  const std::string part = o.out + ".part";
  std::ofstream file(part, std::ios::binary);
  file << json(o, netlist, script, golden, results, effort, seconds, lanes);
  const auto bytes = results.bytes();
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file || std::rename(part.c_str(), o.out.c_str())) refuse(o.out + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    work(parse(argc, argv));
  } catch (const InputError& error) {
    std::cerr << "faults_engine: " << error.what() << "\n";
    return 2;
  }
}
