// GHASH (SP 800-38D 6.4): a block in five cycles, one to add it and four for digits of 32 bits, the highest power first.
// The result so far leaves after each block.

module lutra_fixed_ghash
  import lutra_fixed_pkg::*;
  import lutra_functions_pkg::clmul;
(
  input  logic   clk_i,
  input  logic   rst_ni,

  input  logic   setup_valid_i,
  output logic   setup_ready_o,
  input  block_t setup_i,

  input  logic   valid_i,
  output logic   ready_o,
  input  block_t data_i,
  output logic   valid_o,
  output block_t data_o
);

  // Bit i is the coefficient of u^i here: outside it stands at the other end (6.3).
  function automatic block_t reversed(block_t x);
    block_t out;
    for (int i = 0; i < 128; i++) out[i] = x[127-i];
    return out;
  endfunction

  logic [2:0] digits_q;  // still to come
  logic running_q, valid_q;
  block_t h_q, x_q, y_q, y_d;
  logic set_up, enter;

  assign setup_ready_o = digits_q == '0;
  assign ready_o = running_q && digits_q == '0;
  assign set_up = setup_valid_i && setup_ready_o;
  assign enter = valid_i && ready_o;

  // y u^32 + h digit. What stands from u^128 on returns times 1 + u + u^2 + u^7, whose product has 39 bits.
  logic [159:0] sum;
  logic [31:0] over;
  always_comb begin
    sum = {y_q, 32'd0} ^ {1'b0, clmul(h_q, x_q[127:96])};
    over = sum[159:128];
    y_d = sum[127:0] ^ {89'd0, {over, 7'd0} ^ {5'd0, over, 2'd0} ^ {6'd0, over, 1'b0} ^ {7'd0, over}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      digits_q <= '0;
      running_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      running_q <= running_q || set_up;
      if (enter) digits_q <= 3'd4;
      else if (digits_q != '0) digits_q <= digits_q - 3'd1;
      valid_q <= digits_q == 3'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (set_up) h_q <= reversed(setup_i);
    if (set_up || enter) y_q <= '0;
    else if (digits_q != '0) y_q <= y_d;
    if (enter) x_q <= reversed(data_i) ^ y_q;
    else x_q <= {x_q[95:0], 32'd0};
  end

  assign valid_o = valid_q;
  assign data_o = reversed(y_q);

endmodule
