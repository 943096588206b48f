// The round key after another one (FIPS 197 5.2), 128 bits. `key_i` and `rcon_i` stay for `Inner` cycles before the one
// in which `load_i` is one.

module lutra_fixed_pipeline_key
  import lutra_fixed_pkg::*;
#(
  parameter int unsigned Inner = 0,
  parameter int unsigned Number = 0  // of the key if it is always the same, otherwise 0
) (
  input  logic       clk_i,
  input  logic       load_i,
  input  block_t     key_i,
  input  logic [7:0] rcon_i,  // of the key before this one
  output block_t     key_o,
  output logic [7:0] rcon_o
);

  function automatic logic [7:0] times_x(logic [7:0] a);
    return {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  function automatic logic [7:0] rcon_of(int unsigned number);
    logic [7:0] value = 8'h8d;
    for (int i = 0; i < number; i++) value = times_x(value);
    return value;
  endfunction

  word_t substituted, a, b, c, d;
  block_t next, key_q;
  logic [7:0] rcon, rcon_q;

  lutra_fixed_pipeline_bytes #(.Bytes(4), .Inner(Inner)) u_bytes (.clk_i, .x_i(key_i[31:0]), .y_o(substituted));

  assign rcon = Number == 0 ? times_x(rcon_i) : rcon_of(Number);
  assign {a, b, c, d} = key_i;
  always_comb begin
    next[127:96] = a ^ {substituted[23:16] ^ rcon, substituted[15:0], substituted[31:24]};
    next[95:64] = b ^ next[127:96];
    next[63:32] = c ^ next[95:64];
    next[31:0] = d ^ next[63:32];
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      key_q <= next;
      rcon_q <= rcon;
    end
  end
  assign key_o = key_q;
  assign rcon_o = rcon_q;

endmodule
