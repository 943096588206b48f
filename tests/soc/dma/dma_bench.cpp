// Drives the DMA units with random strings, or measures their rate.
//
//   dma_bench random FIRST LAST FAULT  scenarios of these seeds, without the last
//   dma_bench rate                     for each line `source destination bytes segment latency` of the input: cycles of
//                                      one string each way, in segments of a list; segment 0: no list

#include <cstring>

#include "bench.hpp"

namespace {

uint32_t any_length(Random& random) {
  static constexpr std::array<unsigned, 8> kBounds{4, 20, 40, 100, 300, 300, 1500, 5000};
  return below(random, kBounds[below(random, kBounds.size())]);
}

uint64_t any_address(Random& random, const Window& window, uint32_t bytes) {
  uint64_t size = window.base < kSpace ? std::min(window.limit, kSpace) - window.base : 1;
  switch (below(random, 40)) {
    case 0:
      return window.base - 1 - below(random, 20);
    case 1:
      return window.limit - below(random, bytes + 1);
    case 2:
      return random();
    case 3:
      return window.limit - bytes;
    case 4:
      return window.base;
    default:
      return window.base + below(random, size - std::min<uint64_t>(size - 1, bytes));
  }
}

void put(Memory& memory, uint64_t address, uint32_t value, bool big_endian) {
  for (unsigned i = 0; i < 4; i++) memory.write(address + i, value >> 8 * (big_endian ? 3 - i : i));
}

// Writes a list of about as many bytes and returns its address.
uint64_t add_list(Bench& bench, uint32_t bytes, const Window& window) {
  Random& random = bench.random;
  uint64_t list = any_address(random, window, 1000);
  if (!chance(random, 5)) list = list / 16 * 16;
  uint64_t at = list;
  static constexpr std::array<uint32_t, 4> kSizes{8, 40, 300, 2000};
  uint32_t size = kSizes[below(random, kSizes.size())];
  for (uint32_t placed = 0; at < kSpace - 16;) {
    uint32_t length = chance(random, 1) ? 0 : 1 + below(random, size);
    placed += length;
    bool last = chance(random, 98) ? placed >= bytes : chance(random, 50);
    uint64_t address = any_address(random, window, length);
    put(bench.axi.memory, at, address, bench.big_endian);
    put(bench.axi.memory, at + 4, address >> 32, bench.big_endian);
    put(bench.axi.memory, at + 8, length, bench.big_endian);
    put(bench.axi.memory, at + 12, last | (chance(random, 1) ? 2u << below(random, 31) : 0), bench.big_endian);
    at += 16;
    if (placed >= bytes) break;
  }
  return list;
}

void add_strings(Bench& bench, unsigned direction) {
  Random& random = bench.random;
  String string;
  string.bytes = any_length(random);
  string.ring = chance(random, 50);
  string.list = chance(random, 50);
  const Window& window = bench.windows[string.ring];
  string.address = string.list ? add_list(bench, string.bytes, window) : any_address(random, window, string.bytes);
  uint32_t left = string.bytes;
  do {  // in chunks
    string.bytes = chance(random, 60) ? left : below(random, left + 1);
    left -= string.bytes;
    bench.strings[direction].push_back(string);
    string.goes_on = true;
  } while (left);
}

void random_scenario(uint64_t seed, unsigned fault) {
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(static_cast<int>(seed + 1));
  Bench bench(seed, context);
  bench.dut.fault_i = fault;
  Random& random = bench.random;
  static constexpr std::array<unsigned, 6> kStalls{0, 0, 10, 30, 60, 90}, kLatencies{0, 0, 3, 9, 30, 100};
  static constexpr std::array<unsigned, 4> kBad{0, 0, 10, 100};
  bench.axi.memory.seed = seed;
  bench.axi.memory.bad_permille = kBad[below(random, kBad.size())];
  bench.axi.stall = kStalls[below(random, kStalls.size())];
  bench.axi.latency = kLatencies[below(random, kLatencies.size())];
  bench.axi.order = static_cast<Order>(below(random, 4));
  bench.stall = kStalls[below(random, kStalls.size())];
  bench.big_endian = chance(random, 50);
  for (Window& window : bench.windows) {
    uint64_t size = 1 + below(random, 1 << 16) + 8192;
    window.base = chance(random, 20) ? kSpace - size : below(random, kSpace - size);
    if (chance(random, 10)) window.base = 0;
    window.limit = window.base + size;
    if (window.limit == kSpace && chance(random, 50)) window.limit = random() | kSpace;
    if (chance(random, 5)) window.base |= kSpace;  // reaches nothing
    if (window.base > window.limit) window.limit = window.base + size;
  }
  for (unsigned i = 0; i < 2; i++)
    for (unsigned left = 1 + below(random, 12); left; left--) add_strings(bench, i);
  bench.expect();
  for (unsigned left = below(random, 20); left; left--) bench.add_fetch(below(random, kSpace) / 64 * 64);
  for (unsigned left = below(random, 20); left; left--) bench.add_post(below(random, kSpace) / 16 * 16);

  bench.reset();
  uint64_t limit = chance(random, 10) ? below(random, 2000) : 1'000'000;
  while (!bench.finished() && bench.now < limit) bench.step();
  if (limit < 1'000'000) return bench.reset();  // in the middle of it
  require(bench.finished(), "the units hang");
  bench.check_end();
}

void rate(uint64_t source, uint64_t destination, uint32_t bytes, uint32_t segment, unsigned latency) {
  VerilatedContext context;
  Bench bench(1, context);
  bench.windows[0] = {0, kSpace};
  bench.axi.latency = latency;
  std::array<uint64_t, 2> address{(1 << 20) + source, (2 << 20) + destination};
  for (unsigned i = 0; i < 2; i++) {
    String string{address[i], bytes, segment != 0, false, false};
    if (segment) {
      string.address = (4 + i) << 20;
      for (uint64_t at = 0; at < bytes; at += segment) {
        uint64_t element = string.address + at / segment * 16;
        put(bench.axi.memory, element, address[i] + at, false);
        put(bench.axi.memory, element + 4, 0, false);
        put(bench.axi.memory, element + 8, std::min<uint64_t>(segment, bytes - at), false);
        put(bench.axi.memory, element + 12, at + segment >= bytes, false);
      }
    }
    bench.strings[i].push_back(string);
  }
  bench.expect();
  bench.reset();
  uint64_t begin = bench.now;
  while (!bench.finished() && bench.now < 1'000'000) bench.step();
  require(bench.finished(), "the units hang");
  std::printf("%llu %llu\n", 1ull + bench.rows_end - begin, 1ull + bench.done_end - begin);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && !std::strcmp(argv[1], "random")) {
    for (uint64_t seed = std::stoull(argv[2]); seed < std::stoull(argv[3]); seed++) {
      std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(seed));
      random_scenario(seed, std::stoul(argv[4]));
    }
    return 0;
  }
  if (argc == 2 && !std::strcmp(argv[1], "rate")) {
    unsigned long long source, destination;
    unsigned bytes, segment, latency;
    while (std::scanf("%llu %llu %u %u %u", &source, &destination, &bytes, &segment, &latency) == 5)
      rate(source, destination, bytes, segment, latency);
    return 0;
  }
  fail("usage: dma_bench random FIRST LAST FAULT | dma_bench rate");
}
