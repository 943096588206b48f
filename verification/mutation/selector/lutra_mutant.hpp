// The active mutant, or 0 for none. Included by the compiler in front of every file of a mutated build.
#pragma once

extern int lutra_active;

inline bool lutra_mutant(int number) { return lutra_active == number; }
