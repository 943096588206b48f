// The datapath from PERM's operands to WB's result: L0, then two halves in two stages, or in one stage merged.

module lutra_datapath
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2
) (
  input  logic clk_i,

  input  logic perm_valid_i,
  input  ctl_t perm_ctl_i,
  input  vec_t perm_a_i,
  input  vec_t perm_b_i,
  input  vec_t perm_w_i,
  input  vec_t perm_k0_i,
  input  vec_t perm_k1_i,
  input  vec_t perm_d_i,
  output vec_t perm_l0_o,

  input  ctl_t x1_ctl_i,
  output vec_t x1_result_o,

  output vec_t x1_value_o,   // on the path, before the look-up
  input  vec_t x1_stream_i,  // from the stream unit

  input  logic x1_valid_i,
  input  ctl_t x2_ctl_i,
  output vec_t x2_result_o,  // of X1 where there is no X2

  output vec_t wb_result_o,

  output logic t0_en_o,
  output vec_t t0_lookup_o,
  input  vec_t t0_i,
  output logic t1_en_o,
  output vec_t t1_lookup_o,
  input  vec_t t1_i
);

  // PERM.
  lutra_l0 u_l0 (
    .fn_i(perm_ctl_i.l0),
    .x_i(perm_a_i),
    .y_i(perm_ctl_i.l0_y == L0YB ? perm_b_i : '0),
    .z_i(perm_ctl_i.l0_z == L0ZW ? perm_w_i : '0),
    .x_o(perm_l0_o)
  );

  assign t0_en_o = perm_valid_i && perm_ctl_i.t0 != LookupPass;
  assign t0_lookup_o = perm_l0_o;

  // X1: the value on the path and the side operands.
  vec_t x1_x_q, x1_b_q, x1_k0_q, x1_k1_q, x1_d_q;
  always_ff @(posedge clk_i) begin
    x1_x_q <= perm_l0_o;
    x1_b_q <= perm_b_i;
    x1_k0_q <= perm_k0_i;
    x1_k1_q <= perm_k1_i;
    x1_d_q <= perm_ctl_i.d.en ? perm_d_i : '0;
  end

  assign x1_value_o = x1_x_q;

  vec_t x1_table, x1_streamed, x1_crossed, x1_mixed, x1_y, x1_z;
  crossbar_fn_e x1_crossbar_fn;
  mix_fn_e x1_mix_fn;
  logic_fn_e x1_logic_fn;

  lutra_x1 u_x1 (
    .fn_i(x1_crossbar_fn),
    .x_i(x1_streamed),
    .y_i(x1_ctl_i.x1_y == X1YB ? x1_b_q : '0),
    .n_i(imm_t'(x1_ctl_i.n)),
    .x_o(x1_crossed)
  );
  lutra_m1 u_m1 (
    .fn_i(x1_mix_fn),
    .x_i(x1_crossed),
    .y_i(x1_ctl_i.m1_y == M1YK0 ? x1_k0_q : '0),
    .n_i(imm_t'(x1_ctl_i.n)),
    .x_o(x1_mixed)
  );
  lutra_l1 u_l1 (
    .fn_i(x1_logic_fn),
    .x_i(x1_mixed),
    .y_i(x1_y),
    .z_i(x1_z),
    .x_o(x1_result_o)
  );

  assign x1_streamed = x1_ctl_i.st != StreamPass ? x1_stream_i : x1_table;

  vec_t x1_y_half1, x1_z_half1;
  always_comb begin
    unique case (x1_ctl_i.l1_y)
      L1YK0: x1_y_half1 = x1_k0_q;
      L1YB: x1_y_half1 = x1_b_q;
      default: x1_y_half1 = '0;
    endcase
    x1_z_half1 = x1_ctl_i.l1_z == L1ZD ? x1_d_q : '0;
  end

  if (ROUNDS_PER_INSTR == 2) begin : gen_two_rounds
    assign x1_table = x1_ctl_i.t0 != LookupPass ? t0_i : x1_x_q;
    assign x1_crossbar_fn = x1_ctl_i.x1;
    assign x1_mix_fn = x1_ctl_i.m1;
    assign x1_logic_fn = x1_ctl_i.l1;
    assign x1_y = x1_y_half1;
    assign x1_z = x1_z_half1;

    assign t1_en_o = x1_valid_i && x1_ctl_i.t1 != LookupPass;
    assign t1_lookup_o = x1_result_o;

    vec_t x2_x_q, x2_k1_q, x2_d_q, wb_result_q;
    always_ff @(posedge clk_i) begin
      x2_x_q <= x1_result_o;
      x2_k1_q <= x1_k1_q;
      x2_d_q <= x1_d_q;
      wb_result_q <= x2_result_o;
    end
    assign wb_result_o = wb_result_q;

    vec_t x2_table, x2_crossed, x2_mixed;
    assign x2_table = x2_ctl_i.t1 != LookupPass ? t1_i : x2_x_q;

    lutra_x2 u_x2 (
      .fn_i(x2_ctl_i.x2),
      .x_i(x2_table),
      .x_o(x2_crossed)
    );
    lutra_m2 u_m2 (
      .fn_i(x2_ctl_i.m2),
      .x_i(x2_crossed),
      .x_o(x2_mixed)
    );
    lutra_l2 u_l2 (
      .fn_i(x2_ctl_i.l2),
      .x_i(x2_mixed),
      .y_i(x2_ctl_i.l2_y == L2YK1 ? x2_k1_q : '0),
      .z_i(x2_ctl_i.l2_z == L2ZD ? x2_d_q : '0),
      .x_o(x2_result_o)
    );
  end else begin : gen_one_round
    // The first half's blocks can do all functions of the second half's; an instruction uses one half, the other's
    // functions are passes.
    logic half2;
    assign half2 = x1_ctl_i.half2;
    always_comb begin
      x1_table = x1_x_q;
      if (x1_ctl_i.t0 != LookupPass) x1_table = t0_i;
      if (x1_ctl_i.t1 != LookupPass) x1_table = t1_i;
    end
    assign x1_crossbar_fn = half2 ? x1_ctl_i.x2 : x1_ctl_i.x1;
    assign x1_mix_fn = half2 ? x1_ctl_i.m2 : x1_ctl_i.m1;
    assign x1_logic_fn = half2 ? x1_ctl_i.l2 : x1_ctl_i.l1;
    assign x1_y = half2 ? (x1_ctl_i.l2_y == L2YK1 ? x1_k1_q : '0) : x1_y_half1;
    assign x1_z = half2 ? (x1_ctl_i.l2_z == L2ZD ? x1_d_q : '0) : x1_z_half1;

    assign t1_en_o = perm_valid_i && perm_ctl_i.t1 != LookupPass;
    assign t1_lookup_o = perm_l0_o;

    vec_t wb_result_q;
    always_ff @(posedge clk_i) wb_result_q <= x1_result_o;
    assign x2_result_o = x1_result_o;
    assign wb_result_o = wb_result_q;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      one_half: assert (!x1_valid_i || !(x1_ctl_i.half1 && x1_ctl_i.half2)) else $error("both halves in one round");
    end
`endif
  end

endmodule
