// Takes the state of the core in the middle of the first cycle in which it is stopped, and of one in which it is
// started: the scoreboard checks a cycle when the next one is over, and by then the host may have written or started.

module lutra_state_probe
  import lutra_isa_pkg::*;
  import lutra_state_pkg::*;
  import lutra_reference_pkg::*;
(
  input logic   clk_i,
  input state_e state_i,
  input logic start_i
);

  state_e before_q = StateIdle;

  always @(negedge clk_i) begin
    if (state_i != StateRunning && (before_q == StateRunning || start_i)) begin
      registers_t registers;
      tb_top.dut.u_state.registers(registers);
      lutra_reference_observe(registers);
    end
    before_q <= state_i;
  end

endmodule
