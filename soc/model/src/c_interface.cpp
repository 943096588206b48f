#include <new>

#include "device.hpp"
#include "lutra_model.h"

using lutra::soc::Bus;
using lutra::soc::Device;

namespace {

class Callbacks final : public Bus {
 public:
  explicit Callbacks(const lutra_model_bus& bus) : bus_(bus) {}
  bool read(std::uint64_t address, std::span<std::uint8_t> bytes) override {
    return bus_.read(bus_.context, address, bytes.data(), bytes.size());
  }
  bool write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    return bus_.write(bus_.context, address, bytes.data(), bytes.size());
  }

 private:
  lutra_model_bus bus_;
};

}  // namespace

struct lutra_model {
  lutra_model(const lutra_model_bus& callbacks, bool exact) : bus(callbacks), device(bus, {.exact = exact}) {}
  Callbacks bus;
  Device device;
};

lutra_model* lutra_model_new(const lutra_model_bus* bus, bool exact) {
  try {
    return new lutra_model(*bus, exact);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void lutra_model_delete(lutra_model* model) { delete model; }
std::uint32_t lutra_model_read(const lutra_model* model, std::uint32_t offset) { return model->device.read(offset); }
void lutra_model_write(lutra_model* model, std::uint32_t offset, std::uint32_t value) {
  model->device.write(offset, value);
}
std::uint64_t lutra_model_run(lutra_model* model, std::uint64_t cycles) { return model->device.run(cycles); }
unsigned lutra_model_interrupts(const lutra_model* model) { return model->device.interrupts(); }
bool lutra_model_idle(const lutra_model* model) { return model->device.idle(); }
