// The core with the pins that lutra_axi uses: what the bench compiles once, as a library, and links to the rest.

module core_pins (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic host_req_i,
  input  logic host_we_i,
  input  logic [2:0] host_space_i,
  input  logic [15:0] host_row_i,
  input  logic [127:0] host_wdata_i,
  output logic host_gnt_o,
  output logic [127:0] host_rdata_o,
  input  logic start_i,
  input  logic [15:0] entry_i,
  output logic [2:0] state_o,
  output logic [3:0] trap_o,
  output logic [7:0] notify_o,
  output logic irq_o
);
  import lutra_isa_pkg::*;

  state_e state;
  trap_e trap;
  assign state_o = state;
  assign trap_o = trap;

  lutra_core #(
    .RETIREMENT_PORT(1'b0),
    .PERF_STALLS(1'b0)
  ) u_core (
    .clk_i,
    .rst_ni,
    .host_req_i,
    .host_we_i,
    .host_space_i(space_e'(host_space_i)),
    .host_row_i,
    .host_wdata_i,
    .host_gnt_o,
    .host_rvalid_o(),
    .host_rdata_o,
    .start_i,
    .entry_i,
    .resume_i(1'b0),
    .irq_clear_i(1'b1),
    .alert_clear_i(1'b0),
    .alert_o(),
    .state_o(state),
    .pc_o(),
    .trap_o(trap),
    .notify_o,
    .irq_o,
    .cycles_o(),
    .instructions_o(),
    .stalls_o(),
    .retire_valid_o(),
    .retire_o()
  );
endmodule
