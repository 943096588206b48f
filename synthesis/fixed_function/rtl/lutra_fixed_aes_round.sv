// A round of AES (FIPS 197 5.1), or of its inverse in the order of 5.3, in two stages with a register between them. The
// key is added after the columns are mixed, or before they are mixed backwards.

module lutra_fixed_aes_round
  import lutra_fixed_pkg::*;
  import lutra_fixed_sbox_pkg::*;
  import lutra_functions_pkg::*;
  import lutra_isa_pkg::MixMixColumns;
  import lutra_isa_pkg::MixInvMixColumns;
(
  input  logic   clk_i,
  input  block_t x_i,
  input  block_t key_i,  // a cycle after x_i, as what follows but for the first direction
  input  logic   look_decrypt_i,
  input  logic   mix_decrypt_i,
  input  logic   last_i,
  output block_t y_o
);

  block_t substituted, substituted_q, shifted, keyed, mixed;

  always_comb begin
    for (int i = 0; i < 16; i++) substituted[8*i+:8] = aes_either(x_i[8*i+:8], look_decrypt_i);
  end

  always_ff @(posedge clk_i) substituted_q <= substituted;

  always_comb begin
    shifted = mix_decrypt_i ? inv_shift_rows(substituted_q) : shift_rows(substituted_q);
    keyed = shifted ^ (mix_decrypt_i ? key_i : '0);
    mixed = mix_columns_or_inverse(mix_decrypt_i ? MixInvMixColumns : MixMixColumns, keyed);
    y_o = (last_i ? keyed : mixed) ^ (mix_decrypt_i ? '0 : key_i);
  end

endmodule
