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
  input  pairing_fn_e p2_i,
  input  vec_t result_i,
  input  vec_t core_i,
  input  vec_t side_i,

  // The value for its register, and the parts for the instruction in PERM: synthesis does not see that they are the same,
  // and what is compared is what they get.
  output vec_t result_o,
  output vec_t core_o,
  output vec_t side_o,

  output logic wb_wrong_o
);

  for (genvar i = 0; i < VectorBits; i++) begin : gen_bit
    lutra_buffer u_result (
      .a_i(result_i[i]),
      .y_o(result_o[i])
    );
    lutra_buffer u_core (
      .a_i(core_i[i]),
      .y_o(core_o[i])
    );
    lutra_buffer u_side (
      .a_i(side_i[i]),
      .y_o(side_o[i])
    );
  end

  // P2 joins halves: the parts are not the value then, and nobody takes them. A gate that joins hides no fault of its own.
  logic [$bits(pairing_fn_e)-1:0] p2;
  for (genvar i = 0; i < $bits(pairing_fn_e); i++) begin : gen_fn
    lutra_buffer u_p2 (
      .a_i(p2_i[i]),
      .y_o(p2[i])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wb_wrong_o <= 1'b0;
    else wb_wrong_o <= p2 != PairingPairJoin && result_o != (core_o ^ side_o);
  end

endmodule
