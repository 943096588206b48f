// Whether what an instruction takes of the one in X2 before that is written is what is written (PROTECT).
//
// A result leaves X2 as one value, to its register and its row, and as two parts, to the instruction in PERM. A fault of
// the value alone leaves the chain of blocks right and one row wrong, which no later block shows.

module lutra_forward_check
  import lutra_isa_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  // In X2.
  input  logic joins_i,   // P2 joins halves: the parts are not the value then, and nobody takes them
  input  vec_t result_i,
  input  vec_t core_i,
  input  vec_t side_i,

  output logic wb_wrong_o
);

  vec_t result;  // synthesis does not see that it is the sum of the parts
  for (genvar i = 0; i < VectorBits; i++) begin : gen_bit
    lutra_buffer u_result (
      .a_i(result_i[i]),
      .y_o(result[i])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wb_wrong_o <= 1'b0;
    else wb_wrong_o <= !joins_i && result != (core_i ^ side_i);
  end

endmodule
