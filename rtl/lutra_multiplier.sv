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

  // Multiples of the factor, a row for each bit of the digit, eight to six to four to three to two. They are zero where
  // there is no step, so that a block can be added in their place.
  sum_t [7:0] row;
  for (genvar i = 0; i < 8; i++) begin : gen_row
    assign row[i] = {5'd0, factor_i & {VectorBits{x1_digit_i[i] && x1_step_i}}} << i;
  end
  sum_t low_bits, low_carry, high_bits, high_carry, left_bits, left_carry, right_bits, right_carry;
  sum_t three_bits, three_carry, bits, carry, x2_bits, x2_carry;
  lutra_add3 #(
    .WIDTH(SumBits)
  ) u_low (
    .a_i(row[0]),
    .b_i(row[1]),
    .c_i(row[2]),
    .bits_o(low_bits),
    .carry_o(low_carry)
  );
  lutra_add3 #(
    .WIDTH(SumBits)
  ) u_high (
    .a_i(row[3]),
    .b_i(row[4]),
    .c_i(row[5]),
    .bits_o(high_bits),
    .carry_o(high_carry)
  );
  lutra_add3 #(
    .WIDTH(SumBits)
  ) u_left (
    .a_i(low_bits),
    .b_i(low_carry),
    .c_i(high_bits),
    .bits_o(left_bits),
    .carry_o(left_carry)
  );
  lutra_add3 #(
    .WIDTH(SumBits)
  ) u_right (
    .a_i(high_carry),
    .b_i(row[6]),
    .c_i(row[7]),
    .bits_o(right_bits),
    .carry_o(right_carry)
  );
  lutra_add3 #(
    .WIDTH(SumBits)
  ) u_three (
    .a_i(left_bits),
    .b_i(left_carry),
    .c_i(right_bits),
    .bits_o(three_bits),
    .carry_o(three_carry)
  );
  lutra_add3 #(
    .WIDTH(SumBits)
  ) u_two (
    .a_i(three_bits),
    .b_i(three_carry),
    .c_i(right_carry),
    .bits_o(bits),
    .carry_o(carry)
  );

  if (ROUNDS_PER_INSTR == 2) begin : gen_x1
    sum_t bits_q, carry_q;
    always_ff @(posedge clk_i) begin
      bits_q <= bits;
      carry_q <= carry;
    end
    assign {x2_bits, x2_carry} = {bits_q, carry_q};
  end else begin : gen_at_once
    assign {x2_bits, x2_carry} = {bits, carry};
    logic unused;
    assign unused = clk_i;
  end

  // The sum goes up by a byte, and what it has from 2^130 on comes back five times; or it stays, and the row is added.
  localparam int unsigned TopBits = SumBits - 122;
  logic [TopBits-1:0] top;
  logic [TopBits+2:0] five;
  input_t kept, one, second, s_bits, s_carry, t_bits, t_carry;
  assign top = sum_i[SumBits-1-:TopBits];
  assign five = {1'b0, top, 2'b0} + {3'd0, top};
  assign kept = step_i ? {4'd0, sum_i[121:0], 8'd0} : {1'b0, sum_i};
  assign one = {5'd0, one_i, 128'd0};
  assign second = step_i ? input_t'(five) : {6'd0, swap_bytes(x_i)};
  lutra_add3 #(
    .WIDTH(InputBits)
  ) u_sum (
    .a_i(kept),
    .b_i({1'b0, x2_bits}),
    .c_i({1'b0, x2_carry} | one),
    .bits_o(s_bits),
    .carry_o(s_carry)
  );
  lutra_add3 #(
    .WIDTH(InputBits)
  ) u_last (
    .a_i(s_bits),
    .b_i(s_carry),
    .c_i(second),
    .bits_o(t_bits),
    .carry_o(t_carry)
  );
  assign sum_o = t_bits + t_carry;

endmodule
