// The device model for hosts in C, such as an emulator: registers by offset, memory by callbacks.
#ifndef LUTRA_MODEL_H
#define LUTRA_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lutra_model;

// Memory as the device sees it; false is an error response of the bus.
struct lutra_model_bus {
  void* context;
  bool (*read)(void* context, uint64_t address, void* bytes, size_t length);
  bool (*write)(void* context, uint64_t address, const void* bytes, size_t length);
};

// exact: the core instruction by instruction, with several jobs in its memory; otherwise faster, one job at a time.
// NULL without memory. The bus is copied.
struct lutra_model* lutra_model_new(const struct lutra_model_bus* bus, bool exact);
void lutra_model_delete(struct lutra_model* model);

uint32_t lutra_model_read(const struct lutra_model* model, uint32_t offset);
void lutra_model_write(struct lutra_model* model, uint32_t offset, uint32_t value);
// Works until an interrupt rises or about so many cycles have passed; returns how many have.
uint64_t lutra_model_run(struct lutra_model* model, uint64_t cycles);
// A bit for each ring whose interrupt is pending.
unsigned lutra_model_interrupts(const struct lutra_model* model);
// Nothing is in work, and nothing can be taken.
bool lutra_model_idle(const struct lutra_model* model);

#ifdef __cplusplus
}
#endif

#endif
