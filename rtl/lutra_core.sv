// The core: pipeline registers, state, and the wiring of its units (docs/microarchitecture.md).

module lutra_core
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,  // 1 or 2
  parameter int unsigned STREAM_CONTEXTS = StreamContexts,  // 1 or 2
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter int unsigned LOOP_DEPTH = LoopDepth,
  parameter int unsigned CALL_DEPTH = CallDepth,
  parameter bit RETIREMENT_PORT = 1
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
  output addr_t  pc_o,          // in ID; when not running, of what stopped the program
  output trap_e  trap_o,
  output logic [7:0] notify_o,  // code of the last notify
  output logic   irq_o,

  output logic [63:0] cycles_o,
  output logic [63:0] instructions_o,
  output logic [StallCauses-1:0][31:0] stalls_o,

  output logic    retire_valid_o,
  output retire_t retire_o
);

  localparam int unsigned R = ROUNDS_PER_INSTR - 1;
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

  // ---------------------------------------------------------------- the pipeline
  // Stage s holds the instruction that issued s cycles ago; nothing after ID ever stalls.
  logic [Wb:1] valid_q;
  issued_t [Wb:1] issued_q;
  issued_t id_issued;
  logic id_issue;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Wb-1:1], id_issue};
  end
  always_ff @(posedge clk_i) issued_q <= {issued_q[Wb-1:1], id_issued};

  ctl_t mem_ctl, perm_ctl, x1_ctl, x2_ctl, wb_ctl;
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
  logic id_valid, id_bubble, id_fetch_range, id_legal, id_stall, id_commit;
  addr_t id_pc, id_as, id_au, id_k_address, id_d_address, id_s_address;
  insn_t id_insn;
  ctl_t id_ctl;
  stall_e id_cause;
  trap_e id_trap, id_stack_trap, id_address_trap;
  width_e id_width;
  logic flag_q;
  logic [7:0] id_loop_depth, id_call_depth;
  addr_t id_loop_remaining;
  logic [AddressRegs-1:0] id_ar_mask;
  addr_t [AddressRegs-1:0] id_ar_value;
  logic perm_ar_write;
  addr_t perm_ar_value;

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
    .valid_i(valid_q),
    .issued_i(issued_q),
    .stall_o(id_stall),
    .cause_o(id_cause)
  );

  // At most one kind of trap applies to an instruction, apart from these two that come first.
  always_comb begin
    if (id_fetch_range) id_trap = TrapFetchRange;
    else if (id_ctl.illegal) id_trap = TrapIllegal;
    else if (id_address_trap != TrapNone) id_trap = id_address_trap;
    else id_trap = id_stack_trap;
  end

  assign id_issue = id_valid && !id_stall;
  assign id_commit = id_issue && id_trap == TrapNone;

  always_comb begin
    id_issued.trap = id_trap;
    id_issued.width = id_width;
    id_issued.as_value = id_as;
    id_issued.s_address = id_s_address;
    id_issued.ctl = id_trap == TrapNone ? id_ctl : no_effect();
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
    .id_bubble_o(id_bubble),
    .id_fetch_range_o(id_fetch_range),
    .id_trap_o(id_stack_trap),
    .id_ctl_i(id_ctl),
    .id_as_i(id_as),
    .id_au_i(id_au),
    .flag_i(flag_q),
    .id_issue_i(id_issue),
    .id_trapped_i(id_trap != TrapNone),
    .id_loop_depth_o(id_loop_depth),
    .id_loop_remaining_o(id_loop_remaining),
    .id_call_depth_o(id_call_depth)
  );

  lutra_agu #(
    .MEMORY_ROWS(MEMORY_ROWS)
  ) u_agu (
    .clk_i,
    .rst_ni,
    .id_ctl_i(id_ctl),
    .id_commit_i(id_commit),
    .id_k_address_o(id_k_address),
    .id_d_address_o(id_d_address),
    .id_s_address_o(id_s_address),
    .id_as_o(id_as),
    .id_au_o(id_au),
    .id_trap_o(id_address_trap),
    .perm_write_i(perm_ar_write),
    .perm_ar_i(perm_ctl.ad),
    .perm_value_i(perm_ar_value),
    .id_ar_mask_o(id_ar_mask),
    .id_ar_value_o(id_ar_value)
  );

  // -------------------------------------------------------- data memories (ID, WB)
  // A read is presented when its instruction issues, trap or not: a trap's row goes nowhere.
  blocks_t read_key, read_data, memory_read, memory_write, memory_req;
  vec_t [MemoryBlocks-1:0] memory_rdata;
  logic wb_store;
  logic [VectorBytes-1:0] wb_lanes;
  vec_t wb_result, wb_stored;

  assign read_key = key_blocks(id_ctl);
  assign read_data = id_ctl.d.en ? blocks_t'(1) << id_ctl.d_block : '0;
  assign memory_read = id_issue && !id_ctl.illegal ? read_key | read_data : '0;
  assign wb_store = valid_q[Wb] && wb_ctl.s.en;
  assign wb_lanes = wb_ctl.res == ResWriteLane ? VectorBytes'(1) << wb_ctl.n[3:0] : '1;
  assign memory_write = wb_store ? blocks_of(wb_ctl.s_space) : '0;

  for (genvar b = 0; b < MemoryBlocks; b++) begin : gen_memory
    lutra_memory #(
      .MEMORY_ROWS(MEMORY_ROWS)
    ) u_memory (
      .clk_i,
      .read_en_i(memory_read[b]),
      .read_address_i(read_key[b] ? id_k_address : id_d_address),
      .write_en_i(memory_write[b]),
      .write_address_i(issued_q[Wb].s_address),
      .write_lanes_i(wb_lanes),
      .write_data_i(wb_stored),
      .host_req_i(memory_req[b]),
      .host_we_i,
      .host_row_i,
      .host_wdata_i,
      .rdata_o(memory_rdata[b])
    );
  end

  // ------------------------------------------------------------------ MEM to PERM
  vec_t perm_k0_q, perm_k1_q, perm_d_q;
  always_ff @(posedge clk_i) begin
    if (mem_ctl.k0_en) perm_k0_q <= memory_rdata[0];
    if (mem_ctl.k1_en) perm_k1_q <= memory_rdata[1];
    if (mem_ctl.d.en) perm_d_q <= memory_rdata[mem_ctl.d_block];
  end

  // ----------------------------------------------------------------------- PERM
  vec_t perm_a, perm_b, perm_w, perm_hold, perm_l0, ctr, ctr_incremented;
  vec_t x1_result, x1_partner, x2_result, x2_partner, x2_c, wb_partner;
  logic perm_increment, perm_hold_en, wb_rd_en;

  assign perm_increment = valid_q[Perm] && increments(perm_ctl);
  assign perm_hold_en = valid_q[Perm] && perm_ctl.mv inside {MoveHoldRow, MoveHoldCtr};
  assign wb_rd_en = valid_q[Wb] && wb_ctl.rd != VecNONE;

  lutra_counter u_counter (
    .clk_i,
    .rst_ni,
    .set_width_i(id_commit && id_ctl.au == AuSetWidth),
    .width_i(width_e'(id_ctl.n[1:0])),
    .width_o(id_width),
    .increment_i(perm_increment),
    .increment_width_i(issued_q[Perm].width),
    .incremented_o(ctr_incremented),
    .write_i(wb_rd_en && wb_ctl.rd == VecCTR),
    .wdata_i(wb_result),
    .value_o(ctr)
  );

  // A result of the second half exists only at the end of X2.
  lutra_operands u_operands (
    .clk_i,
    .rst_ni,
    .perm_ctl_i(perm_ctl),
    .perm_as_i(issued_q[Perm].as_value),
    .perm_row_i(perm_d_q),
    .ctr_i(ctr),
    .perm_hold_en_i(perm_hold_en),
    .perm_a_o(perm_a),
    .perm_b_o(perm_b),
    .perm_w_o(perm_w),
    .perm_hold_o(perm_hold),
    .x2_rc_i(x2_ctl.rc),
    .x2_c_o(x2_c),
    .x1_en_i(valid_q[X1] && (X1 == X2 || !x1_ctl.half2)),
    .x1_rd_i(x1_ctl.rd),
    .x1_pair_i(x1_ctl.pair),
    .x1_result_i(x1_result),
    .x1_partner_i(x1_partner),
    .x2_en_i(valid_q[X2] && X1 != X2),
    .x2_rd_i(x2_ctl.rd),
    .x2_pair_i(x2_ctl.pair),
    .x2_result_i(x2_result),
    .x2_partner_i(x2_partner),
    .wb_en_i(valid_q[Wb]),
    .wb_rd_i(wb_ctl.rd),
    .wb_pair_i(wb_ctl.pair),
    .wb_result_i(wb_result),
    .wb_partner_i(wb_partner)
  );

  assign perm_ar_write = valid_q[Perm] && perm_ctl.res == ResToAddress;
  assign perm_ar_value = perm_l0[{3'd7-perm_ctl.n[2:0], 4'd0}+:AddressBits];

  // ------------------------------------------------------------------- PERM to WB
  banks_t path_lookup, stream_lookup, table_lookup, table_write, table_req;
  vec_t [TableBanks-1:0] path_in, stream_in, table_in, table_rdata;
  vec_t x1_value, x1_stream;
  context_digest_t [StreamContexts-1:0] x2_context;

  lutra_datapath #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) u_datapath (
    .clk_i,
    .perm_valid_i(valid_q[Perm]),
    .perm_ctl_i(perm_ctl),
    .perm_a_i(perm_a),
    .perm_b_i(perm_b),
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
    .x1_partner_o(x1_partner),
    .x2_ctl_i(x2_ctl),
    .x2_c_i(x2_c),
    .x2_result_o(x2_result),
    .x2_partner_o(x2_partner),
    .wb_result_o(wb_result),
    .wb_partner_o(wb_partner),
    .wb_store_o(wb_stored),
    .t0_en_o(path_lookup[0]),
    .t0_lookup_o(path_in[0]),
    .t0_i(table_rdata[0]),
    .t1_en_o(path_lookup[1]),
    .t1_lookup_o(path_in[1]),
    .t1_i(table_rdata[1])
  );

  lutra_stream #(
    .STREAM_CONTEXTS(STREAM_CONTEXTS)
  ) u_stream (
    .clk_i,
    .rst_ni,
    .perm_valid_i(valid_q[Perm]),
    .perm_ctl_i(perm_ctl),
    .perm_value_i(perm_l0),
    .lookup_en_o(stream_lookup),
    .lookup_o(stream_in),
    .x1_valid_i(valid_q[X1]),
    .x1_ctl_i(x1_ctl),
    .x1_value_i(x1_value),
    .table_i(table_rdata),
    .x1_result_o(x1_stream),
    .digest_o(x2_context)
  );

  // The interlock keeps the two apart (docs/microarchitecture.md).
  assign table_lookup = path_lookup | stream_lookup;
  for (genvar t = 0; t < TableBanks; t++) begin : gen_table_in
    assign table_in[t] = stream_lookup[t] ? stream_in[t] : path_in[t];
  end

  assign table_write = wb_store ? banks_of(wb_ctl.s_space) : '0;
  for (genvar t = 0; t < TableBanks; t++) begin : gen_table
    lutra_table u_table (
      .clk_i,
      .lookup_en_i(table_lookup[t]),
      .lookup_i(table_in[t]),
      .write_en_i(table_write[t]),
      .write_row_i(issued_q[Wb].s_address[RowShift+:8]),
      .write_lanes_i(wb_lanes),
      .write_data_i(wb_stored),
      .host_req_i(table_req[t]),
      .host_we_i,
      .host_row_i(host_row_i[7:0]),
      .host_wdata_i,
      .rdata_o(table_rdata[t])
    );
  end

  // ------------------------------------------------------------------------- WB
  logic wb_flag_en, wb_flag, wb_trapped, wb_halts, wb_waits, wb_notifies;
  assign wb_flag_en = valid_q[Wb] && wb_ctl.res == ResSetFlag;
  assign wb_flag = wb_result == '0;
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
  lutra_perf u_perf (
    .clk_i,
    .rst_ni,
    .clear_i(start),
    .running_i(running),
    .retired_i(valid_q[Wb] && !wb_trapped),
    .stall_i(id_stall || id_bubble),
    .cause_i(id_bubble ? StallTransfer : id_cause),
    .perf_o(perf)
  );
  assign cycles_o = perf.cycles;
  assign instructions_o = perf.instructions;
  assign stalls_o = perf.stalls;

  id_record_t id_record;
  assign id_record = '{
    pc: id_pc,
    insn: id_insn,
    call_depth: id_call_depth,
    loop_depth: id_loop_depth,
    loop_remaining: id_loop_remaining,
    key_address: id_k_address,
    data_address: id_d_address,
    ar_mask: id_ar_mask,
    ar_value: id_ar_value
  };

  lutra_retire #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .RETIREMENT_PORT(RETIREMENT_PORT)
  ) u_retire (
    .clk_i,
    .id_record_i(id_record),
    .perm_ar_write_i(perm_ar_write),
    .perm_ar_i(perm_ctl.ad),
    .perm_ar_value_i(perm_ar_value),
    .perm_ctr_i(ctr_incremented),
    .perm_hold_i(perm_hold),
    .context_i(x2_context),
    .wb_valid_i(valid_q[Wb]),
    .wb_i(issued_q[Wb]),
    .wb_result_i(wb_result),
    .wb_rd_en_i(wb_rd_en),
    .wb_partner_i(wb_partner),
    .wb_ctr_en_i(increments(wb_ctl)),
    .wb_store_en_i(wb_store),
    .wb_store_lanes_i(wb_lanes),
    .wb_store_value_i(wb_stored),
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
      stop_is_last: assert (!(wb_trapped || wb_halts || wb_waits) || valid_q[Wb-1:1] == '0)
        else $error("an instruction after one that stops");
    end
  end
`endif

endmodule
