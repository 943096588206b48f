// The selector of a mutated build; each of the two Python modules has one.
#include "lutra_mutant.hpp"

int lutra_active = 0;

extern "C" __attribute__((visibility("default"))) void lutra_select(int number) { lutra_active = number; }
