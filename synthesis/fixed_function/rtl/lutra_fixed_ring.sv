// Control of round stages in a ring, with a block in each. Slot 0 enters the first stage before step 0, slot i at the end
// of step i - 1; a slot leaves when it has gone round as often as it needs, and the next one enters that stage. So
// `Slots` blocks take as many cycles as one of them.

module lutra_fixed_ring #(
  parameter int unsigned Slots = 2
) (
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       enable_i,   // blocks may enter
  input  logic       sweep_i,    // run once without a block
  input  logic [4:0] steps_i,    // a multiple of the slots

  input  logic       valid_i,
  output logic       ready_o,
  output logic       valid_o,    // a cycle after a block's last step

  output logic       run_o,
  output logic [4:0] step_o,
  output logic       enter_o,    // a block enters the first stage at the end of this cycle
  output logic       restart_o,  // step 0 may follow
  output logic       finish_o    // the last stage has a block for the last time
);

  logic run_q, run_d, valid_q;
  logic [Slots-1:0] slots_q, slot;  // that have a block; that may enter now
  logic [4:0] step_q;
  logic final_step;

  assign final_step = step_q == steps_i - 5'd1;
  assign restart_o = !run_q || final_step;
  always_comb begin
    slot[0] = restart_o;
    for (int i = 1; i < Slots; i++) slot[i] = run_q && step_q == 5'(i - 1);
  end
  assign ready_o = enable_i && slot != '0;
  assign enter_o = ready_o && valid_i;
  assign run_d = restart_o ? enter_o || sweep_i || (run_q && slots_q[Slots-1:1] != '0) : 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q <= 1'b0;
      step_q <= '0;
      slots_q <= '0;
      valid_q <= 1'b0;
    end else begin
      run_q <= run_d;
      step_q <= restart_o ? '0 : step_q + 5'd1;
      for (int i = 0; i < Slots; i++) if (slot[i]) slots_q[i] <= enter_o;
      valid_q <= run_q && (slot & slots_q) != '0;
    end
  end

  assign run_o = run_q;
  assign step_o = step_q;
  assign finish_o = slot != '0;
  assign valid_o = valid_q;

endmodule
