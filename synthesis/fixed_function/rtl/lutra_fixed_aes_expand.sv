// The next round key of AES in either direction (FIPS 197 5.2), of the two before it: words older[0..3], latest[0..3].
// Backwards the next key is an earlier one. Inputs stay for two cycles:
// the look-ups of the first are used in the second. The words come from base[0..3], those a key length before or after them.

module lutra_fixed_aes_expand
  import lutra_fixed_pkg::*;
  import lutra_fixed_sbox_pkg::*;
(
  input  logic       clk_i,
  input  block_t     older_i,
  input  block_t     latest_i,
  input  key_size_e  size_i,
  input  logic       backward_i,
  input  logic       odd_i,       // number of the key made, modulo 2 and modulo 3
  input  logic [1:0] third_i,
  input  logic [7:0] rcon_i,
  output logic       rcon_used_o,
  output block_t     next_o
);

  word_t o0, o1, l0, l1, l2, l3;
  word_t [3:0] base, next;
  word_t previous, source, substituted, substituted_q, word, first, middle;
  logic at_0, at_2, rotate;

  assign {o0, o1} = older_i[127:64];
  assign {l0, l1, l2, l3} = latest_i;

  always_comb begin
    unique case (size_i)
      Key128: base = {l3, l2, l1, l0};
      Key192: base = backward_i ? {o1, o0, l3, l2} : {l1, l0, older_i[31:0], older_i[63:32]};
      default: base = {older_i[31:0], older_i[63:32], o1, o0};
    endcase
    at_2 = size_i == Key192 && third_i == 2'd1;
    at_0 = size_i != Key192 || third_i == 2'd0;
    rotate = size_i != Key256 || !odd_i;
    rcon_used_o = (at_0 || at_2) && rotate;

    // The word before word 0.
    previous = l3;
    if (backward_i && size_i == Key128) previous = l3 ^ l2;
    if (backward_i && size_i == Key192) previous = l1;
    source = previous;
    if (at_2) source = backward_i ? l3 : base[1] ^ base[0] ^ l3;
    for (int i = 0; i < 4; i++) substituted[8*i+:8] = aes(source[8*i+:8]);
    word = substituted_q;
    if (rotate) word = {word[23:16] ^ rcon_i, word[15:0], word[31:24]};

    first = at_0 ? word : previous;
    next[0] = base[0] ^ first;
    next[1] = base[1] ^ (backward_i ? base[0] : next[0]);
    middle = backward_i ? base[1] : next[1];
    next[2] = base[2] ^ (at_2 ? word : middle);
    next[3] = base[3] ^ (backward_i ? base[2] : next[2]);
    next_o = {next[0], next[1], next[2], next[3]};
  end

  always_ff @(posedge clk_i) substituted_q <= substituted;

endmodule
