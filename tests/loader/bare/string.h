// Of the loader's own (src/freestanding.c).
#pragma once

#include <stddef.h>

void* memcpy(void* to, const void* from, size_t length);
void* memset(void* to, int value, size_t length);
int memcmp(const void* a, const void* b, size_t length);
