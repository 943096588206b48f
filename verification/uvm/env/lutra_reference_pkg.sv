// The simulator as reference model, by DPI-C (dpi/reference.cpp). Clocks are cycle numbers; rows as at the host port.

package lutra_reference_pkg;

  import lutra_isa_pkg::*;
  import lutra_state_pkg::*;

  typedef bit [$bits(retire_t)-1:0] record_bits_t;
  typedef bit [$bits(registers_t)-1:0] registers_bits_t;
  typedef bit [VectorBits-1:0] vec_bits_t;
  typedef bit [32*StallCauses-1:0] stall_bits_t;

  // The simulator begins with the core's memories. delay: cycles from the issue of an instruction to its retirement.
  import "DPI-C" function chandle lutra_reference_new(int rounds, int delay);
  import "DPI-C" function void lutra_reference_delete(chandle model);

  import "DPI-C" function void lutra_reference_reset(chandle model);
  import "DPI-C" function void lutra_reference_start(chandle model, int pc);
  import "DPI-C" function void lutra_reference_resume(chandle model);
  import "DPI-C" function void lutra_reference_wipe(chandle model);
  // Whether a program has closed the memories to the host.
  import "DPI-C" function bit lutra_reference_closed(chandle model);
  import "DPI-C" function void lutra_reference_write(chandle model, longint clock, int space, int row,
                                                     input vec_bits_t data);
  import "DPI-C" function void lutra_reference_read(chandle model, int space, int row, output vec_bits_t data);

  // The state of the core as it is now, for the next comparison after a stop.
  import "DPI-C" function void lutra_reference_observe(input registers_bits_t registers);

  // 0 if the simulator differs; the report then says how.
  import "DPI-C" function bit lutra_reference_retired(chandle model, longint clock, input record_bits_t record);
  import "DPI-C" function bit lutra_reference_stopped(chandle model, int state, int trap, int pc, longint cycles,
                                                      longint instructions, input stall_bits_t stalls);
  import "DPI-C" function void lutra_reference_silent(chandle model);
  import "DPI-C" function string lutra_reference_report(chandle model);

endpackage
