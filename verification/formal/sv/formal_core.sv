// The core under any host and any program: a memory may return anything. Its own assertions are proven, and those
// below. Outputs that nothing here uses are left open, so that their logic is removed.

module formal_core
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  parameter int unsigned STREAM_CONTEXTS = StreamContexts
) (
  input logic   clk_i,
  input logic   rst_ni,
  input logic   host_req_i,
  input logic   host_we_i,
  input space_e host_space_i,
  input addr_t  host_row_i,
  input vec_t   host_wdata_i,
  input logic   start_i,
  input addr_t  entry_i,
  input logic   resume_i,
  input logic   irq_clear_i,
  input logic   alert_clear_i,
  input logic   wipe_i,
  input logic   escalate_i
);

  // Reset in the first cycle, then at any time.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) reset_first: assume (!rst_ni);

  logic    host_gnt, irq;
  trap_e   trap;
  state_e  state;
  logic    retire_valid;
  retire_t retire;

  lutra_core #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .STREAM_CONTEXTS(STREAM_CONTEXTS)
  ) u_core (
    .clk_i,
    .rst_ni,
    .host_req_i,
    .host_we_i,
    .host_space_i,
    .host_row_i,
    .host_wdata_i,
    .host_gnt_o(host_gnt),
    .host_rvalid_o(),
    .host_rdata_o(),
    .start_i,
    .entry_i,
    .resume_i,
    .irq_clear_i,
    .alert_clear_i,
    .wipe_i,
    .escalate_i,
    .alert_o(),
    .state_o(state),
    .pc_o(),
    .trap_o(trap),
    .notify_o(),
    .irq_o(irq),
    .cycles_o(),
    .instructions_o(),
    .stalls_o(),
    .retire_valid_o(retire_valid),
    .retire_o(retire)
  );

  // Whether an instruction that ends the program has retired and the host has not started or resumed it since.
  logic stopped_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stopped_q <= 1'b1;
    else if (state != StateRunning && (start_i || (resume_i && state == StateWaiting))) stopped_q <= 1'b0;
    else if (retire_valid && (retire.trap != TrapNone || retire.halt_en || retire.wait_en)) stopped_q <= 1'b1;
  end

  localparam int unsigned Ag = StageAG[ROUNDS_PER_INSTR-1];
  localparam int unsigned Wb = StageWB[ROUNDS_PER_INSTR-1];

  // The core's uses of a memory in this cycle, from the pipeline: rows are read in AG and stored in WB.
  ctl_t ag, wb;
  assign ag = u_core.issued_q[Ag].ctl;
  assign wb = u_core.issued_q[Wb].ctl;
  logic ag_valid, wb_valid, is_memory;
  assign ag_valid = u_core.valid_q[Ag];
  assign wb_valid = u_core.valid_q[Wb];
  blocks_t used;
  always_comb begin
    used = '0;
    if (ag_valid && ag.k0_en) used[0] = 1'b1;
    if (ag_valid && ag.k1_en) used[1] = 1'b1;
    if (ag_valid && ag.d.en) used[ag.d_block] = 1'b1;
    if (wb_valid && wb.s.en && wb.s_space inside {SpaceMem0, SpaceMem1, SpaceMem2, SpaceMem3})
      used[wb.s_space[$clog2(MemoryBlocks)-1:0]] = 1'b1;
  end
  assign is_memory = host_space_i inside {SpaceMem0, SpaceMem1, SpaceMem2, SpaceMem3};

  // The cycle before: whether the interrupt was set, an event came and the host cleared; whether the host started or
  // resumed, and where.
  logic event_q, clear_q, irq_q, start_q, resume_q;
  addr_t entry_q, return_q;
  trap_e trap_q;
  state_e state_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {event_q, clear_q, irq_q, start_q, resume_q} <= '0;
      trap_q <= TrapNone;
      state_q <= StateIdle;
    end else begin
      event_q <= retire_valid && (retire.trap != TrapNone || retire.halt_en || retire.wait_en || retire.notify_en);
      clear_q <= irq_clear_i;
      irq_q <= irq;
      start_q <= start_i && state != StateRunning;
      resume_q <= resume_i && !start_i && state == StateWaiting;
      trap_q <= retire_valid && retire.trap != TrapNone ? retire.trap : trap;
      state_q <= state;
    end
  end
  always_ff @(posedge clk_i) begin
    entry_q <= entry_i;
    return_q <= u_core.u_sequencer.redirect_pc_q;
  end

  // How long the instruction in ID has been waiting, and how long none has left ID while the core runs.
  // The longest hazards are from what WB writes to what AG reads; after a stop the whole pipeline drains.
  localparam int unsigned LongestWait = Wb - Ag;
  logic [3:0] waiting_q, quiet_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      quiet_q <= '0;
    end else begin
      waiting_q <= u_core.id_valid && !u_core.id_issue ? waiting_q + 4'd1 : '0;
      quiet_q <= state == StateRunning && !u_core.id_issue ? quiet_q + 4'd1 : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      idle_at_start: assert (!(start_i || resume_i) || state == StateRunning || u_core.valid_q == '0);
      nothing_after: assert (!(stopped_q && retire_valid));
      stopped_stays: assert (stopped_q == (state != StateRunning));
      wait_ends: assert (32'(waiting_q) <= LongestWait);
      progress: assert (32'(quiet_q) <= Wb);
      // The host's port.
      core_first: assert (!(host_gnt && is_memory) || !used[host_space_i[$clog2(MemoryBlocks)-1:0]]);
      closed: assert (!(host_gnt && !is_memory) || (state != StateRunning && u_core.valid_q == '0 && !u_core.fetch_en));
      irq_is_event: assert (irq == (event_q || (irq_q && !clear_q)));
      start_first: assert (!start_q || (state == StateRunning && trap == TrapNone && u_core.u_perf.cycles_q == '0 &&
                                        u_core.fetch_en && u_core.fetch_pc == entry_q));
      resumes: assert (!resume_q || (state == StateRunning && u_core.fetch_en && u_core.fetch_pc == return_q));
      not_started: assert (start_q || resume_q || state != StateRunning || state_q == StateRunning);
      trap_stays: assert (start_q || trap == trap_q);
      cleared_and_raised: cover (event_q && clear_q && irq);
      started_and_resumed: cover (start_i && resume_i && state == StateWaiting);
      waits_for_core: cover (host_req_i && !host_gnt && is_memory);
      longest_wait: cover (32'(waiting_q) == LongestWait);
      longest_quiet: cover (32'(quiet_q) == Wb);
      halts: cover (retire_valid && retire.halt_en);
      traps: cover (retire_valid && retire.trap != TrapNone);
      goes_on: cover (retire_valid && retire.wait_en);
    end
  end

endmodule
