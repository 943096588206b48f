// Hand-written types of the core: what travels between its units, loop-stack entries, counters.

package lutra_pkg;

  import lutra_isa_pkg::*;

  // An issued instruction. One that traps has the control word of an instruction without effect. What ID does not know
  // is zero in AG.
  typedef struct packed {
    trap_e  trap;
    width_e width;      // of ctr++ when the instruction was in AG
    addr_t  as_value;   // the source address register then, where a vector is made of it
    addr_t  s_address;  // where it stores
    ctl_t   ctl;
  } issued_t;

  typedef struct packed {
    addr_t start_pc;
    addr_t end_pc;     // the body's last instruction
    addr_t remaining;
  } loop_t;

  // As the host sees the counters: those of PerfBits with zeros above.
  typedef struct packed {
    logic [63:0] cycles;
    logic [63:0] instructions;
    logic [StallCauses-1:0][StallBits-1:0] stalls;
  } perf_t;

  // What lutra_wipe does to the memories: in a cycle a row of zeros to all of them, or a read of one.
  typedef struct packed {
    logic  busy;
    logic  memories;
    logic  tables;
    logic  write;
    addr_t row;
  } wipe_t;

  // The part of the retirement record that AG knows.
  typedef struct packed {
    addr_t      pc;
    logic [7:0] call_depth;
    logic [7:0] loop_depth;
    addr_t      loop_remaining;
    addr_t      key_address;
    addr_t      data_address;
    logic [AddressRegs-1:0] ar_mask;
    addr_t [AddressRegs-1:0] ar_value;
  } ag_record_t;

  // Results on their way to later instructions, by the stage that has them. Except for a join, x2_core ^ x2_side is the
  // result, and x2_side_partner the partner.
  typedef struct packed {
    vec_t x1_fast;  // of an instruction that is ready at the end of X1
    vec_t x1_partner;
    vec_t x2_result;  // of X1 if there is no X2
    vec_t x2_partner;
    vec_t x2_core;
    vec_t x2_side;
    vec_t x2_side_partner;
  } forward_t;

  // Forwarded results that PERM has still to XOR: onto the output of L0, and onto B. `last` arrives last.
  typedef struct packed {
    vec_t l0;
    vec_t l0_last;
    vec_t b;
    vec_t b_last;
  } late_t;

  // Registers of the hash unit.
  typedef struct packed {
    vec_t gh;
    vec_t gx;
    vec_t gy;
    logic [7:0] gt;  // of the multiplier, as the next one
    logic [4:0] gu;
  } hash_t;

  // Byte i of an access is in lane offset + i of a data memory block, modulo 16; lane l holds the bytes whose address is
  // l modulo 16. There is one rotation for the store of a cycle and one per row that is read, not one per block.
  typedef logic [RowShift-1:0] offset_t;
  typedef logic [VectorBytes-1:0] lanes_t;  // bit i: byte i, or lane i

  function automatic vec_t to_lanes(vec_t value, offset_t offset);
    return VectorBits'({value, value} >> {offset, 3'd0});
  endfunction

  function automatic vec_t from_lanes(vec_t lanes, offset_t offset);
    return VectorBits'(({lanes, lanes} << {offset, 3'd0}) >> VectorBits);
  endfunction

  function automatic lanes_t lanes_of(lanes_t bytes, offset_t offset);
    return VectorBytes'(({bytes, bytes} << offset) >> VectorBytes);
  endfunction

  // A control word that does nothing.
  function automatic ctl_t no_effect();
    ctl_t ctl;
    ctl = '0;
    ctl.ra = VecZERO;
    ctl.rb = VecZERO;
    ctl.rd = VecNONE;
    return ctl;
  endfunction

  function automatic logic is_general(vector_e code);
    return code < VecCTR;
  endfunction

  function automatic logic increments(ctl_t ctl);
    return (ctl.use_a && ctl.ra == VecCTRINC) || ctl.mv == MoveHoldCtr;
  endfunction

endpackage
