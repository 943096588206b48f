// The core with a shadow, under any host and any program: memories may return anything, and a context may differ from
// its shadow in any cycle in which an instruction is compared. What the host sees of memories is what was stored.

module formal_fault
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_state_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2
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
  input logic   alert_clear_i
);

  localparam int unsigned Ag = StageAG[ROUNDS_PER_INSTR-1];
  localparam int unsigned X1 = StageX1[ROUNDS_PER_INSTR-1];
  localparam int unsigned Wb = StageWB[ROUNDS_PER_INSTR-1];

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) reset_first: assume (!rst_ni);

  logic    alert, retire_valid;
  state_e  state;
  retire_t retire;
  lutra_core #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .SHADOW_WORDS(5)
  ) u_core (
    .clk_i,
    .rst_ni,
    .host_req_i,
    .host_we_i,
    .host_space_i,
    .host_row_i,
    .host_wdata_i,
    .host_gnt_o(),
    .host_rvalid_o(),
    .host_rdata_o(),
    .start_i,
    .entry_i,
    .resume_i,
    .irq_clear_i,
    .alert_clear_i,
    .wipe_i(1'b0),
    .escalate_i(1'b0),
    .alert_o(alert),
    .state_o(state),
    .pc_o(),
    .trap_o(),
    .notify_o(),
    .irq_o(),
    .cycles_o(),
    .instructions_o(),
    .stalls_o(),
    .retire_valid_o(retire_valid),
    .retire_o(retire)
  );

  always_comb compared: assume (!u_core.x1_context_fault || u_core.valid_q[X1]);

  // Cycles since the fault; the instructions before it are in stages above X1 + since.
  localparam int unsigned Drained = Wb - X1;
  logic [3:0] since_q;
  logic cleared;
  assign cleared = alert_clear_i && state == StateFaulted;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) since_q <= '0;
    else if (since_q == '0) since_q <= 4'(u_core.x1_context_fault);
    else if (cleared) since_q <= '0;
    else if (since_q != '1) since_q <= since_q + 4'd1;
  end

  registers_t registers, registers_q;
  always_comb u_core.u_state.registers(registers);
  always_ff @(posedge clk_i) registers_q <= registers;

  logic none_younger, contexts_zero, stop_is_last, none_stops;
  always_comb begin
    stop_is_last = 1'b1;
    none_stops = 1'b1;
    for (int unsigned s = Ag + 1; s <= Wb; s++)
      if (u_core.valid_q[s] && (u_core.issued_q[s].trap != TrapNone || u_core.issued_q[s].ctl.sq inside {SqHalt, SqWait})) begin
        none_stops = 1'b0;
        for (int unsigned t = 1; t <= s; t++)
          if (u_core.id_valid || (t < s && u_core.valid_q[t])) stop_is_last = 1'b0;
      end
    none_younger = 1'b1;
    for (int unsigned s = 1; s <= Wb; s++)
      if (s <= X1 + 32'(since_q) && u_core.valid_q[s]) none_younger = 1'b0;
    contexts_zero = {registers.context_lfsr0, registers.context_lfsr1, registers.context_lfsr2, registers.context_lfsr3,
                     registers.context_registers, registers.context_buffer} == '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && since_q != '0) begin
      nothing_younger: assert (none_younger);
      nothing_issues: assert (since_q == 4'd1 || !u_core.id_issue);
      early_stays: assert (only_before_x1(registers, ROUNDS_PER_INSTR == 2) ==
                           only_before_x1(registers_q, ROUNDS_PER_INSTR == 2));
      contexts_cleared: assert (since_q == 4'd1 || contexts_zero);
      alerts: assert (alert);
      retires_without_effect: assert (!retire_valid || 32'(since_q) < Drained ||
                                      (32'(since_q) == Drained && retire.trap == TrapContextFault));
      all_stays: assert (32'(since_q) <= Drained + 1 || registers == registers_q);
      nothing_stored: assert (32'(since_q) < Drained || !u_core.wb_store);
      faulted: assert (state == (32'(since_q) <= Drained ? StateRunning : StateFaulted));
      none_stops_before: assert (none_stops);
      nothing_fetched: assert (!u_core.fetch_en && !u_core.id_valid);
      on_its_way: assert (u_core.faulted_q == (Wb - X1)'(32'd1 << (since_q - 4'd1)));
      is_cleared: cover (cleared);
      start_is_refused: cover (start_i && state == StateFaulted);
      earlier_retires: cover (retire_valid && 32'(since_q) < Drained);
    end
    if (rst_ni) begin
      runs_only: assert (state == StateRunning || (u_core.valid_q == '0 && !u_core.id_valid &&
                                                   !u_core.u_sequencer.redirect_valid_q) || since_q != '0);
      starts_empty: assert (!u_core.u_sequencer.redirect_valid_q || (u_core.valid_q == '0 && !u_core.id_valid));
      nothing_after_a_stop: assert (stop_is_last);
      no_other_fault: assert (since_q != '0 || u_core.faulted_q == '0);
    end
  end

endmodule
