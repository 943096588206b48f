// The device model (soc/model) as reference, by DPI-C (dpi/soc_reference.cpp). It has a memory of its own.

package lutra_soc_reference_pkg;

  import "DPI-C" function void lutra_soc_reference_new(longint base, int size);
  import "DPI-C" function void lutra_soc_reference_reset();
  import "DPI-C" function void lutra_soc_reference_write(int offset, int value);
  import "DPI-C" function int lutra_soc_reference_read(int offset);
  // For so many cycles at most; whether nothing is left to do.
  import "DPI-C" function bit lutra_soc_reference_run(longint cycles);

  // Memory: a byte, and eight of them, the first one lowest.
  import "DPI-C" function void lutra_soc_reference_put(longint address, int value);
  import "DPI-C" function longint lutra_soc_reference_word(longint address);
  import "DPI-C" function void lutra_soc_reference_fail(bit write, longint first, int bytes);
  import "DPI-C" function void lutra_soc_reference_heal();

endpackage
