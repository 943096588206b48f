// Runs jobs on the fixed-function cores. A job is a line of input: core, `gap` idle cycles between items, set-up,
// number of results, items, in hexadecimal but for core, gap and number. Its answer is a line of output: cycles of the
// set-up, cycles from the first item's entry to the last result, results.

#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>

#include "Vfixed_bench.h"
#include "verilated.h"

namespace {

constexpr int kMostCycles = 1000;  // without anything happening

// Words of a port, the least significant first.
template <typename Port>
void put(Port& port, const std::string& digits) {
  constexpr int words = sizeof(Port) / 4;
  for (int i = 0; i < words; i++) port[i] = 0;
  int at = 0;
  for (auto d = digits.rbegin(); d != digits.rend(); ++d, at += 4)
    port[at / 32] |= static_cast<std::uint32_t>(std::stoi(std::string(1, *d), nullptr, 16)) << at % 32;
}

template <typename Port>
std::string digits_of(const Port& port) {
  constexpr int words = sizeof(Port) / 4;
  std::string out;
  for (int i = words - 1; i >= 0; i--)
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[port[i] >> shift & 15];
  return out;
}

class Bench {
 public:
  Bench() {
    top_.rst_ni = 0;
    cycle();
    top_.rst_ni = 1;
  }

  std::string run(const std::string& line) {
    std::istringstream in(line);
    int core = 0, gap = 0, results = 0;
    std::string setup, item;
    in >> core >> gap >> setup >> results;
    top_.core_i = core;
    put(top_.setup_i, setup);
    top_.setup_valid_i = 1;
    wait([this] { return top_.setup_ready_o; });
    long began = now_;
    cycle();
    top_.setup_valid_i = 0;

    long entered = 0, ended = 0, ready = 0;
    int idle = 0;
    std::string out;
    bool more = static_cast<bool>(in >> item);
    for (int quiet = 0; more || results > 0; quiet++) {
      if (quiet > kMostCycles) throw std::runtime_error("the core does not answer");
      top_.valid_i = more && idle == 0;
      if (more) put(top_.data_i, item);
      top_.eval();
      if (top_.valid_o) {
        out += " " + digits_of(top_.data_o);
        ended = now_;
        results--;
        quiet = 0;
      }
      if (idle > 0) idle--;
      if (top_.valid_i && top_.ready_o) {
        if (!entered) entered = now_, ready = now_ - began;
        more = static_cast<bool>(in >> item);
        idle = gap;
        quiet = 0;
      }
      cycle();
    }
    top_.valid_i = 0;
    return std::to_string(ready) + " " + std::to_string(ended - entered) + out;
  }

 private:
  template <typename Condition>
  void wait(Condition condition) {
    for (int i = 0; top_.eval(), !condition(); i++) {
      if (i > kMostCycles) throw std::runtime_error("the core takes no set-up");
      cycle();
    }
  }

  void cycle() {
    top_.clk_i = 1;
    top_.eval();
    top_.clk_i = 0;
    top_.eval();
    now_++;
  }

  Vfixed_bench top_;
  long now_ = 1;
};

}  // namespace

int main() {
  Bench bench;
  try {
    for (std::string line; std::getline(std::cin, line);) std::cout << bench.run(line) << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
