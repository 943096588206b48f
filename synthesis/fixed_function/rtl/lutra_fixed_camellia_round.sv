// A round of Camellia (RFC 3713 2.3) for two blocks with one key, without registers: x is D1 || D2, and so is y.

module lutra_fixed_camellia_round
  import lutra_fixed_pkg::*;
  import lutra_fixed_sbox_pkg::*;
  import lutra_functions_pkg::*;
(
  input  block_t [1:0] x_i,
  input  logic [63:0]  key_i,
  output block_t [1:0] y_o
);

  block_t substituted, diffused;

  function automatic logic [7:0] s2(logic [7:0] x);
    logic [7:0] s;
    s = camellia_s1(x);
    return {s[6:0], s[7]};
  endfunction

  function automatic logic [7:0] s3(logic [7:0] x);
    logic [7:0] s;
    s = camellia_s1(x);
    return {s[0], s[7:1]};
  endfunction

  function automatic logic [7:0] s4(logic [7:0] x);
    return camellia_s1({x[6:0], x[7]});
  endfunction

  always_comb begin
    for (int lane = 0; lane < 2; lane++) begin
      logic [7:0][7:0] t;  // t[7] is t1 of 2.4.1
      t = x_i[lane][127:64] ^ key_i;
      substituted[64*lane+:64] = {
        camellia_s1(t[7]), s2(t[6]), s3(t[5]), s4(t[4]), s2(t[3]), s3(t[2]), s4(t[1]), camellia_s1(t[0])
      };
    end
    diffused = camellia_p(substituted);
    for (int lane = 0; lane < 2; lane++)
      y_o[lane] = {x_i[lane][63:0] ^ diffused[64*lane+:64], x_i[lane][127:64]};
  end

endmodule
