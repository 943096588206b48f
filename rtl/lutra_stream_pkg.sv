// Contexts of the stream unit, and the parts of the clocks that need no sharing; iss/src/stream.hpp has whole clocks.
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

  localparam int unsigned StreamRows = int'(StreamRowBuffer) + 1;

  // Effect of the instruction in X1 on a context; all zero if it has none.
  typedef struct packed {
    logic snow;     // a clock of SNOW 3G
    logic zuc_f;    // bit reorganisation and F of ZUC
    logic zuc_lfsr; // the LFSR of ZUC
    logic init;     // F or W enters the LFSR
    logic emit;     // a keystream word enters the buffer
    logic crc;
    logic load;     // a row
    logic [StreamRows-1:0] row;  // which one, if any
  } step_t;

  function automatic step_t step_of(stream_fn_e fn, logic clocked, logic loaded, imm_t n);
    step_t step;
    step.snow = HasSnow3g && clocked && fn inside {StreamSnowInit, StreamSnowWork};
    step.zuc_f = HasZuc && clocked && fn inside {StreamZucInit, StreamZucWork, StreamZucF};
    step.zuc_lfsr = HasZuc && clocked && fn inside {StreamZucInit, StreamZucWork, StreamZucLfsrInit, StreamZucLfsrWork};
    step.init = clocked && fn inside {StreamSnowInit, StreamZucInit, StreamZucLfsrInit};
    step.emit = clocked && fn inside {StreamSnowWork, StreamZucWork, StreamZucF};
    step.crc = HasCrc && clocked && fn == StreamCrc;
    step.load = loaded && fn == StreamContextLoad;
    for (int i = 0; i < StreamRows; i++) step.row[i] = step.load && n[2:0] == 3'(i);
    return step;
  endfunction

  // Effect on all contexts. A CRC always uses c0.
  function automatic step_t [StreamContexts-1:0] steps_of(logic valid, ctl_t ctl);
    step_t [StreamContexts-1:0] steps;
    for (int i = 0; i < StreamContexts; i++) begin
      steps[i] = step_of(ctl.st, valid && ctl.c[i], valid && ctl.o == 1'(i), imm_t'(ctl.n));
      if (i != 0) steps[i].crc = 1'b0;
    end
    return steps;
  endfunction

  // SNOW 3G: MixColumn of one word, most significant byte first, with another polynomial (TS 35.216 3.3).
  function automatic word_t snow_mix(word_t x, logic [7:0] polynomial);
    word_t previous, pair, twice;
    previous = {x[7:0], x[31:8]};
    pair = x ^ previous;
    for (int i = 0; i < 4; i++) twice[8*i+:8] = {pair[8*i+:7], 1'b0} ^ (pair[8*i+7] ? polynomial : 8'h00);
    return previous ^ {pair[15:0], pair[31:16]} ^ twice;
  endfunction

  // ZUC: L1 and L2 (TS 35.222 3.4), five rotations with two of the sums in common.
  function automatic word_t zuc_l1(word_t u);
    word_t pair;
    pair = u ^ {u[23:0], u[31:24]};
    return {u[13:0], u[31:14]} ^ {pair[29:0], pair[31:30]} ^ {pair[7:0], pair[31:8]};
  endfunction

  function automatic word_t zuc_l2(word_t v);
    word_t pair;
    pair = v ^ {v[23:0], v[31:24]};
    return {v[1:0], v[31:2]} ^ pair ^ {pair[17:0], pair[31:18]};
  endfunction

  // Sums modulo 2^31 - 1: a carry out of bit 30 has weight 1.
  typedef struct packed {
    logic [30:0] sum;
    logic [30:0] carry;
  } pair31_t;

  function automatic pair31_t compress31(logic [30:0] a, logic [30:0] b, logic [30:0] c);
    logic [30:0] majority;
    majority = (a & b) | ((a ^ b) & c);
    return '{sum: a ^ b ^ c, carry: {majority[29:0], majority[30]}};
  endfunction

  // What the LFSR of ZUC adds up (TS 35.222 3.2), w in initialisation mode, else zero. It comes last.
  function automatic pair31_t zuc_addends(word_t [15:0] s, logic [30:0] w);
    pair31_t p, q, r, t;
    p = compress31({s[15][15:0], s[15][30:16]}, {s[13][13:0], s[13][30:14]}, {s[10][9:0], s[10][30:10]});
    q = compress31({s[4][10:0], s[4][30:11]}, {s[0][22:0], s[0][30:23]}, s[0][30:0]);
    r = compress31(p.sum, p.carry, q.sum);
    t = compress31(r.sum, r.carry, q.carry);
    return compress31(t.sum, t.carry, w);
  endfunction

  // CRC by slicing: the XOR of the table entries for the bytes of a word.
  function automatic word_t crc_fold(vec_t t);
    return word_of(t, 2'd0) ^ word_of(t, 2'd1) ^ word_of(t, 2'd2) ^ word_of(t, 2'd3);
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
