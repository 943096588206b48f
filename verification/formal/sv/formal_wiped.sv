// The core with a wipe, under any host and any program: memories may return anything.

module formal_wiped
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
  input logic   alert_clear_i,
  input logic   wipe_i,
  input logic   escalate_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) reset_first: assume (!rst_ni);

  logic    gnt, alert, retire_valid;
  vec_t    rdata;
  addr_t   pc;
  trap_e   trap;
  state_e  state;
  logic [7:0] notify;
  logic [63:0] cycles, instructions;
  lutra_core #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .SHADOW_WORDS(5),
    .WIPE(1)
  ) u_core (
    .clk_i,
    .rst_ni,
    .host_req_i,
    .host_we_i,
    .host_space_i,
    .host_row_i,
    .host_wdata_i,
    .host_gnt_o(gnt),
    .host_rvalid_o(),
    .host_rdata_o(rdata),
    .start_i,
    .entry_i,
    .resume_i,
    .irq_clear_i(1'b0),
    .alert_clear_i,
    .wipe_i,
    .escalate_i,
    .alert_o(alert),
    .state_o(state),
    .pc_o(pc),
    .trap_o(trap),
    .notify_o(notify),
    .irq_o(),
    .cycles_o(cycles),
    .instructions_o(instructions),
    .stalls_o(),
    .retire_valid_o(retire_valid),
    .retire_o()
  );

  // The architectural state as isa/state.td lists it, and what a wipe leaves of it.
  registers_t registers, zero;
  always_comb begin
    u_core.u_state.registers(registers);
    zero = '0;
    zero.ctr_width = counter_bits(Width128);
  end

  logic locked_q, asked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {locked_q, asked_q} <= '0;
    else begin
      locked_q <= locked_q || escalate_i;
      asked_q <= host_req_i && u_core.locked;
    end
  end

  // The contexts are cleared by the first clock.
  logic begun;
  assign begun = u_core.wipe.busy && u_core.wipe.row >= 16'd2 && u_core.wipe.write;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      registers_zero: assert (!begun || registers == zero);
      nothing_read: assert (!u_core.wipe.busy || (rdata == '0 && !gnt));
      nothing_shown: assert (!u_core.wipe.busy || (notify == '0 && pc == '0 && cycles == '0 && instructions == '0));
      nothing_retires: assert (!u_core.wipe.busy || !retire_valid);
      shown: assert (!(u_core.u_control.state_q inside {StateWiping, StateLocked}) &&
                     (state == StateWiping) == u_core.wipe.busy);
      both_say_so: assert (u_core.gen_wipe.u_wipe.locked_q == !u_core.gen_wipe.u_wipe.open_q &&
                           u_core.gen_wipe.u_wipe.busy_q == !u_core.gen_wipe.u_wipe.clear_nq && locked_q == u_core.locked);
      stands: assert (!locked_q || (u_core.valid_q == '0 && u_core.faulted_q == '0 && !u_core.id_valid &&
                      !u_core.u_sequencer.redirect_valid_q));
      locked_for_good: assert (!locked_q || (state inside {StateWiping, StateLocked} && alert));
      locked_reads_zero: assert (!locked_q || (rdata == '0 && !retire_valid && trap == TrapNone) || !asked_q);
      nothing_stored: assert (!locked_q || (!u_core.wb_store && u_core.u_memories.memory_req == '0 &&
                              u_core.u_memories.table_req == '0 && !u_core.u_memories.program_req));
      grants: assert (!(locked_q && state == StateLocked) || gnt == host_req_i);
      locks: cover (locked_q && u_core.wipe.busy);
      waits: cover (u_core.wipe.busy && host_req_i && !gnt);
    end
  end

endmodule
