// The core between its two interfaces.

module tb_top;

  timeunit 1ns;
  timeprecision 1ps;

  import uvm_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_host_agent_pkg::*;
  import lutra_env_pkg::*;
  import lutra_tests_pkg::*;

  parameter int unsigned ROUNDS_PER_INSTR = 2;

  logic clk = 1'b0;
  always #5 clk = !clk;

  lutra_host_if host_if (.clk_i(clk));
  lutra_retire_if retire_if (.clk_i(clk));

  lutra_core #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) dut (
    .clk_i(clk),
    .rst_ni(host_if.rst_n),
    .host_req_i(host_if.request.req),
    .host_we_i(host_if.request.we),
    .host_space_i(host_if.request.space),
    .host_row_i(host_if.request.row),
    .host_wdata_i(host_if.request.wdata),
    .host_gnt_o(host_if.reply.gnt),
    .host_rvalid_o(host_if.reply.rvalid),
    .host_rdata_o(host_if.reply.rdata),
    .start_i(host_if.request.start),
    .entry_i(host_if.request.entry),
    .resume_i(host_if.request.resume),
    .irq_clear_i(host_if.request.irq_clear),
    .alert_clear_i(1'b0),
    .wipe_i(host_if.request.wipe),
    .escalate_i(1'b0),
    .alert_o(host_if.status.alert),
    .state_o(host_if.status.state),
    .pc_o(host_if.status.pc),
    .trap_o(host_if.status.trap),
    .notify_o(host_if.status.notify),
    .irq_o(host_if.status.irq),
    .cycles_o(host_if.status.cycles),
    .instructions_o(host_if.status.instructions),
    .stalls_o(host_if.status.stalls),
    .retire_valid_o(retire_if.valid),
    .retire_o(retire_if.record)
  );

  lutra_state_probe probe (.clk_i(clk), .state_i(host_if.status.state), .start_i(host_if.request.start));
  lutra_disturbance disturbance (.clk_i(clk));

  // Registers that a wipe clears are random until the first edge of the clock.
  initial begin
    $assertoff;
    @(negedge clk) $asserton;
  end

  initial begin
    string waves;
    if ($value$plusargs("WAVES=%s", waves)) begin
      $dumpfile(waves);
      $dumpvars(0, tb_top);
    end
  end

  initial begin
    lutra_env_config cfg = new("cfg");
    cfg.rounds_per_instr = ROUNDS_PER_INSTR;
    uvm_config_db#(lutra_env_config)::set(null, "uvm_test_top.env", "cfg", cfg);
    uvm_config_db#(virtual lutra_host_if)::set(null, "uvm_test_top.env.host", "vif", host_if);
    uvm_config_db#(virtual lutra_retire_if)::set(null, "uvm_test_top.env.retire", "vif", retire_if);
    run_test();
  end

endmodule
