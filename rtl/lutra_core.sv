// The core: pipeline registers, state, and the wiring of its units (docs/microarchitecture.md).

module lutra_core
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = CoreRounds,  // 1 or 2
  parameter int unsigned STREAM_CONTEXTS = CoreContexts,  // 1 or 2
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter int unsigned LOOP_DEPTH = LoopDepth,
  parameter int unsigned CALL_DEPTH = CallDepth,
  parameter bit RETIREMENT_PORT = 1,
  parameter bit PERF_STALLS = 1,  // 0: no counters of stalls
  parameter bit RESET_DATA = 1  // 0: reset leaves the data registers as they are
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
  output state_e state_o,
  output addr_t  pc_o,          // PC in ID; after a stop, PC of the stopping instruction
  output trap_e  trap_o,
  output logic [7:0] notify_o,  // code of the last notify
  output logic   irq_o,

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

  // ---------------------------------------------------------------------- state
  state_e state_q, state_d;
  trap_e trap_q, trap_d;
  logic irq_q, irq_d;
  logic [7:0] notify_q, notify_d;
  logic running, start, resume;
  assign running = state_q == StateRunning;
  assign start = start_i && !running;
  assign resume = resume_i && state_q == StateWaiting && !start_i;

  // Clock enable of registers that hold data, not control state.
  logic data_rst_n;
  assign data_rst_n = RESET_DATA ? rst_ni : 1'b1;

  // ---------------------------------------------------------------- the pipeline
  // Stage s holds the instruction that issued s cycles ago; nothing after ID ever stalls.
  logic [Wb:1] valid_q;
  issued_t [Wb:1] issued_q;
  issued_t id_issued, ag_issued;
  logic id_issue;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Wb-1:1], id_issue};
  end
  always_ff @(posedge clk_i) issued_q <= {issued_q[Wb-1:Ag+1], ag_issued, id_issued};

  ctl_t ag_ctl, mem_ctl, perm_ctl, x1_ctl, x2_ctl, wb_ctl;
  assign ag_ctl = issued_q[Ag].ctl;
  assign mem_ctl = issued_q[Mem].ctl;
  assign perm_ctl = issued_q[Perm].ctl;
  assign x1_ctl = issued_q[X1].ctl;
  assign x2_ctl = issued_q[X2].ctl;
  assign wb_ctl = issued_q[Wb].ctl;

  // ------------------------------------------------------------------------- IF
  logic fetch_en;
  addr_t fetch_pc;
  insn_t fetched;
  logic program_req;

  lutra_program #(
    .PROGRAM_WORDS(PROGRAM_WORDS)
  ) u_program (
    .clk_i,
    .fetch_en_i(fetch_en),
    .fetch_pc_i(fetch_pc),
    .host_req_i(program_req),
    .host_we_i,
    .host_index_i(host_row_i),
    .host_wdata_i(insn_t'(host_wdata_i)),
    .rdata_o(fetched)
  );

  // ------------------------------------------------------------------------- ID
  logic id_valid, id_fetch_range, id_legal, id_stall, id_wait;
  addr_t id_pc;
  insn_t id_insn;
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
  logic ag_trapped, ag_commit, ag_taken;
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
  assign ag_commit = valid_q[Ag] && !ag_trapped;

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
    .rst_ni,
    .start_i(start),
    .resume_i(resume),
    .entry_i,
    .fetch_en_o(fetch_en),
    .fetch_pc_o(fetch_pc),
    .id_valid_o(id_valid),
    .id_pc_o(id_pc),
    .id_fetch_range_o(id_fetch_range),
    .id_wait_o(id_wait),
    .id_ctl_i(id_ctl),
    .id_legal_i(id_legal),
    .id_stall_i(id_stall),
    .id_trapped_i(id_trap != TrapNone),
    .id_issue_o(id_issue),
    .ag_valid_i(valid_q[Ag]),
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

  // -------------------------------------------------------- data memories (AG, WB)
  // A read is presented whether its instruction traps or not: a trap's row goes nowhere.
  blocks_t read_key, read_data, memory_read, memory_write, memory_req;
  vec_t [MemoryBlocks-1:0] memory_rdata;
  logic wb_store;
  logic [VectorBytes-1:0] wb_lanes;
  vec_t wb_value;

  assign read_key = key_blocks(ag_ctl);
  assign read_data = ag_ctl.d.en ? blocks_t'(1) << ag_ctl.d_block : '0;
  assign memory_read = valid_q[Ag] ? read_key | read_data : '0;
  assign wb_store = valid_q[Wb] && wb_ctl.s.en;
  assign wb_lanes = wb_ctl.res == ResWriteLane ? VectorBytes'(1) << wb_ctl.n[3:0] : '1;
  assign memory_write = wb_store ? blocks_of(wb_ctl.s_space) : '0;
  offset_t wb_offset;
  assign wb_offset = offset_t'(issued_q[Wb].s_address);

  for (genvar b = 0; b < MemoryBlocks; b++) begin : gen_memory
    lutra_memory #(
      .MEMORY_ROWS(MEMORY_ROWS)
    ) u_memory (
      .clk_i,
      .read_en_i(memory_read[b]),
      .read_address_i(read_key[b] ? ag_k_address : ag_d_address),
      .write_en_i(memory_write[b]),
      .write_address_i(issued_q[Wb].s_address),
      .write_lanes_i(lanes_of(wb_lanes, wb_offset)),
      .write_data_i(to_lanes(wb_value, wb_offset)),
      .host_req_i(memory_req[b]),
      .host_we_i,
      .host_row_i,
      .host_wdata_i,
      .rdata_o(memory_rdata[b])
    );
  end

  // ------------------------------------------------------------------------ MEM
  vec_t mem_row, mem_hold, perm_k0_q, perm_k1_q, perm_d_q;
  offset_t mem_k_offset_q, mem_d_offset_q;
  assign mem_row = from_lanes(memory_rdata[mem_ctl.d_block], mem_d_offset_q);
  always_ff @(posedge clk_i) begin
    mem_k_offset_q <= offset_t'(ag_k_address);
    mem_d_offset_q <= offset_t'(ag_d_address);
    if (mem_ctl.k0_en) perm_k0_q <= from_lanes(memory_rdata[0], mem_k_offset_q);
    if (mem_ctl.k1_en) perm_k1_q <= from_lanes(memory_rdata[1], mem_k_offset_q);
    if (mem_ctl.d.en) perm_d_q <= mem_row;
  end

  vec_t ctr, ctr_incremented, x1_result, x1_fast, x1_partner, x2_result, x2_core, x2_side, x2_side_p, x2_partner, x2_c;
  logic x2_rd_en;
  assign x2_rd_en = valid_q[X2] && x2_ctl.rd != VecNONE;

  lutra_counter u_counter (
    .clk_i,
    .rst_ni,
    .data_rst_ni(data_rst_n),
    .set_width_i(ag_commit && ag_ctl.au == AuSetWidth),
    .width_i(width_e'(ag_ctl.n[1:0])),
    .width_o(ag_width),
    .increment_i(valid_q[Mem] && increments(mem_ctl)),
    .increment_width_i(issued_q[Mem].width),
    .incremented_o(ctr_incremented),
    .write_i(x2_rd_en && x2_ctl.rd == VecCTR),
    .wdata_i(x2_result),
    .value_o(ctr)
  );

  // ----------------------------------------------------------------------- PERM
  vec_t perm_a, perm_b, perm_l0_late, perm_l0_last, perm_b_late, perm_b_last, perm_w, perm_l0;

  lutra_operands #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) u_operands (
    .clk_i,
    .rst_ni(data_rst_n),
    .valid_i(valid_q[X2:1]),
    .issued_i(issued_q[X2:1]),
    .mem_row_i(mem_row),
    .ctr_i(ctr),
    .mem_hold_o(mem_hold),
    .perm_a_o(perm_a),
    .perm_b_o(perm_b),
    .perm_l0_late_o(perm_l0_late),
    .perm_l0_last_o(perm_l0_last),
    .perm_b_late_o(perm_b_late),
    .perm_b_last_o(perm_b_last),
    .perm_w_o(perm_w),
    .x2_c_o(x2_c),
    .x1_fast_i(x1_fast),
    .x1_partner_i(x1_partner),
    .x2_result_i(x2_result),
    .x2_partner_i(x2_partner),
    .x2_core_i(x2_core),
    .x2_side_i(x2_side),
    .x2_side_p_i(x2_side_p)
  );

  // P0 and L0 pass what goes to an address register.
  assign perm_ar_write = valid_q[Perm] && perm_ctl.res == ResToAddress;
  assign perm_ar_value = perm_a[{3'd7-perm_ctl.n[2:0], 4'd0}+:AddressBits];

  // ------------------------------------------------------------------- PERM to WB
  banks_t path_lookup, stream_lookup, table_lookup, table_write, table_req;
  vec_t [TableBanks-1:0] path_in, stream_in, table_in, table_rdata;
  vec_t x1_value, x1_stream, x2_value, x2_moved, x2_row, hash_factor, hash_input, hash_sum;
  logic [7:0] hash_digit;
  logic [4:0] hash_upper;
  context_digest_t [StreamContexts-1:0] x2_context;

  lutra_datapath #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) u_datapath (
    .clk_i,
    .perm_valid_i(valid_q[Perm]),
    .perm_ctl_i(perm_ctl),
    .perm_a_i(perm_a),
    .perm_b_i(perm_b),
    .perm_l0_late_i(perm_l0_late),
    .perm_l0_last_i(perm_l0_last),
    .perm_b_late_i(perm_b_late),
    .perm_b_last_i(perm_b_last),
    .perm_w_i(perm_w),
    .perm_k0_i(perm_k0_q),
    .perm_k1_i(perm_k1_q),
    .perm_d_i(perm_d_q),
    .perm_l0_o(perm_l0),
    .x1_value_o(x1_value),
    .x1_stream_i(x1_stream),
    .x1_valid_i(valid_q[X1]),
    .x1_ctl_i(x1_ctl),
    .x1_result_o(x1_result),
    .x1_fast_o(x1_fast),
    .x1_partner_o(x1_partner),
    .x2_ctl_i(x2_ctl),
    .x2_c_i(x2_c),
    .x2_result_o(x2_result),
    .x2_core_o(x2_core),
    .x2_side_o(x2_side),
    .x2_side_p_o(x2_side_p),
    .x2_partner_o(x2_partner),
    .x1_gy_i(hash_sum),
    .x2_value_o(x2_value),
    .x2_moved_o(x2_moved),
    .x2_row_o(x2_row),
    .wb_value_o(wb_value),
    .t0_en_o(path_lookup[0]),
    .t0_lookup_o(path_in[0]),
    .t0_i(table_rdata[0]),
    .t1_en_o(path_lookup[1]),
    .t1_lookup_o(path_in[1]),
    .t1_i(table_rdata[1])
  );

  // Which cipher's clock a context makes is found in PERM: in X1 its sums begin with that choice.
  step_t [StreamContexts-1:0] x1_step_q;
  always_ff @(posedge clk_i or negedge data_rst_n) begin
    if (!data_rst_n) x1_step_q <= '0;
    else x1_step_q <= steps_of(valid_q[Perm], perm_ctl);
  end

  lutra_stream #(
    .STREAM_CONTEXTS(STREAM_CONTEXTS)
  ) u_stream (
    .clk_i,
    .rst_ni(data_rst_n),
    .perm_valid_i(valid_q[Perm]),
    .perm_ctl_i(perm_ctl),
    .perm_value_i(perm_l0),
    .lookup_en_o(stream_lookup),
    .lookup_o(stream_in),
    .x1_step_i(x1_step_q),
    .x1_ctl_i(x1_ctl),
    .x1_value_i(x1_value),
    .table_i(table_rdata),
    .x1_result_o(x1_stream),
    .digest_o(x2_context)
  );

  logic unused;
  assign unused = &{1'b0, x1_result};  // in the datapath t1 looks it up; proofs read it

  if (HasGhash) begin : gen_hash
    lutra_hash #(
      .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
    ) u_hash (
      .clk_i,
      .rst_ni(data_rst_n),
      .x1_prime_i(multiplies(x1_ctl)),
      .valid_i(valid_q[X2]),
      .res_i(x2_ctl.res),
      .h_i(x2_ctl.h),
      .prime_i(multiplies(x2_ctl)),
      .x_i(x2_value),
      .moved_i(x2_moved),
      .row_i(x2_row),
      .gh_o(hash_factor),
      .gx_o(hash_input),
      .gy_o(hash_sum),
      .gt_o(hash_digit),
      .gu_o(hash_upper)
    );
  end else begin : gen_no_hash
    assign {hash_factor, hash_input, hash_sum, hash_digit, hash_upper} = '0;
    logic unused_hash;
    assign unused_hash = &{1'b0, x2_value, x2_moved, x2_row};
  end

  // The interlock keeps the two apart (docs/microarchitecture.md).
  assign table_lookup = path_lookup | stream_lookup;
  for (genvar t = 0; t < TableBanks; t++) begin : gen_table_in
    assign table_in[t] = ({VectorBits{path_lookup[t]}} & path_in[t]) | ({VectorBits{stream_lookup[t]}} & stream_in[t]);
  end

  logic x2_scatter;
  assign x2_scatter = HasScatter && valid_q[X2] && x2_ctl.res == ResScatter;
  assign table_write = wb_store ? banks_of(wb_ctl.s_space) : '0;
  for (genvar t = 0; t < TableBanks; t++) begin : gen_table
    lutra_table u_table (
      .clk_i,
      .lookup_en_i(table_lookup[t]),
      .lookup_i(table_in[t]),
      .write_en_i(table_write[t]),
      .write_row_i(issued_q[Wb].s_address[RowShift+:8]),
      .write_lanes_i(wb_lanes),
      .write_data_i(wb_value),
      .scatter_en_i(t == 0 && x2_scatter),
      .scatter_rows_i(x2_value),
      .scatter_data_i(x2_c),
      .host_req_i(table_req[t]),
      .host_we_i(host_we_i && !running),
      .host_row_i(host_row_i[7:0]),
      .host_wdata_i,
      .rdata_o(table_rdata[t])
    );
  end

  // ------------------------------------------------------------------------- WB
  logic wb_flag_en, wb_flag, wb_trapped, wb_halts, wb_waits, wb_notifies;
  assign wb_flag_en = valid_q[Wb] && wb_ctl.res == ResSetFlag;
  assign wb_flag = wb_value == '0;
  assign wb_trapped = valid_q[Wb] && issued_q[Wb].trap != TrapNone;
  assign wb_halts = valid_q[Wb] && wb_ctl.sq == SqHalt;
  assign wb_waits = valid_q[Wb] && wb_ctl.sq == SqWait;
  assign wb_notifies = valid_q[Wb] && wb_ctl.sq == SqNotify;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flag_q <= 1'b0;
    else if (wb_flag_en) flag_q <= wb_flag;
  end

  always_comb begin
    state_d = state_q;
    if (start || resume) state_d = StateRunning;
    else if (wb_trapped) state_d = StateTrapped;
    else if (wb_halts) state_d = StateHalted;
    else if (wb_waits) state_d = StateWaiting;

    trap_d = trap_q;
    if (start) trap_d = TrapNone;
    else if (wb_trapped) trap_d = issued_q[Wb].trap;

    notify_d = wb_notifies ? wb_ctl.n[7:0] : notify_q;

    // An event in the cycle of the host's clear is not lost.
    irq_d = (irq_q && !irq_clear_i) || wb_trapped || wb_halts || wb_waits || wb_notifies;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateIdle;
      trap_q <= TrapNone;
      irq_q <= 1'b0;
      notify_q <= '0;
    end else begin
      state_q <= state_d;
      trap_q <= trap_d;
      irq_q <= irq_d;
      notify_q <= notify_d;
    end
  end

  assign state_o = state_q;
  assign pc_o = id_pc;
  assign trap_o = trap_q;
  assign notify_o = notify_q;
  assign irq_o = irq_q;

  // ------------------------------------------------------------------- the host
  lutra_host #(
    .PROGRAM_WORDS(PROGRAM_WORDS),
    .MEMORY_ROWS(MEMORY_ROWS)
  ) u_host (
    .clk_i,
    .rst_ni,
    .req_i(host_req_i),
    .we_i(host_we_i),
    .space_i(host_space_i),
    .row_i(host_row_i),
    .gnt_o(host_gnt_o),
    .rvalid_o(host_rvalid_o),
    .rdata_o(host_rdata_o),
    .running_i(running),
    .block_used_i(memory_read | memory_write),
    .memory_req_o(memory_req),
    .table_req_o(table_req),
    .program_req_o(program_req),
    .memory_rdata_i(memory_rdata),
    .table_rdata_i(table_rdata),
    .program_rdata_i(fetched)
  );

  // -------------------------------------------------------- counters, retirement
  perf_t perf;
  lutra_perf #(
    .PERF_STALLS(PERF_STALLS)
  ) u_perf (
    .clk_i,
    .rst_ni,
    .clear_i(start),
    .running_i(running),
    .retired_i(valid_q[Wb] && !wb_trapped),
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
    .x2_result_i(x2_result),
    .x2_partner_i(x2_partner),
    .context_i(x2_context),
    .x2_value_i(x2_value),
    .x2_c_i(x2_c),
    .wb_hash_factor_i(hash_factor),
    .wb_hash_input_i(hash_input),
    .wb_hash_sum_i(hash_sum),
    .wb_hash_digit_i(hash_digit),
    .wb_hash_upper_i(hash_upper),
    .wb_valid_i(valid_q[Wb]),
    .wb_i(issued_q[Wb]),
    .wb_ctr_en_i(increments(wb_ctl)),
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
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      runs_only: assert (running || !(id_valid || valid_q != '0)) else $error("an instruction in a core that does not run");
      bank_once: assert ((path_lookup & stream_lookup) == '0) else $error("a look-up beside a stream context's");
      parts: assert (X1 == X2 || !valid_q[X2] || x2_ctl.p2 == PairingPairJoin ||
                     {x2_result, x2_partner} == {x2_core ^ x2_side, x2_side_p})
        else $error("a function of P2 or L2 that is not linear");
      stop_is_last: assert (!(wb_trapped || wb_halts || wb_waits) || valid_q[Wb-1:1] == '0)
        else $error("an instruction after one that stops");
    end
  end
`endif

endmodule
