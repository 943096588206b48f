// A queue of registers: what is pushed in a cycle is at the head in the next one at the earliest. Neither handshake
// depends on the other one in the same cycle.

module lutra_queue #(
  parameter int unsigned Depth = 8,
  parameter int unsigned Width = 8
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic push_valid_i,
  output logic push_ready_o,
  input  logic [Width-1:0] push_i,

  output logic head_valid_o,
  input  logic head_ready_i,
  output logic [Width-1:0] head_o
);
endmodule
