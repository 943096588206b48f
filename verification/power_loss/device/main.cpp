// A device in one process: `device FOLDER [OPTION...] STEP...` runs the loader as shipped on the files `flash`
// and `fuses` of a folder. One process is the time from power-up to power-down; only the files outlive it.
//
//   steps:   boot, apply=PACK, confirm, revert, update=PACK (boot, then the rest of an update), report
//   options: --geometry=SECTOR,GRANULE,SLOT, --trace (a line for each access that changes something), --cut=NUMBER,
//            PLACE,TEAR,SEED (exit code 9 there)
//
// The first step that fails ends it with exit code 1. Each step prints a line when it begins and one with its result;
// each run of the core prints one.
#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "core.hpp"
#include "storage.hpp"

using namespace power_loss;

namespace {

// Only as large as the packs of the campaign need, since every boot clears it.
lutra::Config core_config() {
  lutra::Config config;
  config.program_words = 64;
  config.memory_rows = 16;
  return config;
}

struct Device {
  Core core{core_config(), stdout};
  lutra_device loader{};
  lutra_error error{};

  // A call of the loader between two lines.
  template <class Function>
  lutra_result call(const char* step, const Function& function) {
    std::printf("begin %s\n", step);
    const lutra_result result = function();
    std::printf("%s %d slot %u: %s\n", step, result, loader.running, lutra_text(result));
    return result;
  }
  lutra_result boot() {
    return call("boot", [&] { return lutra_boot(&loader, &error); });
  }
  lutra_result confirm() {
    return call("confirm", [&] { return lutra_confirm(&loader, &error); });
  }
  lutra_result revert() {
    return call("revert", [&] { return lutra_revert(&loader, &error); });
  }
  lutra_result apply(const char* path);
  lutra_result update(const char* path);
  lutra_result report();
};

lutra_result Device::apply(const char* path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  const off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  if (size < 0) {
    std::fprintf(stderr, "device: cannot read %s\n", path);
    std::exit(kWrongUse);
  }
  lutra_source source{};
  source.context = &file;
  source.size = static_cast<std::uint32_t>(size);
  source.read = [](void* context, std::uint32_t offset, std::uint8_t* bytes, std::uint32_t length) {
    return pread(*static_cast<int*>(context), bytes, length, offset) == static_cast<ssize_t>(length) ? 0 : 1;
  };
  const lutra_result applied = call("apply", [&] { return lutra_apply(&loader, &source, &error); });
  close(file);
  return applied;
}

// Steps of a device that finds a pack to install, wherever it was interrupted before.
lutra_result Device::update(const char* path) {
  if (const auto booted = boot(); booted != LUTRA_ERROR_OK && booted != LUTRA_ERROR_NO_FIRMWARE) return booted;
  if (const auto confirmed = confirm(); confirmed != LUTRA_ERROR_NO_TRIAL) return confirmed;
  if (const auto applied = apply(path); applied != LUTRA_ERROR_OK)
    return applied == LUTRA_ERROR_VERSION ? LUTRA_ERROR_OK : applied;
  if (const auto booted = boot(); booted != LUTRA_ERROR_OK) return booted;
  return confirm();
}

// Everything that a host can learn, for the campaign; the known answers run last, because they use the core.
lutra_result Device::report() {
  const std::uint64_t core_digest = core.digest();
  lutra_status status{};
  if (const auto read = lutra_get_status(&loader, &status, &error); read != LUTRA_ERROR_OK) return read;
  const auto answers = loader.running == LUTRA_NO_SLOT ? LUTRA_ERROR_NO_FIRMWARE : lutra_self_test(&loader, &error);
  std::printf("report %u %u %u %u %u %u %u %u %d %d %d %016" PRIx64, status.primary, loader.running, status.counter,
              status.roots, status.state[0], status.state[1], status.size[0], status.size[1], status.check[0],
              status.check[1], answers, core_digest);
  for (const auto& info : status.info) {
    std::printf(" %u ", info.counter);
    for (const std::uint8_t byte : info.digest) std::printf("%02x", byte);
  }
  std::printf("\n");
  return LUTRA_ERROR_OK;
}

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "device: %s\n", what);
  std::exit(kWrongUse);
}

// The rest of an argument after NAME=, or null.
const char* value(const char* argument, std::string_view name) {
  return std::string_view(argument).starts_with(name) ? argument + name.size() : nullptr;
}

lutra_result run(Device& device, const char* step) {
  if (const char* pack = value(step, "apply=")) return device.apply(pack);
  if (const char* pack = value(step, "update=")) return device.update(pack);
  const std::string_view name = step;
  if (name == "boot") return device.boot();
  if (name == "confirm") return device.confirm();
  if (name == "revert") return device.revert();
  if (name == "report") return device.report();
  refuse("a step is boot, apply=PACK, confirm, revert, update=PACK or report");
}

}  // namespace

int main(int count, char** arguments) {
  Geometry geometry;
  std::optional<Cut> cut;
  bool trace = false;
  int at = 2;
  for (; at < count && std::strncmp(arguments[at], "--", 2) == 0; ++at) {
    if (const char* numbers = value(arguments[at], "--geometry=")) {
      if (std::sscanf(numbers, "%u,%u,%u", &geometry.sector, &geometry.granule, &geometry.slot) != 3)
        refuse("--geometry=SECTOR,GRANULE,SLOT");
    } else if (const char* place = value(arguments[at], "--cut=")) {
      unsigned tear = 0;
      cut.emplace();
      if (std::sscanf(place, "%u,%u,%u,%" SCNu64, &cut->number, &cut->place, &tear, &cut->seed) != 4 ||
          tear >= std::size(kTears))
        refuse("--cut=NUMBER,PLACE,TEAR,SEED");
      cut->tear = static_cast<Tear>(tear);
    } else if (std::string_view(arguments[at]) == "--trace") {
      trace = true;
    } else {
      refuse("no such option");
    }
  }
  if (at >= count) refuse("usage: device FOLDER [OPTION...] STEP...");

  Storage storage(arguments[1], geometry, cut, trace ? stdout : nullptr);
  Device device;
  device.loader.flash = storage.flash();
  device.loader.fuses = storage.fuses();
  device.loader.core = device.core.callbacks();
  device.loader.running = LUTRA_NO_SLOT;
  for (; at < count; ++at)
    if (run(device, arguments[at]) != LUTRA_ERROR_OK) return kFailed;
  if (cut) refuse("the place to cut was not reached");
  return kDone;
}
