// Hand-written types of the core: what travels down the pipeline, loop-stack entries, counters, retirement record.

package lutra_pkg;

  import lutra_isa_pkg::*;
  import lutra_stream_pkg::context_digest_t;

  // An issued instruction. One that traps has the control word of an instruction without effect.
  typedef struct packed {
    trap_e  trap;
    width_e width;      // of ctr++ when the instruction issued
    addr_t  as_value;   // the source address register when it issued
    addr_t  s_address;  // where it stores
    ctl_t   ctl;
  } issued_t;

  typedef struct packed {
    addr_t start_pc;
    addr_t end_pc;     // the body's last instruction
    addr_t remaining;
  } loop_t;

  typedef struct packed {
    logic [63:0] cycles;
    logic [63:0] instructions;
    logic [StallCauses-1:0][31:0] stalls;
  } perf_t;

  // One retired instruction. Fields that do not apply are zero, so that records compare as bits.
  // rtl/sim/rtl_machine.cpp reads it by position: the order is part of the interface.
  typedef struct packed {
    logic [StreamContexts-1:0] context_mask;  // stream contexts written
    trap_e      trap;
    vector_e    rd;
    space_e     store_space;
    logic [2:0] config_ar;     // whose step or window
    logic       partner_en;    // the register behind rd
    logic       hold_en;
    logic       rd_en;
    logic       ctr_en;        // ctr++
    logic       store_en;
    logic       data_en;       // a row read through the data slot
    logic       key_en;        // through the key slot
    logic       step_en;
    logic       window_en;
    logic       width_en;
    logic       flag_en;
    logic       flag;
    logic       notify_en;
    logic       halted;
    logic       waits;
    logic [AddressRegs-1:0] ar_mask;  // address registers written
    logic [7:0] notify;
    logic [7:0] call_depth;    // after the instruction, like the next two
    logic [7:0] loop_depth;
    addr_t      loop_remaining;
    addr_t      pc;
    addr_t      store_address;
    logic [VectorBytes-1:0] store_lanes;  // bit i: byte i of the data
    addr_t      config_n;      // step, AddrStart or width code
    addr_t      config_e;      // AddrEnd
    addr_t      key_address;
    addr_t      data_address;
    addr_t [AddressRegs-1:0] ar_value;
    vec_t       partner_value;
    vec_t       hold_value;
    vec_t       rd_value;
    vec_t       ctr_value;
    vec_t       store_value;
    insn_t      insn;
    logic [63:0] cycle;
    context_digest_t [StreamContexts-1:0] contexts;
  } retire_t;

  // The part of the record that ID knows.
  typedef struct packed {
    addr_t      pc;
    insn_t      insn;
    logic [7:0] call_depth;
    logic [7:0] loop_depth;
    addr_t      loop_remaining;
    addr_t      key_address;
    addr_t      data_address;
    logic [AddressRegs-1:0] ar_mask;
    addr_t [AddressRegs-1:0] ar_value;
  } id_record_t;

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

  // Data memory blocks and table banks that a space occupies.
  function automatic logic [3:0] blocks_of(space_e space);
    return space <= SpaceMem3 ? 4'd1 << space[1:0] : 4'd0;
  endfunction

  function automatic logic [1:0] banks_of(space_e space);
    return {space == SpaceBank1 || space == SpaceBankBoth, space == SpaceBank0 || space == SpaceBankBoth};
  endfunction

endpackage
