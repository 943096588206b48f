// What mirror.td calls mirror_bits. Twin of functions.hpp.

package lutra_mirror_pkg;

  import lutra_isa_pkg::*;

  function automatic vec_t mirror_bits(vec_t x);
    for (int i = 0; i < VectorBits; i++) mirror_bits[i] = x[i/8*8+7-i%8];
  endfunction

endpackage
