// The core: pipeline registers, and the wiring of its units (docs/microarchitecture.md).

module lutra_core
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_stream_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = CoreRounds,  // 1 or 2
  parameter int unsigned STREAM_CONTEXTS = CoreContexts,  // 1 or 2
  parameter int unsigned SHADOW_WORDS = CoreShadowWords,  // 0, or words of each context that have a copy
  parameter bit PROTECT = CoreProtect,  // check bits in memories, and a second control
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter int unsigned LOOP_DEPTH = LoopDepth,
  parameter int unsigned CALL_DEPTH = CallDepth,
  parameter bit WIPE = CoreWipe,  // 0: nothing clears memories and data registers
  parameter int unsigned KEY_ROWS = CoreKeyRows,  // of m0, from the first on: the host writes and never reads them
  parameter bit RETIREMENT_PORT = 1,
  parameter bit PERF_STALLS = 1  // 0: no counters of stalls
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  // Memories. A read's data comes in the cycle after its grant.
  input  logic   host_req_i,
  input  logic   host_we_i,
  input  space_e host_space_i,
  input  addr_t  host_row_i,    // row, or word of the program memory
  input  vec_t   host_wdata_i,  // program memory: [63:0]
  output logic   host_gnt_o,
  output logic   host_rvalid_o,
  output vec_t   host_rdata_o,

  // Control and status.
  input  logic   start_i,
  input  addr_t  entry_i,
  input  logic   resume_i,
  input  logic   irq_clear_i,
  input  logic   alert_clear_i,  // of a core that is faulted: it is idle then
  input  logic   wipe_i,         // of a core that does not run
  input  logic   escalate_i,     // wipe at any time, and lock until the next reset
  output state_e state_o,
  output addr_t  pc_o,          // PC in ID; after a stop, PC of the stopping instruction
  output trap_e  trap_o,
  output logic [7:0] notify_o,  // code of the last notify
  output logic   irq_o,
  output logic   alert_o,        // a fault was found

  output logic [63:0] cycles_o,
  output logic [63:0] instructions_o,
  output logic [StallCauses-1:0][StallBits-1:0] stalls_o,

  output logic    retire_valid_o,
  output retire_t retire_o
);

  localparam int unsigned R = ROUNDS_PER_INSTR - 1;
  localparam int unsigned Ag = StageAG[R];
  localparam int unsigned Mem = StageMEM[R];
  localparam int unsigned Perm = StagePERM[R];
  localparam int unsigned X1 = StageX1[R];
  localparam int unsigned X2 = StageX2[R];
  localparam int unsigned Wb = StageWB[R];

  // Registers that hold data are cleared by a wipe alone, with all that a program leaves but what the host sees.
  logic data_rst_n, run_rst_n, locked, closed;
  wipe_t wipe;
  logic wipe_both;
  addr_t wipe_count;

  // ---------------------------------------------------------------- the pipeline
  // Stage s holds the instruction that issued s cycles ago; nothing after ID ever stalls.
  logic [Wb:1] valid_q;
  issued_t [Wb:1] issued_q;
  issued_t id_issued, ag_issued;
  logic id_issue;

  // From the cycle in which a fault is found in X1 on, the instruction there and those after it have no effect; from one
  // in WB on, none has.
  logic x1_fault, wb_fault, host_fault, x1_context_fault, faultless, alerted;
  trap_e wb_fault_trap;
  logic [Wb:X1+1] faulted_q;
  logic [Wb:1] live;
  always_comb begin
    live = valid_q;
    if (x1_fault) live[X1:1] = '0;
    if (wb_fault) live = '0;
  end
  always_ff @(posedge clk_i or negedge run_rst_n) begin
    if (!run_rst_n) faulted_q <= '0;
    else faulted_q <= wb_fault ? '0 : (Wb - X1)'({faulted_q, x1_fault});
  end

  always_ff @(posedge clk_i or negedge run_rst_n) begin
    if (!run_rst_n) valid_q <= '0;
    else valid_q <= {live[Wb-1:1], id_issue};
  end
  always_ff @(posedge clk_i) issued_q <= {issued_q[Wb-1:Ag+1], ag_issued, id_issued};

  ctl_t ag_ctl, mem_ctl, perm_ctl, x1_ctl, x2_ctl, wb_ctl;
  assign ag_ctl = issued_q[Ag].ctl;
  assign mem_ctl = issued_q[Mem].ctl;
  assign perm_ctl = issued_q[Perm].ctl;
  assign x1_ctl = issued_q[X1].ctl;
  assign x2_ctl = issued_q[X2].ctl;
  assign wb_ctl = issued_q[Wb].ctl;

  // -------------------------------------------------------------------- control
  logic running, start, resume, wb_trapped, wb_faulted;
  assign wb_faulted = faulted_q[Wb] || wb_fault || (host_fault && !running);

  lutra_control #(
    .ALERT(SHADOW_WORDS != 0 || PROTECT),
    .PROTECT(PROTECT),
    .WIPE(WIPE)
  ) u_control (
    .clk_i,
    .rst_ni,
    .run_rst_ni(run_rst_n),
    .start_i,
    .resume_i,
    .irq_clear_i,
    .alert_clear_i,
    .state_o,
    .trap_o,
    .notify_o,
    .irq_o,
    .alert_o,
    .alerted_o(alerted),
    .running_o(running),
    .start_o(start),
    .resume_o(resume),
    .wb_valid_i(live[Wb]),
    .wb_trap_i(issued_q[Wb].trap),
    .wb_ctl_i(wb_ctl),
    .wb_trapped_o(wb_trapped),
    .fault_i(x1_fault || wb_fault || host_fault),
    .fault_trap_i(wb_fault_trap),
    .wb_faulted_i(wb_faulted),
    .faultless_i(faultless),
    .wiping_i(wipe.busy),
    .locked_i(locked),
    .closed_i(closed)
  );

  if (WIPE) begin : gen_wipe
    lutra_wipe #(
      .MEMORY_ROWS(MEMORY_ROWS)
    ) u_wipe (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .escalate_i,
      .running_i(running),
      .faulted_i(wb_faulted),
      .locked_o(locked),
      .data_rst_no(data_rst_n),
      .wipe_o(wipe),
      .both_o(wipe_both),
      .count_o(wipe_count)
    );
    assign run_rst_n = data_rst_n;
  end else begin : gen_no_wipe
    assign data_rst_n = 1'b1;
    assign run_rst_n = rst_ni;
    assign {locked, wipe, wipe_both, wipe_count} = '0;
    logic unused;
    assign unused = &{1'b0, wipe_i, escalate_i};
  end

  // ------------------------------------------------------------------------- ID
  logic id_valid, id_fetch_range, id_legal, id_stall, id_wait;
  insn_t fetched, id_insn;
  ctl_t id_ctl;
  stall_e id_cause;
  trap_e id_trap;

  assign id_insn = id_fetch_range ? '0 : fetched;

  lutra_decoder #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .STREAM_CONTEXTS(STREAM_CONTEXTS)
  ) u_decoder (
    .insn_i(id_insn),
    .ctl_o(id_ctl)
  );
  assign id_legal = id_valid && !id_ctl.illegal;

  lutra_interlock #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) u_interlock (
    .id_valid_i(id_legal),
    .id_ctl_i(id_ctl),
    .valid_i(valid_q[X2:1]),
    .issued_i(issued_q[X2:1]),
    .stall_o(id_stall),
    .cause_o(id_cause)
  );

  // These two come before all others, which AG finds.
  always_comb begin
    if (id_fetch_range) id_trap = TrapFetchRange;
    else if (id_ctl.illegal) id_trap = TrapIllegal;
    else id_trap = TrapNone;
  end

  always_comb begin
    id_issued = '0;
    id_issued.trap = id_trap;
    id_issued.ctl = id_trap == TrapNone ? id_ctl : no_effect();
  end

  // ------------------------------------------------------------------------- AG
  logic fetch_en, ag_trapped, ag_commit, ag_taken;
  addr_t fetch_pc;
  addr_t ag_pc, ag_as, ag_k_address, ag_d_address, ag_s_address;
  trap_e ag_trap, ag_stack_trap, ag_address_trap;
  width_e ag_width;
  logic ag_zero, flag_q;
  logic [7:0] ag_loop_depth, ag_call_depth;
  addr_t ag_loop_remaining;
  logic [AddressRegs-1:0] ag_ar_mask;
  addr_t [AddressRegs-1:0] ag_ar_value;
  logic perm_ar_write;
  addr_t perm_ar_value;

  // At most one kind of trap applies to an instruction that reaches AG.
  always_comb begin
    if (issued_q[Ag].trap != TrapNone) ag_trap = issued_q[Ag].trap;
    else if (ag_address_trap != TrapNone) ag_trap = ag_address_trap;
    else ag_trap = ag_stack_trap;
  end
  assign ag_trapped = ag_trap != TrapNone;
  assign ag_commit = live[Ag] && !ag_trapped;

  always_comb begin
    ag_issued.trap = ag_trap;
    ag_issued.width = ag_width;
    ag_issued.as_value = ag_ctl.src == SrcFromAddress ? ag_as : '0;
    ag_issued.s_address = ag_s_address;
    ag_issued.ctl = ag_trapped ? no_effect() : ag_ctl;
  end

  lutra_sequencer #(
    .PROGRAM_WORDS(PROGRAM_WORDS),
    .LOOP_DEPTH(LOOP_DEPTH),
    .CALL_DEPTH(CALL_DEPTH)
  ) u_sequencer (
    .clk_i,
    .rst_ni(run_rst_n),
    .data_rst_ni(data_rst_n),
    .start_i(start),
    .resume_i(resume),
    .entry_i,
    .fetch_en_o(fetch_en),
    .fetch_pc_o(fetch_pc),
    .id_valid_o(id_valid),
    .id_pc_o(pc_o),
    .id_fetch_range_o(id_fetch_range),
    .id_wait_o(id_wait),
    .id_ctl_i(id_ctl),
    .id_legal_i(id_legal),
    .id_stall_i(id_stall),
    .id_trapped_i(id_trap != TrapNone),
    .id_issue_o(id_issue),
    .abort_i(x1_fault || wb_fault),
    .ag_valid_i(live[Ag]),
    .ag_ctl_i(ag_ctl),
    .ag_as_i(ag_as),
    .ag_zero_i(ag_zero),
    .flag_i(flag_q),
    .ag_trap_o(ag_stack_trap),
    .ag_trapped_i(ag_trapped),
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
    .rst_ni(data_rst_n),
    .id_ctl_i(id_ctl),
    .ag_ctl_i(ag_ctl),
    .ag_commit_i(ag_commit),
    .ag_k_address_o(ag_k_address),
    .ag_d_address_o(ag_d_address),
    .ag_s_address_o(ag_s_address),
    .ag_as_o(ag_as),
    .ag_zero_o(ag_zero),
    .ag_trap_o(ag_address_trap),
    .perm_write_i(perm_ar_write),
    .perm_ar_i(perm_ctl.ad),
    .perm_value_i(perm_ar_value),
    .ag_ar_mask_o(ag_ar_mask),
    .ag_ar_value_o(ag_ar_value)
  );

  // ---------------------------------------------------------- memories (IF to WB)
  vec_t mem_row, perm_k0, perm_k1, perm_d, x2_c, x2_value, wb_value;
  banks_t lookup_en;
  vec_t [TableBanks-1:0] lookup, looked_up;
  logic x2_scatter, wb_store;
  addr_t mem_k_address, mem_d_address;
  word_check_t fetched_check;
  logic mem_wrong, mem_right, host_wrong, host_right;
  banks_t table_wrong, table_right;
  lanes_t wb_lanes;
  writer_t writer;
  assign wb_store = live[Wb] && wb_ctl.s.en;
  assign wb_lanes = wb_ctl.res == ResWriteLane ? VectorBytes'(1) << wb_ctl.n[3:0] : '1;
  assign writer = '{
    host_req: host_req_i,
    host_we: host_we_i,
    host_space: host_space_i,
    host_row: host_row_i,
    running: running,
    locked: locked,
    closed: closed,
    wiping: wipe.busy,
    wipe: wipe_both,
    wipe_row: wipe_count,
    read: valid_q[Ag],
    read_k0: ag_ctl.k0_en,
    read_k1: ag_ctl.k1_en,
    read_d: ag_ctl.d.en,
    read_d_block: ag_ctl.d_block,
    x2_valid: valid_q[X2],
    x2_fault: wb_fault || (X2 == X1 && x1_fault),
    x2_res: x2_ctl.res,
    wb_valid: valid_q[Wb],
    wb_fault: wb_fault,
    wb_store: wb_ctl.s.en,
    wb_space: wb_ctl.s_space,
    wb_address: issued_q[Wb].s_address
  };

  lutra_memories #(
    .PROGRAM_WORDS(PROGRAM_WORDS),
    .MEMORY_ROWS(MEMORY_ROWS),
    .KEY_ROWS(KEY_ROWS),
    .PROTECT(PROTECT)
  ) u_memories (
    .clk_i,
    .rst_ni,
    .data_rst_ni(data_rst_n),
    .running_i(running),
    .locked_i(locked),
    .closed_i(closed),
    .wipe_i(wipe),
    .host_req_i,
    .host_we_i,
    .host_space_i,
    .host_row_i,
    .host_wdata_i,
    .host_gnt_o,
    .host_rvalid_o,
    .host_rdata_o,
    .fetch_en_i(fetch_en),
    .fetch_pc_i(fetch_pc),
    .fetched_o(fetched),
    .ag_valid_i(valid_q[Ag]),
    .ag_ctl_i(ag_ctl),
    .ag_k_address_i(ag_k_address),
    .ag_d_address_i(ag_d_address),
    .mem_ctl_i(mem_ctl),
    .mem_row_o(mem_row),
    .perm_k0_o(perm_k0),
    .perm_k1_o(perm_k1),
    .perm_d_o(perm_d),
    .lookup_en_i(lookup_en),
    .lookup_i(lookup),
    .table_o(looked_up),
    .x2_scatter_i(x2_scatter),
    .x2_rows_i(x2_value),
    .x2_entries_i(x2_c),
    .wb_store_i(wb_store),
    .wb_space_i(wb_ctl.s_space),
    .wb_address_i(issued_q[Wb].s_address),
    .wb_lanes_i(wb_lanes),
    .wb_value_i(wb_value),
    .writer_i(writer),
    .mem_k_address_i(mem_k_address),
    .mem_d_address_i(mem_d_address),
    .fetched_check_o(fetched_check),
    .mem_wrong_o(mem_wrong),
    .mem_right_o(mem_right),
    .table_wrong_o(table_wrong),
    .table_right_o(table_right),
    .host_wrong_o(host_wrong),
    .host_right_o(host_right)
  );

  // -------------------------------------------------------------------- operands
  vec_t ctr, ctr_incremented, mem_hold, perm_a, perm_b, perm_w;
  late_t perm_late;
  forward_t forward, taken;  // results, and what PERM and MEM take of them

  lutra_counter u_counter (
    .clk_i,
    .rst_ni(run_rst_n),
    .data_rst_ni(data_rst_n),
    .set_width_i(ag_commit && ag_ctl.au == AuSetWidth),
    .width_i(width_e'(ag_ctl.n[1:0])),
    .width_o(ag_width),
    .increment_i(live[Mem] && increments(mem_ctl)),
    .increment_width_i(issued_q[Mem].width),
    .incremented_o(ctr_incremented),
    .write_i(live[X2] && x2_ctl.rd == VecCTR),
    .wdata_i(forward.x2_result),
    .value_o(ctr)
  );

  lutra_operands #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) u_operands (
    .clk_i,
    .rst_ni(data_rst_n),
    .valid_i(live[X2:1]),
    .issued_i(issued_q[X2:1]),
    .mem_row_i(mem_row),
    .ctr_i(ctr),
    .mem_hold_o(mem_hold),
    .perm_a_o(perm_a),
    .perm_b_o(perm_b),
    .perm_late_o(perm_late),
    .perm_w_o(perm_w),
    .x2_c_o(x2_c),
    .forward_i(taken)
  );

  // P0 and L0 pass what goes to an address register.
  assign perm_ar_write = live[Perm] && perm_ctl.res == ResToAddress;
  assign perm_ar_value = perm_a[{3'd7-perm_ctl.n[2:0], 4'd0}+:AddressBits];

  // ------------------------------------------------------------------- PERM to WB
  context_digest_t [StreamContexts-1:0] x2_context;
  hash_t wb_hash;

  lutra_execute #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .STREAM_CONTEXTS(STREAM_CONTEXTS),
    .SHADOW_WORDS(SHADOW_WORDS)
  ) u_execute (
    .clk_i,
    .rst_ni(run_rst_n),
    .data_rst_ni(data_rst_n),
    .perm_valid_i(valid_q[Perm]),
    .perm_ctl_i(perm_ctl),
    .x1_valid_i(valid_q[X1]),
    .x1_ctl_i(x1_ctl),
    .x2_valid_i(live[X2]),
    .x2_ctl_i(x2_ctl),
    .perm_a_i(perm_a),
    .perm_b_i(perm_b),
    .perm_late_i(perm_late),
    .perm_w_i(perm_w),
    .perm_k0_i(perm_k0),
    .perm_k1_i(perm_k1),
    .perm_d_i(perm_d),
    .x2_c_i(x2_c),
    .lookup_en_o(lookup_en),
    .lookup_o(lookup),
    .table_i(looked_up),
    .x2_scatter_o(x2_scatter),
    .forward_o(forward),
    .x2_value_o(x2_value),
    .wb_value_o(wb_value),
    .x1_fault_o(x1_context_fault),
    .context_o(x2_context),
    .hash_o(wb_hash),
    .abort_i(x1_fault || wb_fault || host_fault)
  );

  // ------------------------------------------------------------------------- WB
  logic wb_flag_en, wb_flag;
  assign wb_flag_en = live[Wb] && wb_ctl.res == ResSetFlag;
  assign wb_flag = wb_value == '0;

  always_ff @(posedge clk_i or negedge run_rst_n) begin
    if (!run_rst_n) flag_q <= 1'b0;
    else if (wb_flag_en) flag_q <= wb_flag;
  end

  // ---------------------------------------------------------------------- faults
  if (PROTECT) begin : gen_protect
    lutra_protection #(
      .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
      .STREAM_CONTEXTS(STREAM_CONTEXTS),
      .PROGRAM_WORDS(PROGRAM_WORDS),
      .MEMORY_ROWS(MEMORY_ROWS),
      .LOOP_DEPTH(LOOP_DEPTH),
      .CALL_DEPTH(CALL_DEPTH)
    ) u_protection (
      .clk_i,
      .rst_ni(run_rst_n),
      .data_rst_ni(data_rst_n),
      .host_start_i(start_i),
      .host_resume_i(resume_i),
      .start_i(start),
      .resume_i(resume),
      .entry_i,
      .running_i(running),
      .alert_i(alerted),
      .faulted_i(faulted_q != '0),
      .context_fault_i(x1_context_fault),
      .valid_i(valid_q),
      .issued_i(issued_q),
      .fetched_i(fetched),
      .fetched_check_i(fetched_check),
      .fetch_en_i(fetch_en),
      .fetch_pc_i(fetch_pc),
      .ag_k_address_i(ag_k_address),
      .ag_d_address_i(ag_d_address),
      .perm_ar_value_i(perm_ar_value),
      .flag_en_i(wb_flag_en),
      .flag_i(wb_flag),
      .forward_i(forward),
      .forward_o(taken),
      .mem_k_address_o(mem_k_address),
      .mem_d_address_o(mem_d_address),
      .mem_wrong_i(mem_wrong),
      .mem_right_i(mem_right),
      .table_wrong_i(table_wrong),
      .table_right_i(table_right),
      .host_wrong_i(host_wrong),
      .host_right_i(host_right),
      .x1_fault_o(x1_fault),
      .wb_fault_o(wb_fault),
      .host_fault_o(host_fault),
      .wb_fault_trap_o(wb_fault_trap),
      .faultless_o(faultless)
    );
  end else begin : gen_no_protect
    assign x1_fault = x1_context_fault;
    assign {wb_fault, host_fault} = '0;
    assign taken = forward;
    assign faultless = 1'b1;
    assign wb_fault_trap = TrapContextFault;
    assign mem_k_address = '0;
    assign mem_d_address = '0;
    logic unused;
    assign unused = &{1'b0, alerted, fetched_check, mem_wrong, mem_right, table_wrong, table_right, host_wrong, host_right};
  end

  if (HasClose) begin : gen_release
    lutra_release u_release (
      .clk_i,
      .rst_ni(run_rst_n),
      .wb_valid_i(live[Wb]),
      .wb_fn_i(wb_ctl.sq),
      .flag_i(flag_q),
      .closed_o(closed)
    );
  end else begin : gen_no_release
    assign closed = 1'b0;
  end

  // -------------------------------------------------------- counters, retirement
  perf_t perf;
  lutra_perf #(
    .PERF_STALLS(PERF_STALLS)
  ) u_perf (
    .clk_i,
    .rst_ni(run_rst_n),
    .clear_i(start),
    .running_i(running),
    .retired_i(live[Wb] && !wb_trapped),
    .stall_i(ag_taken || (!(valid_q[Ag] && ag_trapped) && (id_stall || id_wait))),
    .cause_i(ag_taken || id_wait ? StallTransfer : id_cause),
    .perf_o(perf)
  );
  assign cycles_o = perf.cycles;
  assign instructions_o = perf.instructions;
  assign stalls_o = perf.stalls;

  ag_record_t ag_record;
  assign ag_record = '{
    pc: ag_pc,
    call_depth: ag_call_depth,
    loop_depth: ag_loop_depth,
    loop_remaining: ag_loop_remaining,
    key_address: ag_k_address,
    data_address: ag_d_address,
    ar_mask: ag_ar_mask,
    ar_value: ag_ar_value
  };

  // One that met a fault retires without an effect, as one that traps does.
  issued_t wb_retired;
  always_comb begin
    wb_retired = issued_q[Wb];
    if (faulted_q[Wb] || wb_fault) begin
      wb_retired.trap = wb_fault_trap;
      wb_retired.ctl = no_effect();
    end
  end

  lutra_retire #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .RETIREMENT_PORT(RETIREMENT_PORT)
  ) u_retire (
    .clk_i,
    .id_insn_i(id_insn),
    .ag_record_i(ag_record),
    .perm_ar_write_i(perm_ar_write),
    .perm_ar_i(perm_ctl.ad),
    .perm_ar_value_i(perm_ar_value),
    .mem_ctr_i(ctr_incremented),
    .mem_hold_i(mem_hold),
    .x2_result_i(forward.x2_result),
    .x2_partner_i(forward.x2_partner),
    .context_i(x2_context),
    .x2_value_i(x2_value),
    .x2_c_i(x2_c),
    .wb_hash_i(wb_hash),
    .wb_valid_i(valid_q[Wb] || faulted_q[Wb]),
    .wb_i(wb_retired),
    .wb_ctr_en_i(increments(wb_retired.ctl)),
    .wb_store_en_i(wb_store),
    .wb_store_lanes_i(wb_lanes),
    .wb_store_value_i(wb_value),
    .wb_flag_en_i(wb_flag_en),
    .wb_flag_i(wb_flag),
    .cycle_i(perf.cycles),
    .valid_o(retire_valid_o),
    .retire_o
  );

`ifndef SYNTHESIS
  initial begin
    rounds_known: assert (ROUNDS_PER_INSTR inside {1, 2}) else $error("ROUNDS_PER_INSTR must be 1 or 2");
    contexts_known: assert (STREAM_CONTEXTS inside {1, 2}) else $error("STREAM_CONTEXTS must be 1 or 2");
    reset_known: assert (!PROTECT || WIPE) else $error("two address registers differ where no reset clears them");
    shadow_known: assert (SHADOW_WORDS inside {[0:16]}) else $error("SHADOW_WORDS must be from 0 to 16");
  end
  always_ff @(posedge clk_i) begin
    if (run_rst_n) begin
      runs_only: assert (running || !(id_valid || valid_q != '0)) else $error("an instruction in a core that does not run");
      stop_is_last: assert (!valid_q[Wb] || !(wb_trapped || wb_ctl.sq inside {SqHalt, SqWait}) ||
                            valid_q[Wb-1:1] == '0)
        else $error("an instruction after one that stops");
    end
  end
`endif

endmodule
