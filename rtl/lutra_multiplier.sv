// The multiplier of the hash unit: what a step modulo 2^130-5 makes of the sum, and what a block makes of it
// (isa/datapath.td, PrimeStep and PrimeAdd). With two rounds an instruction the product is made in X1, as two numbers
// whose sum it is, and added in X2. Twin of iss/src/hash.hpp.

module lutra_multiplier
  import lutra_isa_pkg::*;
  import lutra_multiplier_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2
) (
  input  logic        clk_i,

  // The instruction in X1.
  input  logic        x1_step_i,
  input  logic [7:0]  x1_digit_i,

  // The one in X2: a step, or a row that becomes the input.
  input  logic        step_i,
  input  logic        one_i,     // with 2^128
  input  vec_t        x_i,
  input  vec_t        factor_i,
  input  sum_t        sum_i,     // before it
  output input_t      sum_o      // a step's sum, in the lower bits; or the input
);

  // Zero where there is no step, so that a row can be added in its place.
  product_t product, x2_product;
  assign product = product_of(factor_i, x1_digit_i & {8{x1_step_i}});
  if (ROUNDS_PER_INSTR == 2) begin : gen_x1
    product_t product_q;
    always_ff @(posedge clk_i) product_q <= product;
    assign x2_product = product_q;
  end else begin : gen_at_once
    assign x2_product = product;
    logic unused;
    assign unused = clk_i;
  end

  assign sum_o = prime_sum(sum_i, x2_product, step_i, swap_bytes(x_i), one_i);

endmodule
