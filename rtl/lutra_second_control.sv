// The second control of a protected core (PROTECT): decoder, interlock, sequencer, address registers and flag once more,
// a cycle after the first, and whether the first did the same (docs/faults.md).
//
// It takes what the first was given from registers of its own, so that synthesis finds nothing to share, and a glitch
// does not meet both in the same step. "Second" stages are a cycle later: what is in its AG is in the core's MEM.

module lutra_second_control
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  parameter int unsigned STREAM_CONTEXTS = StreamContexts,
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter int unsigned LOOP_DEPTH = LoopDepth,
  parameter int unsigned CALL_DEPTH = CallDepth,
  localparam int unsigned R = ROUNDS_PER_INSTR - 1,
  localparam int unsigned Wb = StageWB[R]
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic data_rst_ni,

  // What the first is given.
  input  logic  start_i,
  input  logic  resume_i,
  input  addr_t entry_i,
  input  insn_t fetched_i,
  input  word_check_t fetched_check_i,
  input  logic  abort_i,
  input  logic  flag_en_i,
  input  logic  flag_i,
  input  logic  perm_ar_write_i,  // even of one that is aborted
  input  ar_t   perm_ar_i,
  input  addr_t perm_ar_value_i,

  // What it makes of that.
  input  logic  fetch_en_i,
  input  addr_t fetch_pc_i,
  input  addr_t ag_k_address_i,
  input  addr_t ag_d_address_i,
  input  logic [Wb:2] valid_i,
  input  issued_t [Wb:1] issued_i,

  output addr_t mem_k_address_o,  // of the instruction in the core's MEM
  output addr_t mem_d_address_o,
  output logic  ag_wrong_o,       // the word of the instruction in the core's AG is not what was stored
  output logic  ag_right_o,
  output logic  differ_o,         // the first does something else
  output logic  same_o
);

  localparam int unsigned Ag = StageAG[R];
  localparam int unsigned Mem = StageMEM[R];
  localparam int unsigned Perm = StagePERM[R];
  localparam int unsigned X2 = StageX2[R];

  // ------------------------------------------------------------------ what it is given
  logic start_q, resume_q, abort_q, flag_en_q, flag_value_q, perm_ar_write_q;
  addr_t entry_q, perm_ar_value_q;
  ar_t perm_ar_q;
  insn_t inverted_word_q;
  word_check_t check_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {start_q, resume_q, abort_q, flag_en_q, perm_ar_write_q} <= '0;
    else {start_q, resume_q, abort_q, flag_en_q, perm_ar_write_q} <= {start_i, resume_i, abort_i, flag_en_i, perm_ar_write_i};
  end
  always_ff @(posedge clk_i) begin
    entry_q <= entry_i;
    flag_value_q <= flag_i;
    perm_ar_value_q <= perm_ar_value_i;
    perm_ar_q <= perm_ar_i;
    inverted_word_q <= ~fetched_i;
    check_q <= fetched_check_i;
  end

  // --------------------------------------------------------------- its ID: the core's AG
  logic id_valid, id_fetch_range, id_stall, id_issue;
  addr_t id_pc;
  insn_t id_insn;
  ctl_t id_ctl;
  trap_e id_trap;
  assign id_insn = id_fetch_range ? '0 : ~inverted_word_q;

  logic ag_wrong_word, ag_right_word;
  lutra_word_check u_word (
    .word_i(~inverted_word_q),
    .pc_i(id_pc),
    .check_i(check_q),
    .wrong_o(ag_wrong_word),
    .right_o(ag_right_word)
  );
  assign ag_wrong_o = id_valid && !id_fetch_range && ag_wrong_word;
  assign ag_right_o = !id_valid || id_fetch_range || ag_right_word;

  lutra_decoder #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .STREAM_CONTEXTS(STREAM_CONTEXTS)
  ) u_decoder (
    .insn_i(id_insn),
    .ctl_o(id_ctl)
  );

  always_comb begin
    if (id_fetch_range) id_trap = TrapFetchRange;
    else if (id_ctl.illegal) id_trap = TrapIllegal;
    else id_trap = TrapNone;
  end

  // The pipeline of its own: who is there, and what was decided before AG.
  logic [Wb-1:1] valid_q, live;
  ctl_t ag_ctl_q;
  trap_e ag_id_trap_q, ag_trap;
  assign live = valid_q & {Wb-1{!abort_q}};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {live[Wb-2:1], id_issue};
  end
  always_ff @(posedge clk_i) begin
    ag_ctl_q <= id_trap == TrapNone ? id_ctl : no_effect();
    ag_id_trap_q <= id_trap;
  end

  issued_t [X2:1] waited_for;
  always_comb begin
    for (int s = 1; s <= X2; s++) waited_for[s] = issued_i[s+1];
    waited_for[Ag].ctl = ag_ctl_q;
  end
  stall_e unused_cause;
  lutra_interlock #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) u_interlock (
    .id_valid_i(id_valid && !id_ctl.illegal),
    .id_ctl_i(id_ctl),
    .valid_i(valid_q[X2:1]),
    .issued_i(waited_for),
    .stall_o(id_stall),
    .cause_o(unused_cause)
  );

  // -------------------------------------------------------------- its AG: the core's MEM
  logic fetch_en, ag_taken, ag_zero, flag_q, unused_wait;
  addr_t fetch_pc, ag_as, ag_s_address, ag_loop_remaining, ag_pc;
  trap_e ag_stack_trap, ag_address_trap;
  logic [7:0] ag_loop_depth, ag_call_depth;
  logic [AddressRegs-1:0] unused_mask;
  addr_t [AddressRegs-1:0] unused_values;
  always_comb begin
    if (ag_id_trap_q != TrapNone) ag_trap = ag_id_trap_q;
    else if (ag_address_trap != TrapNone) ag_trap = ag_address_trap;
    else ag_trap = ag_stack_trap;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flag_q <= 1'b0;
    else if (flag_en_q) flag_q <= flag_value_q;
  end

  lutra_sequencer #(
    .PROGRAM_WORDS(PROGRAM_WORDS),
    .LOOP_DEPTH(LOOP_DEPTH),
    .CALL_DEPTH(CALL_DEPTH)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .data_rst_ni,
    .start_i(start_q),
    .resume_i(resume_q),
    .entry_i(entry_q),
    .fetch_en_o(fetch_en),
    .fetch_pc_o(fetch_pc),
    .id_valid_o(id_valid),
    .id_pc_o(id_pc),
    .id_fetch_range_o(id_fetch_range),
    .id_wait_o(unused_wait),
    .id_ctl_i(id_ctl),
    .id_legal_i(id_valid && !id_ctl.illegal),
    .id_stall_i(id_stall),
    .id_trapped_i(id_trap != TrapNone),
    .id_issue_o(id_issue),
    .abort_i(abort_q),
    .ag_valid_i(live[Ag]),
    .ag_ctl_i(ag_ctl_q),
    .ag_as_i(ag_as),
    .ag_zero_i(ag_zero),
    .flag_i(flag_q),
    .ag_trap_o(ag_stack_trap),
    .ag_trapped_i(ag_trap != TrapNone),
    .ag_pc_o(ag_pc),
    .ag_taken_o(ag_taken),
    .ag_loop_depth_o(ag_loop_depth),
    .ag_loop_remaining_o(ag_loop_remaining),
    .ag_call_depth_o(ag_call_depth)
  );

  lutra_agu #(
    .MEMORY_ROWS(MEMORY_ROWS)
  ) u_agu (
    .clk_i,
    .rst_ni(data_rst_ni),
    .id_ctl_i(id_ctl),
    .ag_ctl_i(ag_ctl_q),
    .ag_commit_i(live[Ag] && ag_trap == TrapNone),
    .ag_k_address_o(mem_k_address_o),
    .ag_d_address_o(mem_d_address_o),
    .ag_s_address_o(ag_s_address),
    .ag_as_o(ag_as),
    .ag_zero_o(ag_zero),
    .ag_trap_o(ag_address_trap),
    .perm_write_i(perm_ar_write_q && !abort_q),
    .perm_ar_i(perm_ar_q),
    .perm_value_i(perm_ar_value_q),
    .ag_ar_mask_o(unused_mask),
    .ag_ar_value_o(unused_values)
  );

  // ------------------------------------------------------- signatures of what is under way
  // What goes on in MEM and after it, as two parities; the width of the counter is not known here.
  typedef logic [1:0] signature_t;
  function automatic signature_t signature(trap_e trap, addr_t as_value, addr_t s_address, ctl_t ctl);
    logic [$bits(trap_e)+2*AddressBits+$bits(ctl_t)-1:0] all;
    all = {trap, as_value, s_address, ctl};
    signature = '0;
    for (int i = 0; i < $bits(all); i++) signature[i%2] ^= all[i];
  endfunction
  // Only what a stage or a later one needs is kept up to there.
  function automatic ctl_t needed_in_x2(ctl_t ctl);
    ctl_t needed;
    needed = ctl;
    {needed.k, needed.d, needed.s, needed.au, needed.cc, needed.e, needed.as, needed.as_en, needed.ad_en} = '0;
    {needed.d.en, needed.s.en} = {ctl.d.en, ctl.s.en};
    return needed;
  endfunction
  function automatic ctl_t needed_in_wb(ctl_t ctl);
    ctl_t needed;
    needed = '0;
    needed.sq = ctl.sq;
    needed.n = ctl.n;
    needed.s.en = ctl.s.en;
    needed.s_space = ctl.s_space;
    needed.res = ctl.res;
    return needed;
  endfunction

  ctl_t ag_after;
  addr_t ag_as_value;
  assign ag_after = ag_trap == TrapNone ? ag_ctl_q : no_effect();
  assign ag_as_value = ag_ctl_q.src == SrcFromAddress ? ag_as : '0;
  signature_t [X2-1:Mem] path_q;
  signature_t [Wb-1:Mem] end_q;
  always_ff @(posedge clk_i) begin
    path_q <= ($bits(path_q))'({path_q, signature(TrapNone, '0, '0, needed_in_x2(ag_after))});
    end_q <= ($bits(end_q))'({end_q, signature(ag_trap, '0, ag_s_address, needed_in_wb(ag_after))});
  end

  // ------------------------------------------------------------------ the comparison
  // Fetches are known last in a cycle, and wait for the next one.
  logic fetch_en_q, fetch_en_late_q, second_fetch_en_q;
  addr_t fetch_pc_q, fetch_pc_late_q, second_fetch_pc_q, k_address_q, d_address_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {fetch_en_q, fetch_en_late_q, second_fetch_en_q} <= '0;
    else {fetch_en_q, fetch_en_late_q, second_fetch_en_q} <= {fetch_en_i, fetch_en_q, fetch_en};
  end
  always_ff @(posedge clk_i) begin
    fetch_pc_q <= fetch_pc_i;
    fetch_pc_late_q <= fetch_pc_q;
    second_fetch_pc_q <= fetch_pc;
    k_address_q <= ag_k_address_i;
    d_address_q <= ag_d_address_i;
  end

  // Whether each is to be compared is the second's to say.
  typedef struct packed {
    logic [Wb-1:1] live;  // the first of them is what was issued
    logic fetch_en;
    addr_t fetch_pc;
    trap_e trap;
    addr_t as_value;
    addr_t k_address;
    addr_t d_address;
    addr_t s_address;
    ctl_t ctl;
    signature_t [X2:Perm] path;
    signature_t [Wb:Perm] last;
  } compared_t;
  compared_t first, second;
  always_comb begin
    first = '0;
    second = '0;
    first.live = valid_i;
    second.live = live;
    first.fetch_en = fetch_en_late_q;
    second.fetch_en = second_fetch_en_q;
    if (second_fetch_en_q) begin
      first.fetch_pc = fetch_pc_late_q;
      second.fetch_pc = second_fetch_pc_q;
    end
    if (live[Ag]) begin
      first.trap = issued_i[Mem].trap;
      second.trap = ag_trap;
      first.as_value = issued_i[Mem].as_value;
      second.as_value = ag_as_value;
      first.ctl = issued_i[Mem].ctl;
      // Whether it has to trap is known late, and compared above.
      second.ctl = issued_i[Mem].trap == TrapNone ? ag_ctl_q : no_effect();
      if (ag_ctl_q.k.en) begin
        first.k_address = k_address_q;
        second.k_address = mem_k_address_o;
      end
      if (ag_ctl_q.d.en) begin
        first.d_address = d_address_q;
        second.d_address = mem_d_address_o;
      end
      first.s_address = issued_i[Mem].s_address;
      second.s_address = ag_s_address;
    end
    for (int s = Perm; s <= X2; s++) begin
      if (live[s-1]) begin
        first.path[s] = signature(TrapNone, '0, '0, needed_in_x2(issued_i[s].ctl));
        second.path[s] = path_q[s-1];
      end
    end
    for (int s = Perm; s <= Wb; s++) begin
      if (live[s-1]) begin
        first.last[s] = signature(issued_i[s].trap, '0, issued_i[s].s_address, needed_in_wb(issued_i[s].ctl));
        second.last[s] = end_q[s-1];
      end
    end
  end

  lutra_compare #(
    .WIDTH($bits(compared_t))
  ) u_compare (
    .a_i(first),
    .b_i(second),
    .differ_o,
    .same_o
  );

  logic unused;
  assign unused = &{1'b0, ag_taken, unused_wait, ag_pc, ag_loop_depth, ag_loop_remaining, ag_call_depth, unused_mask,
                    unused_values, unused_cause};

endmodule
