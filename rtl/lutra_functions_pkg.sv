// The functions of the datapath's blocks (isa/datapath.td), one function a symbol; twins of iss/src/functions.hpp.
// Byte 0 is the most significant. Byte r + 4c is row r, column c of the AES state (FIPS 197 3.4).

package lutra_functions_pkg;

  import lutra_isa_pkg::*;

  localparam int unsigned Words = VectorBytes / 4;

  // Logic and lane arithmetic.

  function automatic vec_t logic_xor(vec_t x, vec_t y, vec_t z);
    return x ^ y ^ z;
  endfunction

  function automatic vec_t logic_and(vec_t x, vec_t y, vec_t z);
    return (x & y) ^ z;
  endfunction

  function automatic vec_t logic_or(vec_t x, vec_t y, vec_t z);
    return (x | y) ^ z;
  endfunction

  function automatic vec_t logic_andn(vec_t x, vec_t y, vec_t z);
    return (x & ~y) ^ z;
  endfunction

  // Sums of lanes by one adder: between bytes lies one more place, which takes the carry on, or at the end of a lane
  // begins anew: with the one of x - y = x + ~y + 1, or without.
  function automatic vec_t lane_sum(logic_fn_e fn, vec_t x, vec_t y);
    logic [9*VectorBytes-1:0] a, b, sum;
    logic minus, goes_on;
    minus = fn inside {LogicSub8, LogicSub16, LogicSub32, LogicSub64, LogicSub128};
    for (int i = 0; i < VectorBytes; i++) begin
      goes_on = fn inside {LogicAdd128, LogicSub128};
      if ((i + 1) % 2 != 0) goes_on |= fn inside {LogicAdd16, LogicSub16};
      if ((i + 1) % 4 != 0) goes_on |= fn inside {LogicAdd32, LogicSub32};
      if ((i + 1) % 8 != 0) goes_on |= fn inside {LogicAdd64, LogicSub64};
      a[9*i+:9] = {goes_on | minus, x[8*i+:8]};
      b[9*i+:9] = {~goes_on & minus, y[8*i+:8] ^ {8{minus}}};
    end
    sum = a + b + (9 * VectorBytes)'(minus);
    for (int i = 0; i < VectorBytes; i++) lane_sum[8*i+:8] = sum[9*i+:8];
  endfunction

  // Byte permutations. From the most significant end, byte i is [8*(15-i)+:8].

  // Row r of column c comes from column c + r (FIPS 197 5.1.2).
  function automatic vec_t shift_rows(vec_t x);
    vec_t out;
    for (int c = 0; c < 4; c++)
      for (int r = 0; r < 4; r++) out[8*(15-(r+4*c))+:8] = x[8*(15-(r+4*((c+r)%4)))+:8];
    return out;
  endfunction

  // Row r of column c comes from column c - r (FIPS 197 5.3.1).
  function automatic vec_t inv_shift_rows(vec_t x);
    vec_t out;
    for (int c = 0; c < 4; c++)
      for (int r = 0; r < 4; r++) out[8*(15-(r+4*c))+:8] = x[8*(15-(r+4*((c+4-r)%4)))+:8];
    return out;
  endfunction

  // The bits of a byte's number that count within its lane, by the immediate of a rotation or shift (isa/operands.td).
  function automatic logic [3:0] lane_mask(imm_t n);
    return {!n[7], !(&n[7:6]), !(&n[7:5]), !(&n[7:4])};
  endfunction

  function automatic logic moves_lanes(imm_t n);
    return n[2:0] != '0 || (n[6:3] & lane_mask(n)) != '0;
  endfunction

  // All other movements of bytes, by one crossbar: byte i is byte `index` of what enters, or zero. Align is a rotation in
  // which y has taken the places of the bytes that x shifts out. A rotation or shift by n bits is one by whole bytes here
  // and one by the rest in the linear layer; what a shift takes from the other end of its lane is zero. One-hot, as AND
  // and OR of sixteen bytes are half the gates of choices by twos.
  function automatic vec_t crossbar(crossbar_fn_e fn, vec_t x, vec_t y, imm_t n);
    vec_t entering;
    logic [3:0] lane, first, index;
    logic [4:0] place;
    logic shifts, wraps, nothing;
    shifts = fn inside {CrossbarRotateBytes, CrossbarLeftBytes, CrossbarRightBytes};
    lane = shifts ? lane_mask(n) : '1;
    first = shifts ? n[6:3] : n[3:0];
    if (fn == CrossbarRightBytes) first = ~first + 4'(n[2:0] == '0);  // the bytes rounded up, to the right
    entering = x;
    for (int i = 0; i < VectorBytes; i++)
      if (fn == CrossbarAlign && 4'(i) < first) entering[8*(15-i)+:8] = y[8*(15-i)+:8];
    crossbar = '0;
    for (int i = 0; i < VectorBytes; i++) begin
      place = {1'b0, 4'(i) & lane} + {1'b0, first & lane};
      wraps = |(place & ~{1'b0, lane});
      index = (4'(i) & ~lane) | (place[3:0] & lane);
      nothing = (fn == CrossbarLeftBytes && wraps) ||
                (fn == CrossbarRightBytes && !wraps && (4'(i) & lane) != '0 && moves_lanes(n));
      if (fn == CrossbarPermute) begin
        index = y[8*(15-i)+:4];
        nothing = y[8*(15-i)+7];
      end
      if (fn == CrossbarBroadcast) index = first;
      for (int j = 0; j < VectorBytes; j++)
        crossbar[8*(15-i)+:8] |= {8{!nothing && index == 4'(j)}} & entering[8*(15-j)+:8];
    end
  endfunction

  // Linear layers.

  // Lanes by less than a byte: a byte takes bits from the one after it, at the end of its lane from the lane's first byte,
  // or zeros if it is shifted to the left. To the right the crossbar has turned a lane by one byte more than it shall be
  // shifted: the rest goes to the left, and the first byte is what enters at the end, and nothing else.
  function automatic vec_t turn_bits(mix_fn_e fn, vec_t x, imm_t n);
    logic [3:0] lane;
    logic [2:0] by;
    logic right;
    logic [VectorBytes-1:0][7:0] bytes;  // [i]: byte i
    logic [7:0] own, next;
    logic [14:0] window;
    logic [10:0] by4;
    logic [8:0] by2;
    for (int i = 0; i < VectorBytes; i++) bytes[i] = x[8*(15-i)+:8];
    lane = lane_mask(n);
    right = fn == MixRightBits;
    by = right ? -n[2:0] : n[2:0];
    for (int i = 0; i < VectorBytes; i++) begin
      next = '0;
      if ((4'(i) & lane) != lane) next = bytes[(i+1)%VectorBytes];
      else if (fn != MixLeftBits)
        for (int size = 1; size <= VectorBytes; size *= 2)
          next |= {8{lane == 4'(size - 1)}} & bytes[i/size*size];
      own = bytes[i] & {8{!(right && (4'(i) & lane) == '0 && moves_lanes(n))}};
      window = {own, next[7:1]};
      by4 = by[2] ? window[10:0] : window[14:4];
      by2 = by[1] ? by4[8:0] : by4[10:2];
      turn_bits[8*(15-i)+:8] = by[0] ? by2[7:0] : by2[8:1];
    end
  endfunction

  // The lanes, [i] of byte i, out of which a shift by one moves a one: the first bit, to the right the last.
  function automatic logic [VectorBytes-1:0] lanes_carried_out(vec_t x, imm_t n, logic right);
    logic [VectorBytes-1:0][7:0] bytes;  // [i]: byte i
    for (int i = 0; i < VectorBytes; i++) bytes[i] = x[8*(15-i)+:8];
    lanes_carried_out = '0;
    for (int i = 0; i < VectorBytes; i++)
      for (int size = 1; size <= VectorBytes; size *= 2)
        lanes_carried_out[i] |= lane_mask(n) == 4'(size - 1) &&
            (right ? bytes[i/size*size+size-1][0] : bytes[i/size*size][7]);
  endfunction

  // A word in four tables of words: byte j of the sum of the chosen words in four lanes, and the sum of what they have.
  function automatic vec_t spread_word(vec_t x, imm_t n);
    logic [31:0] word;
    word = '0;
    for (int i = 0; i < Words; i++) word ^= {32{n[i]}} & x[32*i+:32];
    for (int j = 0; j < 4; j++) spread_word[32*j+:32] = {4{word[8*j+:8]}};
  endfunction

  function automatic vec_t fold_words(vec_t x);
    fold_words = '0;
    for (int i = 0; i < Words; i++) fold_words[31:0] ^= x[32*i+:32];
  endfunction

  // The diffusion layer A: row i, from the top, has a one in column j, from the left, where y_i contains x_j (RFC 5794 2.4.3).
  localparam logic [15:0][15:0] AriaA = {
    16'b0001_1010_1100_0110, 16'b0010_0101_1100_1001, 16'b0100_1010_0011_1001, 16'b1000_0101_0011_0110,
    16'b1010_0100_1001_0011, 16'b0101_1000_0110_0011, 16'b1010_0001_0110_1100, 16'b0101_0010_1001_1100,
    16'b1100_1001_0010_0101, 16'b1100_0110_0001_1010, 16'b0011_0110_1000_0101, 16'b0011_1001_0100_1010,
    16'b0110_0011_0101_1000, 16'b1001_0011_1010_0100, 16'b1001_1100_0101_0010, 16'b0110_1100_1010_0001
  };

  function automatic vec_t aria_diffusion(vec_t x);
    vec_t out;
    out = '0;
    for (int i = 0; i < VectorBytes; i++)
      for (int j = 0; j < VectorBytes; j++) if (AriaA[15-i][15-j]) out[8*(15-i)+:8] ^= x[8*(15-j)+:8];
    return out;
  endfunction

  // P of either half (RFC 3713 2.4.1): row i, from the top, has a one in column j, from the left, where y_i contains t_j.
  localparam logic [7:0][7:0] CamelliaRows = {
    8'b1011_0111, 8'b1101_1011, 8'b1110_1101, 8'b0111_1110, 8'b1100_0111, 8'b0110_1011, 8'b0011_1101, 8'b1001_1110
  };

  function automatic vec_t camellia_p(vec_t x);
    vec_t out;
    out = '0;
    for (int h = 0; h < 2; h++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) if (CamelliaRows[i][j]) out[64*h+8*i+:8] ^= x[64*h+8*j+:8];
    return out;
  endfunction

  // Multiplication by x modulo x^8 + x^4 + x^3 + x + 1 in every byte (FIPS 197 4.2.1).
  function automatic vec_t xtime(vec_t x);
    vec_t out;
    for (int i = 0; i < VectorBytes; i++) out[8*i+:8] = {x[8*i+:7], 1'b0} ^ (x[8*i+7] ? 8'h1b : 8'h00);
    return out;
  endfunction

  // Bytes of every column rotated: row r takes row r + 1, or row r + 2.
  function automatic vec_t next_row(vec_t x);
    vec_t out;
    for (int c = 0; c < Words; c++) out[32*c+:32] = {x[32*c+:24], x[32*c+24+:8]};
    return out;
  endfunction

  function automatic vec_t opposite_row(vec_t x);
    vec_t out;
    for (int c = 0; c < Words; c++) out[32*c+:32] = {x[32*c+:16], x[32*c+16+:16]};
    return out;
  endfunction

  // 2a + 3b + c + d = b + (c+d) + 2(a+b) (FIPS 197 5.1.3).
  function automatic vec_t mix_columns(vec_t x);
    vec_t pair;
    pair = x ^ next_row(x);
    return next_row(x) ^ opposite_row(pair) ^ xtime(pair);
  endfunction

  // The inverse, 14a + 11b + 13c + 9d, is the same and 4(2(a+b+c+d) + (a+c)), which two rows have in common (5.3.3).
  function automatic vec_t mix_columns_or_inverse(mix_fn_e fn, vec_t x);
    vec_t opposite, sum;
    opposite = x ^ opposite_row(x);
    sum = opposite ^ next_row(opposite);
    return mix_columns(x) ^ ({VectorBits{fn == MixInvMixColumns}} & xtime(xtime(xtime(sum) ^ opposite)));
  endfunction

  // Multiplication by u in GF(2^128), bit 127 the coefficient of u^127 (SP 800-38B 6.1).
  function automatic vec_t double128(vec_t x);
    return {x[VectorBits-2:0], 1'b0} ^ (x[VectorBits-1] ? VectorBits'(8'h87) : '0);
  endfunction

  // Products of polynomials over GF(2) by Karatsuba's three halves in place of four, down to four bits, where the sums
  // would cost more than the product that they save. What high and low leave stands in the product twice, so it is
  // added up once.
  function automatic logic [6:0] clmul4(logic [3:0] a, logic [3:0] b);
    clmul4 = '0;
    for (int i = 0; i < 4; i++) if (a[i]) clmul4 ^= 7'(b) << i;
  endfunction

  function automatic logic [14:0] clmul8(logic [7:0] a, logic [7:0] b);
    logic [14:0] outer;
    outer = {4'd0, clmul4(a[7:4], b[7:4]), 4'd0} ^ {8'd0, clmul4(a[3:0], b[3:0])};
    return outer ^ (outer << 4) ^ {4'd0, clmul4(a[7:4] ^ a[3:0], b[7:4] ^ b[3:0]), 4'd0};
  endfunction

  function automatic logic [30:0] clmul16(logic [15:0] a, logic [15:0] b);
    logic [30:0] outer;
    outer = {8'd0, clmul8(a[15:8], b[15:8]), 8'd0} ^ {16'd0, clmul8(a[7:0], b[7:0])};
    return outer ^ (outer << 8) ^ {8'd0, clmul8(a[15:8] ^ a[7:0], b[15:8] ^ b[7:0]), 8'd0};
  endfunction

  // A row times a word: the same for each word of the row.
  localparam int unsigned ProductBits = VectorBits + 31;
  function automatic logic [ProductBits-1:0] clmul(vec_t a, logic [31:0] b);
    logic [ProductBits-1:0] outer, middle;
    outer = '0;
    middle = '0;
    for (int i = 0; i < Words; i++) begin
      outer ^= ProductBits'(clmul16(a[32*i+:16], b[15:0])) << (32 * i);
      outer ^= ProductBits'(clmul16(a[32*i+16+:16], b[31:16])) << (32 * i + 16);
      middle ^= ProductBits'(clmul16(a[32*i+:16] ^ a[32*i+16+:16], b[15:0] ^ b[31:16])) << (32 * i + 16);
    end
    return outer ^ (outer << 16) ^ middle;
  endfunction

  // The hash unit's sum after a step. Bit 127 is the coefficient of 1 (SP 800-38D 6.3), in GF(2^64) bit 63. The
  // coefficients beyond the row, `over`, return as over * (1 + u + u^2 + u^7), or over * (1 + x + x^3 + x^4), whose
  // degree is 38 or 35: one step reduces. A window's sum stays where it is, others go up by a word.
  function automatic vec_t hash_sum(vec_t y, logic [31:0] digit, vec_t h, logic field, logic window);
    logic [VectorBits+31:0] sum;
    logic [31:0] over;
    logic [38:0] folded128;
    logic [35:0] folded64;
    sum = {clmul(h, digit), 1'b0} ^ (window ? {y, 32'd0} : {32'd0, y});
    over = sum[31:0];
    folded128 = {over, 7'd0} ^ {1'b0, over, 6'd0} ^ {2'd0, over, 5'd0} ^ {7'd0, over};
    folded64 = {over, 4'd0} ^ {1'b0, over, 3'd0} ^ {3'd0, over, 1'b0} ^ {4'd0, over};
    return sum[VectorBits+31:32] ^ (field ? {64'd0, folded64, 28'd0} : {folded128, 89'd0});
  endfunction

  function automatic vec_t reverse_bits(vec_t x);
    for (int i = 0; i < VectorBits; i++) reverse_bits[i] = x[VectorBits-1-i];
  endfunction

  // Word 0 is the most significant: the running XOR of the key schedule (FIPS 197 5.2).
  function automatic vec_t prefix_xor32(vec_t x);
    vec_t out;
    out = x;
    for (int i = Words - 2; i >= 0; i--) out[32*i+:32] = out[32*(i+1)+:32] ^ x[32*i+:32];
    return out;
  endfunction

  // Pairs: the value on the path and its partner; the high half is block a, the low half block b.

  // RFC 3713 2.4.2 and 2.4.3 on 64 bits.
  function automatic logic [63:0] camellia_fl(logic [63:0] x, logic [63:0] key);
    logic [31:0] left, right, masked;
    masked = x[63:32] & key[63:32];
    right = x[31:0] ^ {masked[30:0], masked[31]};
    left = x[63:32] ^ (right | key[31:0]);
    return {left, right};
  endfunction

  function automatic logic [63:0] camellia_fl_inverse(logic [63:0] x, logic [63:0] key);
    logic [31:0] left, masked;
    left = x[63:32] ^ (x[31:0] | key[31:0]);
    masked = left & key[63:32];
    return {left, x[31:0] ^ {masked[30:0], masked[31]}};
  endfunction

  function automatic pair_t pair_pack(pair_t v, vec_t y);
    vec_t x, p;
    x = v.x ^ y;
    p = v.p ^ y;
    return '{x: {p[127:64], x[127:64]}, p: {p[63:0], x[63:0]}};
  endfunction

  function automatic pair_t pair_split(pair_t v, vec_t y);
    vec_t s;
    s = v.x ^ v.p ^ y;
    return '{x: {s[127:64], 64'd0}, p: {s[63:0], 64'd0}};
  endfunction

  function automatic pair_t pair_fl(pair_t v, vec_t y);
    pair_t out;
    for (int h = 0; h < 2; h++) begin
      out.x[64*h+:64] = camellia_fl(v.x[64*h+:64], y[127:64]);
      out.p[64*h+:64] = camellia_fl_inverse(v.p[64*h+:64], y[63:0]);
    end
    return out;
  endfunction

  function automatic pair_t pair_join(pair_t v, vec_t y, vec_t z);
    vec_t x;
    x = v.x ^ z;
    return '{x: {v.p[127:64], x[127:64]} ^ y, p: {v.p[63:0], x[63:0]} ^ y};
  endfunction

  function automatic pair_t pair_xor(pair_t v, vec_t y, vec_t z);
    return '{x: v.x ^ y ^ z, p: v.p};
  endfunction

  // Addition, rotation and XOR of words (ChaCha, Salsa20).

  function automatic vec_t turn_words(vec_t x, logic [1:0] words);
    turn_words = '0;
    for (int t = 0; t < Words; t++)
      turn_words |= {VectorBits{words == 2'(t)}} & VectorBits'(({x, x} << 32 * t) >> VectorBits);
  endfunction

  // The third register turns, or bit 5 says that the sum does.
  function automatic vec_t rotate_third(vec_t x, imm_t n);
    return turn_words(x, n[7:6] & {2{!n[5]}});
  endfunction

  // One-hot by bits, then by bytes: fewer levels than by twos, and no more gates.
  function automatic logic [31:0] rotate_word(logic [31:0] x, logic [4:0] n);
    logic [31:0] by_bits;
    by_bits = '0;
    for (int k = 0; k < 8; k++) by_bits |= {32{n[2:0] == 3'(k)}} & 32'({x, x} << k >> 32);
    rotate_word = '0;
    for (int k = 0; k < 4; k++) rotate_word |= {32{n[4:3] == 2'(k)}} & 32'({by_bits, by_bits} << (8 * k) >> 32);
  endfunction

  // Amount from the immediate, or one per word.
  function automatic pair_t add_rotate_xor(pairing_fn_e fn, pair_t v, vec_t y, vec_t z, imm_t n);
    vec_t entering, rotated;
    logic turns, each;
    turns = fn == PairingSumTurned;
    each = fn == PairingWordsRotated;
    entering = v.p ^ y;
    for (int i = 0; i < Words; i++)
      rotated[32*i+:32] = rotate_word(entering[32*i+:32], each ? z[32*i+:5] : n[4:0]);
    return '{x: turns ? turn_words(v.x, n[7:6] & {2{n[5]}}) : rotated, p: rotated};
  endfunction

endpackage
