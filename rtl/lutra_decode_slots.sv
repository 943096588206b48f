// Legality of the fields of vector instructions, independent of the instruction; the decoder's rows, which are
// generated, say the rest.

module lutra_decode_slots
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
(
  input  fields_t    fields_i,
  input  blocks_t    key_blocks_i,  // memory blocks that the key slot reads
  output logic       bad_data_o,
  output logic       bad_store_o,
  output logic       bad_move_o,
  output logic       clash_o        // two accesses to one memory block, or an address register modified twice
);

  fields_t f;
  assign f = fields_i;

  // A block or space without an access makes the word illegal.
  assign bad_data_o = f.d.bad || (!f.d.en && f.d_block != '0);
  assign bad_store_o = f.s.bad || (!f.s.en && f.s_space != space_e'(0)) ||
                       {blocks_of(f.s_space), banks_of(f.s_space)} == '0;

  // A move has just the slots and the register that it needs; ctr is incremented once.
  assign bad_move_o = (f.d.en ? !(f.mv inside {MoveHoldRow, MoveStore}) : f.mv == MoveHoldRow) ||
                      f.s.en != (f.mv == MoveStore) || (f.mv != MoveStore && f.rc != '0) ||
                      (f.mv == MoveHoldCtr && f.ra == VecCTRINC);

  function automatic logic modifies_same(slot_t a, slot_t b);
    return a.ar == b.ar && a.delta != DeltaNone && b.delta != DeltaNone;
  endfunction

  blocks_t data_blocks, store_blocks;
  assign data_blocks = f.d.en ? blocks_t'(1) << f.d_block : '0;
  assign store_blocks = f.s.en ? blocks_of(f.s_space) : '0;
  assign clash_o = |(key_blocks_i & data_blocks) || |(key_blocks_i & store_blocks) || |(data_blocks & store_blocks) ||
                   modifies_same(f.k, f.d) || modifies_same(f.k, f.s) || modifies_same(f.d, f.s);

endmodule
