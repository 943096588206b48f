// Contexts of the stream unit and the functions that clock them, one function a symbol; twins of iss/src/stream.hpp.
// The lanes of a bank's look-up are counted from the most significant byte.

package lutra_stream_pkg;

  import lutra_isa_pkg::*;

  typedef logic [31:0] word_t;

  typedef struct packed {
    word_t [15:0] s;   // s[0] is the oldest
    word_t r1;
    word_t r2;
    word_t r3;
    vec_t buffer;      // the newest keystream word is the least significant
  } context_t;

  // Word i of four, 0 the most significant.
  function automatic word_t word_of(vec_t x, logic [1:0] i);
    return x[{2'd3-i, 5'd0}+:32];
  endfunction

  // SNOW 3G.

  // What the four words of a bank are looked up with: r1, r2, four times the byte that leaves, four times that of s11.
  function automatic vec_t snow_addresses(context_t c);
    return {c.r1, c.r2, {4{c.s[0][31:24]}}, {4{c.s[11][7:0]}}};
  endfunction

  // MixColumn of one word, most significant byte first, with another polynomial (TS 35.216 3.3).
  function automatic word_t snow_mix(word_t x, logic [7:0] polynomial);
    word_t previous, pair, twice;
    previous = {x[7:0], x[31:8]};
    pair = x ^ previous;
    for (int i = 0; i < 4; i++) twice[8*i+:8] = {pair[8*i+:7], 1'b0} ^ (pair[8*i+7] ? polynomial : 8'h00);
    return previous ^ {pair[15:0], pair[31:16]} ^ twice;
  endfunction

  // One clock (TS 35.216 3.4, 4); t is what the look-ups of snow_addresses gave.
  function automatic context_t snow_clock(context_t c, vec_t t, logic init);
    context_t next;
    word_t f;
    f = (c.s[15] + c.r1) ^ c.r2;
    next.s = {{c.s[0][23:0], 8'h00} ^ word_of(t, 2'd2) ^ c.s[2] ^ {8'h00, c.s[11][31:8]} ^ word_of(t, 2'd3) ^
              (init ? f : 32'd0), c.s[15:1]};
    next.r1 = c.r2 + (c.r3 ^ c.s[5]);
    next.r2 = snow_mix(word_of(t, 2'd0), 8'h1b);
    next.r3 = snow_mix(word_of(t, 2'd1), 8'h69);
    next.buffer = init ? c.buffer : {c.buffer[95:0], f ^ c.s[0]};
    return next;
  endfunction

  function automatic context_t snow_init(context_t c, vec_t t);
    return snow_clock(c, t, 1'b1);
  endfunction

  function automatic context_t snow_work(context_t c, vec_t t);
    return snow_clock(c, t, 1'b0);
  endfunction

  // ZUC. Of an LFSR word 31 bits count; the bit reorganisation (TS 35.222 3.3) is wiring.

  // What R1 and R2 are looked up with (TS 35.222 3.4).
  function automatic vec_t zuc_addresses(context_t c);
    word_t w1, w2, u, v;
    w1 = c.r1 + {c.s[11][15:0], c.s[9][30:15]};
    w2 = c.r2 ^ {c.s[7][15:0], c.s[5][30:15]};
    u = {w1[15:0], w2[31:16]};
    v = {w2[15:0], w1[31:16]};
    return {u ^ {u[29:0], u[31:30]} ^ {u[21:0], u[31:22]} ^ {u[13:0], u[31:14]} ^ {u[7:0], u[31:8]},
            v ^ {v[23:0], v[31:24]} ^ {v[17:0], v[31:18]} ^ {v[9:0], v[31:10]} ^ {v[1:0], v[31:2]}, 64'd0};
  endfunction

  // Sums modulo 2^31 - 1: a carry out of bit 30 has weight 1. Carry-save first, so that one carry chain remains.
  typedef struct packed {
    logic [30:0] sum;
    logic [30:0] carry;
  } pair31_t;

  function automatic pair31_t compress31(logic [30:0] a, logic [30:0] b, logic [30:0] c);
    logic [30:0] majority;
    majority = (a & b) | (a & c) | (b & c);
    return '{sum: a ^ b ^ c, carry: {majority[29:0], majority[30]}};
  endfunction

  function automatic logic [30:0] add31(logic [30:0] a, logic [30:0] b);
    logic [31:0] sum;
    sum = {1'b0, a} + {1'b0, b};
    return sum[30:0] + 31'(sum[31]);
  endfunction

  // Bit reorganisation and F (TS 35.222 3.3, 3.4): W to r3, W ^ X3 to the buffer; t is what the look-ups gave.
  function automatic context_t zuc_f(context_t c, vec_t t);
    context_t next;
    word_t w;
    w = ({c.s[15][30:15], c.s[14][15:0]} ^ c.r1) + c.r2;
    next.s = c.s;
    next.r1 = word_of(t, 2'd0);
    next.r2 = word_of(t, 2'd1);
    next.r3 = w;
    next.buffer = {c.buffer[95:0], w ^ {c.s[2][15:0], c.s[0][30:15]}};
    return next;
  endfunction

  // The LFSR (TS 35.222 3.2), in initialisation mode with W of F before it.
  function automatic context_t zuc_shift(context_t c, logic init);
    context_t next;
    pair31_t p, q, r, s;
    logic [30:0] s15, s13, s10, s4, s0;
    s15 = c.s[15][30:0];
    s13 = c.s[13][30:0];
    s10 = c.s[10][30:0];
    s4 = c.s[4][30:0];
    s0 = c.s[0][30:0];
    p = compress31({s15[15:0], s15[30:16]}, {s13[13:0], s13[30:14]}, {s10[9:0], s10[30:10]});
    q = compress31({s4[10:0], s4[30:11]}, {s0[22:0], s0[30:23]}, s0);
    r = compress31(p.sum, p.carry, q.sum);
    s = compress31(r.sum, r.carry, q.carry);
    next = c;
    // Only the initialisation adds W: its second addition is not on the path of the work clock's one.
    next.s = {{1'b0, add31(init ? c.r3[31:1] : 31'd0, add31(s.sum, s.carry))}, c.s[15:1]};
    return next;
  endfunction

  function automatic context_t zuc_lfsr_init(context_t c);
    return zuc_shift(c, 1'b1);
  endfunction

  function automatic context_t zuc_lfsr_work(context_t c);
    return zuc_shift(c, 1'b0);
  endfunction

  function automatic context_t zuc_init(context_t c, vec_t t);
    context_t next;
    next = zuc_lfsr_init(zuc_f(c, t));
    next.buffer = c.buffer;
    return next;
  endfunction

  function automatic context_t zuc_work(context_t c, vec_t t);
    return zuc_lfsr_work(zuc_f(c, t));
  endfunction

  // CRC by slicing: every byte of a word to four lanes, and what the register becomes. t: the sum of the look-ups.

  function automatic vec_t crc_addresses(word_t x);
    return {{4{x[31:24]}}, {4{x[23:16]}}, {4{x[15:8]}}, {4{x[7:0]}}};
  endfunction

  function automatic context_t crc(context_t c, vec_t t);
    context_t next;
    next = c;
    next.r1 = word_of(t, 2'd0) ^ word_of(t, 2'd1) ^ word_of(t, 2'd2) ^ word_of(t, 2'd3);
    return next;
  endfunction

  // Load and save: the rows of stream_row_e; row n of the LFSR has words 4n to 4n + 3.

  function automatic vec_t context_save(context_t c, imm_t n);
    vec_t row;
    unique case (stream_row_e'(n))
      StreamRowBuffer: row = c.buffer;
      StreamRowRegisters: row = {c.r1, c.r2, c.r3, 32'd0};
      default: row = {c.s[{n[1:0], 2'd0}], c.s[{n[1:0], 2'd1}], c.s[{n[1:0], 2'd2}], c.s[{n[1:0], 2'd3}]};
    endcase
    return row;
  endfunction

  function automatic context_t context_load(context_t c, vec_t x, imm_t n);
    context_t next;
    next = c;
    unique case (stream_row_e'(n))
      StreamRowBuffer: next.buffer = x;
      StreamRowRegisters: {next.r1, next.r2, next.r3} = x[127:32];
      default: for (int i = 0; i < 4; i++) next.s[{n[1:0], 2'(i)}] = word_of(x, 2'(i));
    endcase
    return next;
  endfunction

  // The part that the retirement record compares: r1, r2, r3, newest word; buffer; XOR of the LFSR's rows.
  typedef struct packed {
    vec_t state;
    vec_t buffer;
    vec_t lfsr;
  } context_digest_t;

  function automatic context_digest_t digest(context_t c);
    return '{
      state: {c.r1, c.r2, c.r3, c.s[15]},
      buffer: c.buffer,
      lfsr: context_save(c, imm_t'(StreamRowLfsr0)) ^ context_save(c, imm_t'(StreamRowLfsr1)) ^
            context_save(c, imm_t'(StreamRowLfsr2)) ^ context_save(c, imm_t'(StreamRowLfsr3))
    };
  endfunction

endpackage
