// Writes rows to the simulator's memories, and runs it with every cycle counted.
#include "core.hpp"

#include <algorithm>

namespace power_loss {
namespace {

// A row of a space: where it is, and how much of it there is.
std::size_t row_bytes(lutra::Space space) {
  return space == lutra::Space::Program ? lutra::kInsnBytes : lutra::kVectorBytes;
}

// HostError is the core's answer to requests for what it does not have.
template <class Access>
int answered(const Access& access) {
  try {
    access();
  } catch (const lutra::HostError&) {
    return 1;
  }
  return 0;
}

}  // namespace

lutra_core Core::callbacks() {
  const lutra::Config& config = machine_.config();
  lutra_core core{};
  core.context = this;
  core.rounds = static_cast<std::uint8_t>(config.rounds);
  core.contexts = static_cast<std::uint8_t>(config.contexts);
  core.program_words = static_cast<std::uint16_t>(config.program_words);
  core.memory_rows = static_cast<std::uint16_t>(config.memory_rows);
  // Within a member, so that these see the machine.
  core.reset = [](void* context) { return answered([&] { static_cast<Core*>(context)->machine_.reset(); }); };
  core.write = [](void* context, std::uint8_t code, std::uint16_t row, const std::uint8_t bytes[16]) {
    const auto space = static_cast<lutra::Space>(code);
    return answered(
        [&] { static_cast<Core*>(context)->machine_.write(space, row * row_bytes(space), {bytes, row_bytes(space)}); });
  };
  core.read = [](void* context, std::uint8_t code, std::uint16_t row, std::uint8_t bytes[16]) {
    const auto space = static_cast<lutra::Space>(code);
    return answered([&] {
      const auto found = static_cast<Core*>(context)->machine_.read(space, row * row_bytes(space), row_bytes(space));
      std::fill(std::copy(found.begin(), found.end(), bytes), bytes + lutra::kVectorBytes, std::uint8_t{0});
    });
  };
  core.run = [](void* context, std::uint16_t entry, std::uint32_t max_cycles, lutra_stop* stop) {
    return answered([&] {
      lutra::Machine& on = static_cast<Core*>(context)->machine_;
      if (std::FILE* told = static_cast<Core*>(context)->told_) std::fprintf(told, "run %u\n", entry);
      on.start(entry);
      on.run(max_cycles);
      stop->state = static_cast<std::uint8_t>(on.state());
      stop->trap = static_cast<std::uint8_t>(on.trap());
      stop->pc = on.pc();
      stop->cycles = static_cast<std::uint32_t>(on.cycles());
    });
  };
  return core;
}

std::uint64_t Core::digest() const {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](const std::vector<std::uint8_t>& bytes) {
    for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  };
  const auto all = [&](lutra::Space space) { add(machine_.peek(space, 0, machine_.size(space))); };
  for (std::size_t code = 0; code < lutra::kSpaceBlocks.size(); ++code)
    if (!machine_.contents(static_cast<lutra::Space>(code)).empty()) all(static_cast<lutra::Space>(code));
  all(lutra::Space::Program);
  return hash;
}

}  // namespace power_loss
