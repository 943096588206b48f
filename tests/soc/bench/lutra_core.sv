// In the place of the core: the library that has it.

module lutra_core
  import lutra_isa_pkg::*;
#(
  parameter bit WIPE = 0,
  parameter bit RETIREMENT_PORT = 1,
  parameter bit PERF_STALLS = 1
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   host_req_i,
  input  logic   host_we_i,
  input  space_e host_space_i,
  input  addr_t  host_row_i,
  input  vec_t   host_wdata_i,
  output logic   host_gnt_o,
  output logic   host_rvalid_o,
  output vec_t   host_rdata_o,
  input  logic   start_i,
  input  addr_t  entry_i,
  input  logic   resume_i,
  input  logic   irq_clear_i,
  input  logic   alert_clear_i,
  input  logic   wipe_i,
  input  logic   escalate_i,
  output logic   alert_o,
  output state_e state_o,
  output addr_t  pc_o,
  output trap_e  trap_o,
  output logic [7:0] notify_o,
  output logic   irq_o,
  output logic [63:0] cycles_o,
  output logic [63:0] instructions_o,
  output logic [StallCauses-1:0][StallBits-1:0] stalls_o,
  output logic    retire_valid_o,
  output retire_t retire_o
);
  logic [2:0] state;
  logic [3:0] trap;
  assign state_o = state_e'(state);
  assign trap_o = trap_e'(trap);
  assign alert_o = 1'b0;
  assign host_rvalid_o = 1'b0;
  assign pc_o = '0;
  assign cycles_o = '0;
  assign instructions_o = '0;
  assign stalls_o = '0;
  assign retire_valid_o = 1'b0;
  assign retire_o = '0;

  core_library u_library (
    .clk_i,
    .rst_ni,
    .host_req_i,
    .host_we_i,
    .host_space_i,
    .host_row_i,
    .host_wdata_i,
    .host_gnt_o,
    .host_rdata_o,
    .start_i,
    .entry_i,
    .state_o(state),
    .trap_o(trap),
    .notify_o,
    .irq_o
  );
endmodule
