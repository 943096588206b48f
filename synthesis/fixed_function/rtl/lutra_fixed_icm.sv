// The counter of AES-ICM: an offset plus the index of the first block, in four cycles of 32 bits each, then plus one
// for each block. Modulo 2^128.

module lutra_fixed_icm
  import lutra_fixed_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        load_i,
  input  block_t      offset_i,
  input  logic [63:0] index_i,
  input  logic        next_i,   // only where it is ready
  output logic        ready_o,
  output block_t      counter_o
);

  block_t counter_q;
  logic [63:0] index_q;
  logic [2:0] words_q;  // to add
  logic carry_q, carry;
  word_t sum;

  assign {carry, sum} = 33'(counter_q[31:0]) + 33'(index_q[31:0]) + 33'(carry_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) words_q <= '0;
    else if (load_i) words_q <= 3'd4;
    else if (!ready_o) words_q <= words_q - 3'd1;
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      counter_q <= offset_i;
      index_q <= index_i;
      carry_q <= 1'b0;
    end else if (!ready_o) begin
      counter_q <= {sum, counter_q[127:32]};
      index_q <= {32'b0, index_q[63:32]};
      carry_q <= carry;
    end else if (next_i) begin
      counter_q <= counter_q + 128'd1;
    end
  end

  assign ready_o = words_q == '0;
  assign counter_o = counter_q;

endmodule
