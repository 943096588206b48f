// A round of AES encryption (FIPS 197 5.1) with `Inner` registers; the key and `last_i` are those of its end.

module lutra_fixed_pipeline_round
  import lutra_fixed_pkg::*;
  import lutra_functions_pkg::*;
#(
  parameter int unsigned Inner = 0
) (
  input  logic   clk_i,
  input  block_t x_i,
  input  block_t key_i,
  input  logic   last_i,  // without MixColumns
  output block_t y_o
);

  block_t substituted, shifted;

  lutra_fixed_pipeline_bytes #(.Bytes(16), .Inner(Inner)) u_bytes (.clk_i, .x_i, .y_o(substituted));
  assign shifted = shift_rows(substituted);
  assign y_o = (last_i ? shifted : mix_columns(shifted)) ^ key_i;

endmodule
