/* How fast the host moves rows without any cipher: 64 rows to the core, from it, and from it with the text added. Each
 * is between two marks; what was read is dumped. */
#include "link.h"
#include "system.h"

enum { ROWS = 64 };

int main(void) {
  mark(0);
  link_write(SPACE_M2, 0, TEXT, ROWS);
  mark(1);
  link_read(RESULT, SPACE_M2, 0, ROWS);
  mark(2);
  dump(RESULT, 16 * ROWS);
  mark(3);
  link_read_xor(RESULT, TEXT, SPACE_M2, 0, ROWS);
  mark(4);
  dump(RESULT, 16 * ROWS);
  return 0;
}
