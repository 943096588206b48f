// A round of ARIA (RFC 5794 2.4) without registers: substitution layer 1 or 2, diffusion, key. In decryption the key is
// added before the diffusion, so that the round keys of encryption serve in reverse order.

module lutra_fixed_aria_round
  import lutra_fixed_pkg::*;
  import lutra_fixed_sbox_pkg::*;
  import lutra_functions_pkg::*;
#(
  parameter bit Even = 0  // rounds with substitution layer 2
) (
  input  block_t x_i,
  input  block_t key_i,
  input  logic   decrypt_i,
  input  logic   last_i,
  output block_t y_o
);

  block_t substituted, keyed;

  always_comb begin
    for (int w = 0; w < 4; w++) begin
      word_t x;
      // Layer 2 is layer 1 with the halves of each word exchanged.
      x = Even ? {x_i[32*w+:16], x_i[32*w+16+:16]} : x_i[32*w+:32];
      x = {aes(x[31:24]), aria_s2(x[23:16]), aes_inverse(x[15:8]), aria_s2_inverse(x[7:0])};
      substituted[32*w+:32] = Even ? {x[15:0], x[31:16]} : x;
    end
    keyed = substituted ^ (decrypt_i ? key_i : '0);
    y_o = (last_i ? keyed : aria_diffusion(keyed)) ^ (decrypt_i ? '0 : key_i);
  end

endmodule
