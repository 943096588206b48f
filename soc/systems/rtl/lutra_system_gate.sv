// The clock of a device that is idle most of the time: it stops a while after the last access and the end of the last
// job, and comes back with the next access. So a device must not count time while it is idle: an interrupt that is held
// back for a time would not come.

module lutra_system_gate #(
  parameter int unsigned Cycles = 32
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic needed_i,
  output logic clk_o
);
  logic [$clog2(Cycles)-1:0] left_q;
  logic enable;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '1;
    else if (needed_i) left_q <= '1;
    else if (left_q != 0) left_q <= left_q - 1'b1;
  end

  // A latch that is open while the clock is low, so that no pulse is cut.
  always_latch if (!clk_i) enable = left_q != 0 || needed_i;
  assign clk_o = clk_i && enable;

endmodule
