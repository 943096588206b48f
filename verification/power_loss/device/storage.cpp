// Accesses to the files, and what a cut leaves of one.
#include "storage.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "random.hpp"

namespace power_loss {
namespace {

// What the harness itself cannot do, or the loader must not: no result of a power loss.
[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "device: %s\n", what);
  std::_Exit(kWrongUse);
}

int open_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) give_up(("cannot open " + path).c_str());
  return file;
}

// What the loader had told the user by then is flushed; nothing else happens any more.
[[noreturn]] void lose_power() {
  std::fflush(stdout);
  std::_Exit(kPowerLost);
}

void store(int file, std::uint32_t address, const std::uint8_t* bytes, std::size_t length) {
  if (pwrite(file, bytes, length, address) != static_cast<ssize_t>(length)) give_up("cannot write a file");
}

}  // namespace

Storage::Storage(const std::string& folder, const Geometry& geometry, const std::optional<Cut>& cut, std::FILE* trace)
    : geometry_(geometry),
      flash_(open_file(folder + "/flash")),
      fuses_(open_file(folder + "/fuses")),
      cut_(cut),
      trace_(trace) {}

lutra_flash Storage::flash() {
  const std::uint32_t slots = 2 * geometry_.sector;
  lutra_flash flash{};
  flash.context = this;
  flash.sector_bytes = geometry_.sector;
  flash.granule_bytes = geometry_.granule;
  flash.record[1] = geometry_.sector;
  for (std::uint32_t n = 0; n < LUTRA_SLOTS; ++n) flash.slot[n] = slots + n * geometry_.slot;
  flash.slot_bytes = geometry_.slot;
  flash.read = [](void* self, std::uint32_t address, std::uint8_t* bytes, std::uint32_t length) {
    auto* storage = static_cast<Storage*>(self);
    return storage->read(storage->flash_, address, bytes, length);
  };
  flash.erase = [](void* self, std::uint32_t address) {
    auto* storage = static_cast<Storage*>(self);
    const std::uint32_t sector = storage->geometry_.sector;
    if (address % sector || address >= storage->geometry_.bytes()) give_up("the loader erases what is no sector");
    storage->change('e', address, std::vector<std::uint8_t>(sector, 0xff), sector);
    return 0;
  };
  flash.write = [](void* self, std::uint32_t address, const std::uint8_t* bytes, std::uint32_t length) {
    auto* storage = static_cast<Storage*>(self);
    const std::uint32_t granule = storage->geometry_.granule, size = storage->geometry_.bytes();
    if (address % granule || length % granule || address > size || length > size - address)
      give_up("the loader writes something else than whole granules");
    std::vector<std::uint8_t> old(length);
    storage->read(storage->flash_, address, old.data(), length);
    if (std::any_of(old.begin(), old.end(), [](std::uint8_t byte) { return byte != 0xff; }))
      give_up("the loader writes a granule that is not erased");
    storage->change('w', address, {bytes, bytes + length}, granule);
    return 0;
  };
  return flash;
}

lutra_fuses Storage::fuses() {
  lutra_fuses fuses{};
  fuses.context = this;
  fuses.read = [](void* self, std::uint32_t offset, std::uint8_t* bytes, std::uint32_t length) {
    auto* storage = static_cast<Storage*>(self);
    return storage->read(storage->fuses_, offset, bytes, length);
  };
  fuses.burn = [](void* self, std::uint32_t offset, const std::uint8_t* bytes, std::uint32_t length) {
    return static_cast<Storage*>(self)->burn(offset, bytes, length);
  };
  return fuses;
}

int Storage::read(int file, std::uint32_t address, std::uint8_t* bytes, std::uint32_t length) {
  return pread(file, bytes, length, address) == static_cast<ssize_t>(length) ? 0 : 1;
}

bool Storage::cut_here(char kind, std::uint32_t address, std::uint32_t length, std::uint32_t places) {
  if (trace_) std::fprintf(trace_, "%c %u %u %u\n", kind, address, length, places);
  const bool here = cut_ && cut_->number == number_++;
  if (here && cut_->place >= places) give_up("no such place to cut");
  return here;
}

// bytes: what will be there; unit: what is damaged together.
void Storage::change(char kind, std::uint32_t address, const std::vector<std::uint8_t>& bytes, std::uint32_t unit) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  if (!cut_here(kind, address, length, length)) return store(flash_, address, bytes.data(), bytes.size());
  std::vector<std::uint8_t> torn(length);
  read(flash_, address, torn.data(), length);
  std::copy_n(bytes.begin(), cut_->place, torn.begin());
  Random random(cut_->seed, cut_->number, cut_->place);
  const std::uint32_t first = cut_->place / unit * unit;
  for (std::uint32_t at = cut_->tear == Tear::Unit ? first : cut_->place; at < first + unit; ++at) {
    const auto any = static_cast<std::uint8_t>(random.next());
    if (cut_->tear == Tear::Bits) torn[at] ^= static_cast<std::uint8_t>(any & (torn[at] ^ bytes[at]));
    if (cut_->tear == Tear::Random || cut_->tear == Tear::Unit) torn[at] = any;
  }
  store(flash_, address, torn.data(), torn.size());
  lose_power();
}

int Storage::burn(std::uint32_t offset, const std::uint8_t* bytes, std::uint32_t length) {
  std::vector<std::uint8_t> burnt(length);
  if (offset > LUTRA_FUSE_BYTES || length > LUTRA_FUSE_BYTES - offset) give_up("the loader burns what is no fuse");
  if (read(fuses_, offset, burnt.data(), length)) return 1;
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < length; ++i)
    bits += static_cast<std::uint32_t>(std::popcount(static_cast<std::uint8_t>(bytes[i] & ~burnt[i])));
  const std::uint32_t places = burn_places(bits);
  const bool here = cut_here('b', offset, length, places);
  Random random(here ? cut_->seed : 0, number_, here ? cut_->place : 0);
  std::uint64_t subset = here ? cut_->place : 0;
  for (std::uint32_t bit = 0; bit < 8 * length; ++bit) {
    const auto mask = static_cast<std::uint8_t>(1u << bit % 8);
    if (!(bytes[bit / 8] & ~burnt[bit / 8] & mask)) continue;
    bool reached = true;
    if (here && places < kBurnPlaces) reached = subset & 1, subset >>= 1;
    // The first of the random subsets is empty, the second whole.
    if (here && places == kBurnPlaces) reached = cut_->place < 2 ? cut_->place : random.next() & 1;
    if (reached) burnt[bit / 8] |= mask;
  }
  store(fuses_, offset, burnt.data(), length);
  if (here) lose_power();
  return 0;
}

}  // namespace power_loss
