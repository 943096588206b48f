// Hand-written types of the core: what travels down the pipeline, loop-stack entries, counters.

package lutra_pkg;

  import lutra_isa_pkg::*;

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

  // The part of the retirement record that ID knows.
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

endpackage
