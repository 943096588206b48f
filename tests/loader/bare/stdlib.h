// What memory_device.c takes of the C library, for a hart without one (skip_device.c).
#pragma once

#include <stddef.h>

void* calloc(size_t count, size_t size);
void* malloc(size_t size);
void free(void* place);
_Noreturn void abort(void);
