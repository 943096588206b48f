// What is legal in the fields of a vector instruction, whichever instruction has them; the decoder's rows, which are
// generated, say the rest.

package lutra_decode_pkg;
  import lutra_isa_pkg::*;
  import lutra_pkg::*;

  // Whether a code is in a mask of codes.
  function automatic logic among(vector_e code, logic [15:0] codes);
    return codes[code];
  endfunction

  // A block without an access is no instruction.
  function automatic logic bad_data(fields_t f);
    return f.d.bad || (!f.d.en && f.d_block != '0);
  endfunction

  function automatic logic bad_store(fields_t f);
    return f.s.bad || (!f.s.en && f.s_space != space_e'(0)) ||
           (blocks_of(f.s_space) == '0 && banks_of(f.s_space) == '0);
  endfunction

  // A move has just the slots and the register that it needs; ctr is incremented once.
  function automatic logic bad_move(fields_t f);
    return (f.d.en ? !(f.mv inside {MoveHoldRow, MoveStore}) : f.mv == MoveHoldRow) ||
           f.s.en != (f.mv == MoveStore) || (f.mv != MoveStore && f.rc != '0) ||
           (f.mv == MoveHoldCtr && f.ra == VecCTRINC);
  endfunction

  function automatic logic modifies_same(slot_t a, slot_t b);
    return a.ar == b.ar && a.delta != DeltaNone && b.delta != DeltaNone;
  endfunction

  // Two accesses to one memory block, or an address register modified twice. key: blocks that the key slot reads.
  function automatic logic clash(logic [3:0] key, fields_t f);
    logic [3:0] data, stored;
    data = f.d.en ? 4'd1 << f.d_block : '0;
    stored = f.s.en ? blocks_of(f.s_space) : '0;
    return |(key & data) || |(key & stored) || |(data & stored) ||
           modifies_same(f.k, f.d) || modifies_same(f.k, f.s) || modifies_same(f.d, f.s);
  endfunction

endpackage
