// Accesses to the files, and the effect of a cut on one.
#include "storage.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "random.hpp"

namespace power_loss {
namespace {

// A failure of the harness, or a forbidden action of the loader; never due to a power loss.
[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "device: %s\n", what);
  std::_Exit(kWrongUse);
}

// Maps a file of exactly this size, shared only with the file.
std::span<std::uint8_t> map(const std::string& path, std::size_t size) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat found{};
  if (file < 0 || fstat(file, &found) || static_cast<std::size_t>(found.st_size) != size)
    give_up((path + " is not there, or not of " + std::to_string(size) + " bytes").c_str());
  void* bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (bytes == MAP_FAILED) give_up(("cannot map " + path).c_str());
  return {static_cast<std::uint8_t*>(bytes), size};
}

int read(std::span<const std::uint8_t> from, std::uint32_t address, std::uint8_t* bytes, std::uint32_t length) {
  if (address > from.size() || length > from.size() - address) return 1;
  std::copy_n(from.begin() + address, length, bytes);
  return 0;
}

// Flushes the loader's messages; nothing else happens after this.
[[noreturn]] void lose_power() {
  std::fflush(stdout);
  std::_Exit(kPowerLost);
}

}  // namespace

Storage::Storage(const std::string& folder, const Geometry& geometry, const std::optional<Cut>& cut, std::FILE* trace)
    : geometry_(geometry),
      flash_(map(folder + "/flash", geometry.bytes())),
      fuses_(map(folder + "/fuses", LUTRA_FUSE_BYTES)),
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
    return read(static_cast<Storage*>(self)->flash_, address, bytes, length);
  };
  flash.erase = [](void* self, std::uint32_t address) {
    auto* storage = static_cast<Storage*>(self);
    const std::uint32_t sector = storage->geometry_.sector;
    if (address % sector || address >= storage->geometry_.bytes()) give_up("the loader erases what is not a sector");
    storage->change('e', address, std::vector<std::uint8_t>(sector, 0xff), sector);
    return 0;
  };
  flash.write = [](void* self, std::uint32_t address, const std::uint8_t* bytes, std::uint32_t length) {
    auto* storage = static_cast<Storage*>(self);
    const std::uint32_t granule = storage->geometry_.granule, size = storage->geometry_.bytes();
    if (address % granule || length % granule || address > size || length > size - address)
      give_up("the loader writes something else than whole granules");
    const auto old = storage->flash_.subspan(address, length);
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
    return read(static_cast<Storage*>(self)->fuses_, offset, bytes, length);
  };
  fuses.burn = [](void* self, std::uint32_t offset, const std::uint8_t* bytes, std::uint32_t length) {
    return static_cast<Storage*>(self)->burn(offset, bytes, length);
  };
  return fuses;
}

bool Storage::cut_here(char kind, std::uint32_t address, std::uint32_t length, std::uint32_t places) {
  if (trace_) std::fprintf(trace_, "%c %u %u %u\n", kind, address, length, places);
  const bool here = cut_ && cut_->number == number_++;
  if (here && cut_->place >= places) give_up("no such place to cut");
  return here;
}

// bytes: the new contents; unit: size of what is damaged together.
void Storage::change(char kind, std::uint32_t address, const std::vector<std::uint8_t>& bytes, std::uint32_t unit) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  const auto now = flash_.subspan(address, length);
  const bool here = cut_here(kind, address, length, length);
  std::copy_n(bytes.begin(), here ? cut_->place : length, now.begin());
  if (!here) return;
  Random random(cut_->seed, cut_->number, cut_->place);
  const std::uint32_t first = cut_->place / unit * unit;
  for (std::uint32_t at = cut_->tear == Tear::Unit ? first : cut_->place; at < first + unit; ++at) {
    const auto any = static_cast<std::uint8_t>(random.next());
    if (cut_->tear == Tear::Bits) now[at] ^= static_cast<std::uint8_t>(any & (now[at] ^ bytes[at]));
    if (cut_->tear == Tear::Random || cut_->tear == Tear::Unit) now[at] = any;
  }
  lose_power();
}

int Storage::burn(std::uint32_t offset, const std::uint8_t* bytes, std::uint32_t length) {
  if (offset > LUTRA_FUSE_BYTES || length > LUTRA_FUSE_BYTES - offset) give_up("the loader burns what is not a fuse");
  const auto now = fuses_.subspan(offset, length);
  std::vector<std::uint32_t> missing;  // bits to be burnt
  for (std::uint32_t bit = 0; bit < 8 * length; ++bit)
    if (bytes[bit / 8] & ~now[bit / 8] & 1u << bit % 8) missing.push_back(bit);
  const std::uint32_t places = burn_places(static_cast<std::uint32_t>(missing.size()));
  const bool here = cut_here('b', offset, length, places);
  Random random(here ? cut_->seed : 0, number_, here ? cut_->place : 0);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    bool reached = true;
    if (here && places < kBurnPlaces) reached = cut_->place >> i & 1;
    // The first of the random subsets is empty, the second complete.
    if (here && places == kBurnPlaces) reached = cut_->place < 2 ? cut_->place : random.next() & 1;
    if (reached) now[missing[i] / 8] |= static_cast<std::uint8_t>(1u << missing[i] % 8);
  }
  if (here) lose_power();
  return 0;
}

}  // namespace power_loss
