/* An attachment, seen from the host's program: rows of the core, and calls of its routines. Data is aligned to words.
 */
#ifndef LINK_H
#define LINK_H

#include <stddef.h>
#include <stdint.h>

/* Spaces, as in host_space_i of lutra_core. */
enum { SPACE_M0, SPACE_M1, SPACE_M2, SPACE_M3, SPACE_PROGRAM = 7 };
enum { STATE_RUNNING = 1, STATE_HALTED = 3 };

void link_write(unsigned space, unsigned row, const void* data, size_t rows);
void link_read(void* data, unsigned space, unsigned row, size_t rows);
/* Rows of the core, XORed with `with`. */
void link_read_xor(void* data, const void* with, unsigned space, unsigned row, size_t rows);
/* Runs a routine to its end; a trap ends the program. */
void link_call(unsigned entry);

#endif
