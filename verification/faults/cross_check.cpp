// Faults on the Verilated netlist, one at a time, with a host of its own: a second opinion on the engine.
//
//   cross_check NETLIST RECORD < faults, one per line: kind (flip, stuck-at-0, stuck-at-1), site, cycle
//
// It prints the class of each, where 1 is any fault without effect. A fault is tried in a child of the process in which
// the job has been prepared.
#include <sys/wait.h>
#include <unistd.h>
#include <verilated.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "Vfaulty.h"

namespace {

struct Field {
  std::string name;
  unsigned at, width;
};
using Words = std::vector<std::uint32_t>;

void put(Words& words, unsigned at, unsigned width, const std::string& hex) {
  for (unsigned b = 0; b < width && b / 4 < hex.size(); ++b) {
    const char c = hex[hex.size() - 1 - b / 4];
    const unsigned digit = c <= '9' ? unsigned(c - '0') : unsigned(c - 'a' + 10);
    if (digit >> b % 4 & 1) words[(at + b) / 32] |= 1u << (at + b) % 32;
  }
}

// How a host takes the data of a read, as in the record.
struct Look {
  std::string kind = "take";  // or know, first, again
  unsigned slot = 0;
  bool releases = false;
};

struct Job {
  std::vector<Field> inputs, outputs;
  std::multimap<std::string, Field> roles;
  std::uint64_t busy = 0;
  std::size_t begin = 0;
  std::vector<Words> rows;
  std::vector<Look> looks;  // of each row

  Job(const char* netlist, const char* record) {
    std::string line, word, name;
    for (std::ifstream file(netlist); std::getline(file, line);) {
      std::istringstream in(line);
      in >> word >> name;
      if (word != "input" && word != "output") continue;
      auto& ports = word == "input" ? inputs : outputs;
      unsigned width = 0;
      while (in >> word) ++width;
      ports.push_back({name, ports.empty() ? 0 : ports.back().at + ports.back().width, width});
    }
    for (std::ifstream file(record); std::getline(file, line);) {
      std::istringstream in(line);
      in >> word;
      if (word == "begin") {
        in >> begin;
      } else if (word == "busy") {
        in >> busy;
      } else if (word == "row") {
        Words row((inputs.back().at + inputs.back().width + 31) / 32);
        for (const Field& port : inputs) in >> name, put(row, port.at, port.width, name);
        rows.push_back(row);
        looks.emplace_back();
        while (in >> word) {
          if (word == "releases") looks.back().releases = true;
          if (word == "know" || word == "first" || word == "again") looks.back().kind = word;
          if (word == "first" || word == "again") in >> looks.back().slot;
        }
      } else {
        in >> name;
        for (const auto* ports : {&inputs, &outputs})
          for (const Field& port : *ports)
            if (port.name == name) roles.emplace(word, port);
      }
    }
  }
  bool has(const std::string& role) const { return roles.count(role); }
};

enum class Do { kDrive, kAccess, kWait };
struct Step {
  Do what;
  const Words* inputs;
  bool reads = false, ended = false;
  std::uint64_t state = 0;     // of a wait: what it ends with
  std::vector<bool> answer{};  // of a read, or of a design without a host
  Look look{};
};

class Bench {
 public:
  explicit Bench(const Job& job) : job_(job) {
    context_.fatalOnError(true);
    top_ = std::make_unique<Vfaulty>(&context_);
  }

  void settle(const Words& inputs) {
    std::copy(inputs.begin(), inputs.end(), top_->in.data());
    top_->eval();
  }
  void clock() {
    top_->clk = 1, top_->eval();
    top_->clk = 0, top_->eval();
    ++cycle;
  }
  // Whether an input of a role is set.
  bool any(const Words& row, const char* role) const {
    const auto [first, last] = job_.roles.equal_range(role);
    return std::any_of(first, last,
                       [&](const auto& item) { return row[item.second.at / 32] >> item.second.at % 32 & 1; });
  }
  bool out(unsigned bit) { return top_->out[bit / 32] >> bit % 32 & 1; }
  std::uint64_t number(const std::string& role) {
    const Field& port = job_.roles.find(role)->second;
    std::uint64_t value = 0;
    for (unsigned b = 0; b < port.width; ++b) value |= std::uint64_t{out(port.at + b)} << b;
    return value;
  }
  std::vector<bool> data() {
    std::vector<bool> all;
    const auto add = [&](const Field& port) {
      for (unsigned b = 0; b < port.width; ++b) all.push_back(out(port.at + b));
    };
    if (const auto [first, last] = job_.roles.equal_range("data"); first != last)
      for (auto it = first; it != last; ++it) add(it->second);
    else
      for (const Field& port : job_.outputs) add(port);
    return all;
  }
  bool alert() {
    const auto [first, last] = job_.roles.equal_range("alert");
    for (auto it = first; it != last; ++it)
      for (unsigned b = 0; b < it->second.width; ++b)
        if (out(it->second.at + b)) return true;
    return false;
  }
  void force(unsigned site, bool flip, bool held, bool value) {
    const auto set = [site](std::uint32_t* at, bool on) {
      at[site / 32] = (at[site / 32] & ~(1u << site % 32)) | std::uint32_t{on} << site % 32;
    };
    set(top_->flip.data(), flip), set(top_->held.data(), held), set(top_->value.data(), value);
  }

  std::size_t cycle = 0;

 private:
  const Job& job_;
  VerilatedContext context_;
  std::unique_ptr<Vfaulty> top_;
};

// Runs what is in front of the job. Returns whether the host waits then, so that the job begins with the poll that sees
// the end.
bool prepare(const Job& job, Bench& bench) {
  bool waits = false;
  for (std::size_t i = 0; i < job.begin; ++i) {
    const Words& row = job.rows[i];
    bench.settle(row);
    waits =
        job.has("state") && bench.number("state") == job.busy && !bench.any(row, "request") && !bench.any(row, "pulse");
    bench.clock();
  }
  bench.cycle = 0;
  return waits;
}

// From the record's rows to what a host does: a wait is one step, however long it takes.
std::deque<Step> steps_of(const Job& job, Bench& bench) {
  std::deque<Step> steps;
  const bool host = job.has("state");
  Step* reading = nullptr;
  if (prepare(job, bench)) steps.push_back({Do::kWait, &job.rows[job.begin - 1]});
  const auto drive = [&](const Words& row) {
    bench.settle(row);
    if (reading) reading->answer = bench.data(), reading = nullptr;
  };
  for (std::size_t i = job.begin; i < job.rows.size(); ++i) {
    const Words& row = job.rows[i];
    const bool requests = bench.any(row, "request"), idle = !requests && !bench.any(row, "pulse");
    drive(row);
    const bool busy = host && bench.number("state") == job.busy;
    if (!steps.empty() && steps.back().what == Do::kWait && !busy && !steps.back().ended) {
      drive(*steps.back().inputs);  // the poll that sees it
      steps.back().state = bench.number("state"), steps.back().ended = true;
      bench.clock();
      drive(row);
    }
    if (!host) {
      steps.push_back({Do::kDrive, &row});
      steps.back().answer = bench.data();
    } else if (requests) {
      if (bench.number("grant")) {
        steps.push_back({Do::kAccess, &row});
        if (!bench.any(row, "write")) reading = &steps.back(), reading->reads = true, reading->look = job.looks[i];
      }
    } else if (!idle || !busy) {
      steps.push_back({Do::kDrive, &row});
    } else if (steps.empty() || steps.back().what != Do::kWait) {
      steps.push_back({Do::kWait, &row});
    }
    bench.clock();
  }
  if (host) {
    static Words idle = job.rows.back();
    for (const char* role : {"request", "pulse"})
      for (auto [at, last] = job.roles.equal_range(role); at != last; ++at)
        idle[at->second.at / 32] &= ~(1u << at->second.at % 32);
    drive(idle);
    bench.clock();
    steps.push_back({Do::kDrive, &idle});
  }
  return steps;
}

struct Fault {
  std::string kind;
  unsigned site;
  std::size_t cycle;
};

// The class of a fault, on a bench at the beginning of the job.
int run(const Job& job, Bench& bench, const std::deque<Step>& steps, const Fault& fault, std::size_t cycles) {
  const std::size_t start = bench.cycle;
  const Step* reading = nullptr;
  bool wrong = false, used = false;
  std::map<unsigned, std::vector<bool>> first;
  for (const Step& step : steps)
    for (bool done = false; !done;) {
      const std::size_t cycle = bench.cycle - start;
      if (cycle >= 2 * cycles + 64) return used ? 6 : 7;
      if (fault.kind == "flip")
        bench.force(fault.site, cycle == fault.cycle, false, false);
      else
        bench.force(fault.site, false, true, fault.kind == "stuck-at-1");
      bench.settle(*step.inputs);
      if (bench.alert()) return used ? 5 : 3;
      if (reading) {
        if (job.has("valid") && !bench.number("valid")) return used ? 5 : 4;
        const auto data = bench.data();
        const Look& look = reading->look;
        const bool other = data != reading->answer;
        if (look.kind == "first") first[look.slot] = data;
        if (look.kind == "know" ? other : look.kind == "again" && data != first[look.slot]) return used ? 5 : 4;
        wrong |= other;
        used |= (look.kind == "take" && other) || (look.releases && wrong);
        reading = nullptr;
      }
      switch (step.what) {
        case Do::kAccess:
          done = bench.number("grant");
          if (done && step.reads) reading = &step;
          break;
        case Do::kWait:
          done = bench.number("state") != job.busy;
          if (done && bench.number("state") != step.state) return used ? 5 : 4;
          break;
        case Do::kDrive:
          done = true;
          if (!step.answer.empty()) used = wrong |= bench.data() != step.answer;
      }
      bench.clock();
    }
  return wrong ? 6 : 1;
}

// In a child, whose exit code is the result.
template <class F>
int in_child(F&& work) {
  const pid_t child = fork();
  if (!child) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "cross_check NETLIST RECORD < faults\n";
    return 2;
  }
  const Job job(argv[1], argv[2]);
  std::size_t cycles = 0;
  std::deque<Step> steps;
  {
    Bench bench(job);
    steps = steps_of(job, bench);
    cycles = bench.cycle;
  }
  Bench bench(job);
  prepare(job, bench);
  for (Fault fault; std::cin >> fault.kind >> fault.site >> fault.cycle;)
    std::cout << in_child([&] { return run(job, bench, steps, fault, cycles); }) << std::endl;
}
