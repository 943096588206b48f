// The hash unit (isa/datapath.td): a factor, an input and a sum of its own, a product in GF(2^128) by four steps.
// It works in X2 on what is registered there, beside the path. Where the core has a multiplier, that one has its
// registers here too, and begins a step in X1. Twin of iss/src/hash.hpp.

module lutra_hash
  import lutra_isa_pkg::*;
  import lutra_pkg::hash_t;
  import lutra_functions_pkg::*;
  import lutra_multiplier_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2
) (
  input  logic    clk_i,
  input  logic    rst_ni,

  // The instruction in X1.
  input  logic    x1_prime_i,  // makes a step of the multiplier

  // The one in X2.
  input  logic    valid_i,
  input  res_fn_e res_i,
  input  beside_t h_i,
  input  logic    prime_i,
  input  vec_t    x_i,      // result of the first half
  input  vec_t    moved_i,  // value that a move stores
  input  vec_t    row_i,    // row of the data slot, or zero

  output hash_t   hash_o
);

  vec_t gh_q, gx_q, gx_d, gy_q, gy_d;
  logic [7:0] gt_q, gt_d;
  logic [4:0] gu_q, gu_d;
  assign hash_o = '{gh: gh_q, gx: gx_q, gy: gy_q, gt: gt_q, gu: gu_q};

  // The step. Where there is none, the sum stays as it does with a window, of a digit that is zero.
  logic field, window, step;
  vec_t next_y;
  assign field = res_i inside {ResFieldStep, ResFieldFold, ResFieldAdd};
  assign window = res_i inside {ResWindowStep, ResWindowNext};
  assign step = field || window || res_i == ResHashStep || (h_i & BesideStep) != '0;
  assign next_y = hash_sum(gy_q, step ? gx_q[31:0] : '0, gh_q, field, window || !step);

  // What comes into the input, if not its next word; whether the sum is added to it, and begins anew.
  logic from_x, from_moved, from_row, reversed, takes, adds, clears;
  assign from_x = res_i inside {ResToInput, ResToReversed, ResAddInput, ResFieldAdd};
  assign from_moved = (h_i & BesideSum) != '0;
  assign from_row = (h_i & BesideRow) != '0 || res_i == ResWindowNext;
  assign reversed = res_i inside {ResToReversed, ResFieldAdd, ResWindowNext};
  assign takes = from_x || from_moved || from_row;
  assign adds = from_moved || (h_i & BesideRow) != '0 || res_i inside {ResAddInput, ResFieldAdd, ResFieldFold};
  assign clears = adds || res_i inside {ResToInput, ResToReversed};

  vec_t taken, next_x;
  assign taken = (x_i & {VectorBits{from_x}}) | (moved_i & {VectorBits{from_moved}}) | (row_i & {VectorBits{from_row}});
  always_comb begin
    next_x = gx_q >> 32;
    if (takes) next_x = reversed ? reverse_bits(taken) : taken;
    next_x ^= next_y & {VectorBits{adds}};
  end

  // The multiplier. Its step leaves the input a byte less, and a block its number.
  logic prime, block;
  input_t number;
  if (HasMultiplier) begin : gen_multiplier
    assign prime = prime_i;
    assign block = res_i inside {ResPrimeAdd, ResPrimeLast};
    lutra_multiplier #(
      .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
    ) u_multiplier (
      .clk_i,
      .x1_step_i(x1_prime_i),
      .x1_digit_i(ROUNDS_PER_INSTR == 2 && valid_i && prime ? gx_q[7:0] : gt_q),
      .step_i(prime),
      .one_i(res_i == ResPrimeAdd),
      .x_i,
      .factor_i(gh_q),
      .sum_i({gu_q, gy_q}),
      .sum_o(number)
    );
    assign gt_d = prime ? gx_q[7:0] : 8'(number[InputBits-1:VectorBits]);
    assign gu_d = prime ? number[SumBits-1:VectorBits] : '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        gt_q <= '0;
        gu_q <= '0;
      end else if (valid_i && (prime || block)) begin
        gt_q <= gt_d;
        gu_q <= gu_d;
      end
    end
  end else begin : gen_no_multiplier
    assign {prime, block, number, gt_q, gt_d, gu_q, gu_d} = '0;
    logic unused;
    assign unused = &{1'b0, x1_prime_i, prime_i, number[InputBits-1:VectorBits], gt_d, gu_d};
  end

  logic gh_en, gx_en, gy_en;
  assign gh_en = res_i == ResToFactor || window;
  assign gx_en = takes || step || prime || block;
  assign gy_en = clears || step || prime || block;
  always_comb begin
    gx_d = next_x;
    gy_d = next_y & {VectorBits{!clears}};
    if (prime || block) begin
      gx_d = prime ? gx_q >> 8 : swap_bytes(number[VectorBits-1:0]);
      gy_d = number[VectorBits-1:0] & {VectorBits{prime}};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gh_q <= '0;
      gx_q <= '0;
      gy_q <= '0;
    end else if (valid_i) begin
      if (gh_en) gh_q <= x_i;
      if (gx_en) gx_q <= gx_d;
      if (gy_en) gy_q <= gy_d;
    end
  end

endmodule
