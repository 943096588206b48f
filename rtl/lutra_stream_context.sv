// One context of the stream unit: next values of its registers at the end of X1, its look-up in PERM, and its output.
//
// Every register's next value is an OR of selected ones, so that it is zero where nothing is selected: that clears the
// context, without a reset at its flip-flops.

module lutra_stream_context
  import lutra_isa_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned SHADOW_WORDS = 0
) (
  input  logic clk_i,
  input  logic clear_i,    // nothing is selected then

  input  step_t x1_step_i,
  input  vec_t x1_value_i, // loaded row
  input  vec_t table_i,    // result of the look-up
  input  word_t crc_i,

  input  logic perm_zuc_i,
  input  logic perm_crc_i,
  input  word_t perm_word_i,  // enters the CRC with crc_chained_i
  input  logic crc_chained_i, // r1 too
  output vec_t lookup_o,      // from the state that the instruction in X1 leaves

  input  logic [StreamRows-1:0] show_row_i,  // a row is shown,
  input  logic show_key_i,                   // or the buffer with the word that enters it
  output vec_t x1_shown_o,                   // zero without either
  input  logic used_i,                       // it is clocked, or a row is saved
  output context_t context_o,
  output logic x1_fault_o                    // it is used, and differs from its shadow
);

  // Every second word is kept inverted: what enters a register, and its neighbour's choice, is then one inverting gate.
  localparam context_t Inverted = '{s: {8{32'hffff_ffff, 32'd0}}, buffer: {2{32'd0, 32'hffff_ffff}}, default: '0};
  context_t q, d;
`ifdef SYNTHESIS
  context_t kept_q;
`else
  context_t kept_q = Inverted; // a simulation powers up with zeros in all registers, and so here
`endif
  assign q = kept_q ^ Inverted;

  step_t step;
  assign step = x1_step_i;
  assign context_o = q;

  // F of SNOW 3G, W of ZUC: one sum.
  word_t f_sum, f, key;
  lutra_stream_sum u_f (
    .a_i(step.snow ? q.s[15] : {q.s[15][30:15], q.s[14][15:0]} ^ q.r1),
    .b_i(step.snow ? q.r1 : q.r2),
    .around_i(1'b0),
    .sum_o(f_sum)
  );
  assign f = f_sum ^ q.r2;
  assign key = f_sum ^ (step.snow ? q.r2 ^ q.s[0] : {q.s[2][15:0], q.s[0][30:15]});

  // R1 of SNOW 3G, the LFSR of ZUC: one sum.
  pair31_t addends;
  word_t sum;
  assign addends = zuc_addends(q.s, step.init ? (step.zuc_f ? f_sum[31:1] : q.r3[31:1]) : '0);
  lutra_stream_sum u_next (
    .a_i(step.snow ? q.r2 : {1'b0, addends.sum}),
    .b_i(step.snow ? q.r3 ^ q.s[5] : {1'b0, addends.carry}),
    .around_i(!step.snow),
    .sum_o(sum)
  );

  // The LFSR of SNOW 3G.
  word_t snow_newest;
  assign snow_newest = {q.s[0][23:0], 8'h00} ^ word_of(table_i, 2'd2) ^ q.s[2] ^ {8'h00, q.s[11][31:8]} ^
      word_of(table_i, 2'd3) ^ (step.init ? f : '0);

  function automatic word_t when(logic selected, word_t x);
    return selected ? x : '0;
  endfunction

  logic shift;
  word_t newest;
  logic [StreamRows-1:0] enable;
  logic enable_r1;
  assign shift = step.snow || step.zuc_lfsr;
  assign newest = when(step.snow, snow_newest) | when(step.zuc_lfsr, {1'b0, sum[30:0]});
  always_comb begin
    for (int i = 0; i < 16; i++) d.s[i] = when(step.load, word_of(x1_value_i, 2'(i)));
    for (int i = 0; i < 15; i++) d.s[i] |= when(shift, q.s[i+1]);
    d.s[15] |= newest;
    d.r1 = when(step.load, word_of(x1_value_i, 2'd0)) | when(step.snow, sum) |
        when(step.zuc_f, word_of(table_i, 2'd0)) | when(step.crc, crc_i);
    d.r2 = when(step.load, word_of(x1_value_i, 2'd1)) | when(step.snow, snow_mix(word_of(table_i, 2'd0), 8'h1b)) |
        when(step.zuc_f, word_of(table_i, 2'd1));
    d.r3 = when(step.load, word_of(x1_value_i, 2'd2)) | when(step.snow, snow_mix(word_of(table_i, 2'd1), 8'h69)) |
        when(step.zuc_f, f_sum);
    d.buffer = (step.load ? x1_value_i : '0) | (step.emit ? {q.buffer[95:0], key} : '0);
  end

  assign enable_r1 = enable[StreamRowRegisters] || step.crc;
  always_comb begin
    enable = step.row | {StreamRows{clear_i}};
    enable[StreamRowLfsr3:StreamRowLfsr0] |= {4{shift}};
    enable[StreamRowRegisters] |= step.snow || step.zuc_f;
    enable[StreamRowBuffer] |= step.emit;
  end
  context_t kept_d;
  assign kept_d = d ^ Inverted;
  always_ff @(posedge clk_i) begin
    for (int row = 0; row < 4; row++) if (enable[row]) kept_q.s[4*row+:4] <= kept_d.s[4*row+:4];
    if (enable_r1) kept_q.r1 <= kept_d.r1;
    if (enable[StreamRowRegisters]) {kept_q.r2, kept_q.r3} <= {kept_d.r2, kept_d.r3};
    if (enable[StreamRowBuffer]) kept_q.buffer <= kept_d.buffer;
  end

  if (SHADOW_WORDS != 0) begin : gen_shadow
    localparam int unsigned Rows = (SHADOW_WORDS + 3) / 4;
    logic differs;
    word_t entering;
    if (SHADOW_WORDS < 16) begin : gen_some
      assign entering = when(shift, q.s[SHADOW_WORDS]);
    end else begin : gen_all
      assign entering = newest;
    end
    lutra_stream_shadow #(
      .WORDS(SHADOW_WORDS)
    ) u_shadow (
      .clk_i,
      .inverted_i(Inverted.s[SHADOW_WORDS-1:0]),
      .shift_i(shift),
      .entering_i(entering),
      .load_i(step.load),
      .value_i(x1_value_i),
      .enable_i(enable[Rows-1:0]),
      .s_i(q.s[SHADOW_WORDS-1:0]),
      .differs_o(differs)
    );
    assign x1_fault_o = differs && used_i;
  end else begin : gen_no_shadow
    assign x1_fault_o = 1'b0;
    logic unused;
    assign unused = &{1'b0, used_i};
  end

  // PERM. What X1 leaves: the next value, or where there is none the one that stays.
  function automatic word_t left(word_t next, word_t now, logic changes);
    return changes ? next : now;
  endfunction

  word_t r1, r2;
  assign r1 = left(d.r1, q.r1, enable_r1);
  assign r2 = left(d.r2, q.r2, enable[StreamRowRegisters]);

  // What R1 and R2 of ZUC are looked up with (TS 35.222 3.4). Its sum begins with a look-up or a register, not with
  // the sum of SNOW 3G or of a CRC: hazard `stream_cipher`.
  word_t zuc_r1, w1, w2, u, v;
  assign zuc_r1 = when(step.zuc_f, word_of(table_i, 2'd0)) | when(step.load, word_of(x1_value_i, 2'd0));
  lutra_stream_sum u_w1 (
    .a_i(left(zuc_r1, q.r1, enable_r1)),
    .b_i({16'(left(d.s[11], q.s[11], enable[2])), 16'(left(d.s[9], q.s[9], enable[2]) >> 15)}),
    .around_i(1'b0),
    .sum_o(w1)
  );
  assign w2 = r2 ^ {16'(left(d.s[7], q.s[7], enable[1])), 16'(left(d.s[5], q.s[5], enable[1]) >> 15)};
  assign u = zuc_l1({w1[15:0], w2[31:16]});
  assign v = zuc_l2({w2[15:0], w1[31:16]});

  // SNOW 3G: r1, r2, four times the byte of s0 that leaves, four times that of s11. ZUC: two words. CRC: every byte
  // four times.
  word_t crc_word;
  logic [7:0] s0_first, s11_last;
  assign s0_first = 8'(left(d.s[0], q.s[0], enable[0]) >> 24);
  assign s11_last = 8'(left(d.s[11], q.s[11], enable[2]));
  assign crc_word = perm_word_i ^ when(crc_chained_i, r1);
  assign lookup_o[127:64] = perm_zuc_i ? {u, v} : perm_crc_i ? {{4{crc_word[31:24]}}, {4{crc_word[23:16]}}} : {r1, r2};
  assign lookup_o[63:0] = perm_crc_i ? {{4{crc_word[15:8]}}, {4{crc_word[7:0]}}} : {{4{s0_first}}, {4{s11_last}}};

  // The output: a row, or the buffer after the instruction.
  always_comb begin
    x1_shown_o = '0;
    for (int row = 0; row < StreamRows; row++) if (show_row_i[row]) x1_shown_o |= context_save(q, imm_t'(row));
    if (show_key_i) x1_shown_o |= {q.buffer[95:0], key};
  end

endmodule
