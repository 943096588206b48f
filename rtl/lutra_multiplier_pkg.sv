// Numbers of the multiplier (lutra_multiplier.sv).

package lutra_multiplier_pkg;

  import lutra_isa_pkg::*;

  localparam int unsigned SumBits = VectorBits + 5;
  localparam int unsigned InputBits = SumBits + 1;
  typedef logic [SumBits-1:0] sum_t;      // gu and gy
  typedef logic [InputBits-1:0] input_t;  // gt, whose upper two bits a block leaves zero, and gx as a number

  function automatic vec_t swap_bytes(vec_t x);
    for (int i = 0; i < VectorBytes; i++) swap_bytes[8*i+:8] = x[8*(VectorBytes-1-i)+:8];
  endfunction

endpackage
