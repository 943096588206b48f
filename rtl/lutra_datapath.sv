// The datapath from PERM's operands to WB's value: P0 and L0, then two halves in two stages, or in one stage merged.

module lutra_datapath
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_functions_pkg::turned, lutra_functions_pkg::going;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2
) (
  input  logic clk_i,

  input  logic perm_valid_i,
  input  ctl_t perm_ctl_i,
  input  vec_t perm_a_i,
  input  vec_t perm_b_i,
  input  vec_t perm_l0_late_i,  // late results to XOR onto the value after L0, and onto B
  input  vec_t perm_l0_last_i,
  input  vec_t perm_b_late_i,
  input  vec_t perm_b_last_i,
  input  vec_t perm_w_i,
  input  vec_t perm_k0_i,
  input  vec_t perm_k1_i,
  input  vec_t perm_d_i,
  output vec_t perm_l0_o,       // without what comes late

  input  ctl_t x1_ctl_i,
  output vec_t x1_result_o,
  output vec_t x1_fast_o,    // of an instruction that is ready at the end of X1
  output vec_t x1_partner_o,

  output vec_t x1_value_o,   // on the path, before the look-up
  input  vec_t x1_stream_i,  // from the stream unit

  input  logic x1_valid_i,
  input  ctl_t x2_ctl_i,
  input  vec_t x2_c_i,       // the third register: that a move stores, or that enters
  output vec_t x2_result_o,  // of X1 if there is no X2
  output vec_t x2_core_o,    // the result is core ^ side
  output vec_t x2_side_o,
  output vec_t x2_side_p_o,  // the partner
  output vec_t x2_partner_o,

  // The hash unit.
  input  vec_t x1_gy_i,
  output vec_t x2_value_o,   // result of the first half
  output vec_t x2_moved_o,   // value that a move stores
  output vec_t x2_row_o,

  output vec_t wb_value_o,   // what goes to memories, tables and the flag

  output logic t0_en_o,
  output vec_t t0_lookup_o,
  input  vec_t t0_i,
  output logic t1_en_o,
  output vec_t t1_lookup_o,
  input  vec_t t1_i
);

  // PERM.
  vec_t perm_x, perm_p, perm_low, perm_z;
  assign perm_low = {perm_k0_i[63:0], perm_k1_i[63:0]};
  lutra_p0 u_p0 (
    .fn_i(perm_ctl_i.p0),
    .x_i(perm_a_i),
    .p_i(perm_b_i),
    .y_i(perm_ctl_i.p0_y == P0YKL ? perm_low : perm_ctl_i.p0_y == P0YW ? perm_w_i : '0),
    .z_i('0),
    .x_o(perm_x),
    .p_o(perm_p)
  );
  always_comb begin
    unique case (perm_ctl_i.l0_z)
      L0ZW: perm_z = perm_w_i;
      L0ZK0H: perm_z = {2{perm_k0_i[127:64]}};
      L0ZK1H: perm_z = {2{perm_k1_i[127:64]}};
      default: perm_z = '0;
    endcase
  end
  lutra_l0 u_l0 (
    .fn_i(perm_ctl_i.l0),
    .x_i(perm_x),
    .y_i(perm_ctl_i.l0_y == L0YB ? perm_p : '0),
    .z_i(perm_z),
    .x_o(perm_l0_o)
  );

  // The generator holds that a late source goes through nothing but XOR on its way here (isagen/verify.py).
  vec_t perm_value;
  assign perm_value = perm_l0_o ^ perm_l0_late_i ^ perm_l0_last_i;

  assign t0_en_o = perm_valid_i && perm_ctl_i.t0 != LookupPass;
  assign t0_lookup_o = perm_value;

  // X1: the value on the path and the side operands.
  vec_t x1_x_q, x1_b_q, x1_k0_q, x1_k1_q, x1_d_q;
  always_ff @(posedge clk_i) begin
    x1_x_q <= perm_value;
    x1_b_q <= perm_p ^ perm_b_late_i ^ perm_b_last_i;
    x1_k0_q <= perm_k0_i;
    x1_k1_q <= perm_k1_i;
    x1_d_q <= perm_ctl_i.d.en ? perm_d_i : '0;
  end

  assign x1_value_o = x1_x_q;

  vec_t x1_table, x1_y, x1_z;
  crossbar_fn_e x1_crossbar_fn;
  mix_fn_e x1_mix_fn;
  logic_fn_e x1_logic_fn;

  lutra_first_half u_first_half (
    .st_fn_i(x1_ctl_i.st),
    .x1_fn_i(x1_crossbar_fn),
    .m1_fn_i(x1_mix_fn),
    .l1_fn_i(x1_logic_fn),
    .x_i(x1_x_q),
    .looked_up_i(x1_table),
    .streamed_i(x1_stream_i),
    .x1_y_i(x1_ctl_i.x1_y == X1YB ? x1_b_q : '0),
    .l1_y_i(x1_y),
    .l1_z_i(x1_z),
    .n_i(imm_t'(x1_ctl_i.n)),
    .x_o(x1_result_o),
    .fast_o(x1_fast_o)
  );

  // All of K0, or the lanes that a multiplication or division takes.
  logic [VectorBytes-1:0] x1_lanes;
  assign x1_lanes = going(x1_x_q, imm_t'(x1_ctl_i.n), x1_ctl_i.x1 == CrossbarRightBytes) |
      {VectorBytes{x1_ctl_i.l1_y == L1YK0}};
  vec_t x1_k0_lanes;
  always_comb for (int i = 0; i < VectorBytes; i++) x1_k0_lanes[8*(15-i)+:8] = {8{x1_lanes[i]}} & x1_k0_q[8*(15-i)+:8];

  vec_t x1_y_half1, x1_z_half1;
  always_comb begin
    unique case (x1_ctl_i.l1_y)
      L1YK0, L1YK0G: x1_y_half1 = x1_k0_lanes;
      L1YB: x1_y_half1 = x1_b_q;
      default: x1_y_half1 = '0;
    endcase
    unique case (x1_ctl_i.l1_z)
      L1ZD: x1_z_half1 = x1_d_q;
      L1ZK1H: x1_z_half1 = {2{x1_k1_q[127:64]}};
      L1ZGY: x1_z_half1 = x1_gy_i;
      default: x1_z_half1 = '0;
    endcase
  end
  assign x1_partner_o = x1_b_q;

  if (ROUNDS_PER_INSTR == 2) begin : gen_two_rounds
    assign x1_table = x1_ctl_i.t0 != LookupPass ? t0_i : x1_x_q;
    assign x1_crossbar_fn = x1_ctl_i.x1;
    assign x1_mix_fn = x1_ctl_i.m1;
    assign x1_logic_fn = x1_ctl_i.l1;
    assign x1_y = x1_y_half1;
    assign x1_z = x1_z_half1;

    assign t1_en_o = x1_valid_i && x1_ctl_i.t1 != LookupPass;
    assign t1_lookup_o = x1_result_o;

    // One register for A and B: B is only the partner of what has none of P2. A is found again as what L0 has left, and
    // K0H taken off (isagen/verify.py holds that L0 has added nothing else).
    vec_t x2_ab_q, x2_low_q;
    vec_t x2_x_q, x2_k1_q, x2_d_q, wb_value_q;
    always_ff @(posedge clk_i) begin
      x2_ab_q <= x1_ctl_i.p2_z == P2ZA ? x1_x_q ^ {2{x1_k0_q[127:64]}} : x1_b_q;
      x2_low_q <= {x1_k0_q[63:0], x1_k1_q[63:0]};
      x2_x_q <= x1_result_o;
      x2_k1_q <= x1_k1_q;
      x2_d_q <= x1_d_q;
      wb_value_q <= x2_ctl_i.mv == MoveStore ? x2_moved_o : x2_result_o;
    end
    assign wb_value_o = wb_value_q;
    assign x2_value_o = x2_x_q;
    assign x2_moved_o = x2_c_i ^ x2_d_q;
    assign x2_row_o = x2_d_q;

    logic x2_sums, x2_folds;
    vec_t x2_table, x2_crossed, x2_mixed;
    assign x2_sums = x2_ctl_i.a2 != PairingPass;
    assign x2_folds = x2_ctl_i.f2 != MixPass;
    assign x2_table = x2_ctl_i.t1 != LookupPass ? t1_i & {VectorBits{!x2_folds}} : x2_x_q & {VectorBits{!x2_sums}};

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

    // The output of P2 and L2 for a zero is ready early and is XORed on last, since they are linear. But a join takes
    // halves of what it gets; the interlock keeps it from being forwarded to the end of PERM.
    logic x2_joins;
    vec_t x2_q, x2_a, x2_p_out, x2_paired, x2_third, x2_summed, x2_p_summed, x2_folded, x2_added;
    assign x2_joins = x2_ctl_i.p2 == PairingPairJoin;
    assign x2_q = x2_x_q ^ {2{x2_k1_q[127:64]}};
    assign x2_a = x2_ctl_i.p2_z == P2ZA ? x2_ab_q : '0;
    lutra_p2 u_p2 (
      .fn_i(x2_ctl_i.p2),
      .x_i(x2_mixed),
      .p_i(x2_q),
      .y_i(x2_ctl_i.p2_y == P2YKL ? x2_low_q : '0),
      .z_i(x2_joins ? x2_a : '0),
      .x_o(x2_paired),
      .p_o(x2_p_out)
    );
    lutra_l2 u_l2 (
      .fn_i(x2_ctl_i.l2),
      .x_i(x2_joins ? '0 : x2_a),
      .y_i(x2_ctl_i.l2_y == L2YK1 ? x2_k1_q : '0),
      .z_i(x2_ctl_i.l2_z == L2ZD ? x2_d_q : x2_ctl_i.l2_z == L2ZC ? x2_third : '0),
      .x_o(x2_added)
    );

    // What F2 and A2 do begins at the look-up and at the half's register, and is XORed on at the end; there is nothing
    // else on the path then.
    assign x2_third = turned(x2_c_i, imm_t'(x2_ctl_i.n));
    lutra_a2 u_a2 (
      .fn_i(x2_ctl_i.a2),
      .x_i(x2_x_q),
      .p_i(x2_x_q),
      .y_i(x2_ctl_i.a2_y == A2YC ? x2_third : '0),
      .z_i(x2_ab_q),
      .n_i(imm_t'(x2_ctl_i.n)),
      .x_o(x2_summed),
      .p_o(x2_p_summed)
    );
    lutra_f2 u_f2 (
      .fn_i(x2_ctl_i.f2),
      .x_i(t1_i),
      .x_o(x2_folded)
    );
    assign x2_side_o = x2_added ^ (({VectorBits{x2_sums}} & x2_summed) | ({VectorBits{x2_folds}} & x2_folded));
    assign x2_result_o = x2_paired ^ x2_side_o;
    assign x2_partner_o = x2_ctl_i.p2 != PairingPass ? x2_p_out : x2_sums ? x2_p_summed : x2_ab_q;
    assign x2_core_o = x2_mixed;
    assign x2_side_p_o = x2_ctl_i.p2 != PairingPass ? x2_q : x2_sums ? x2_p_summed : x2_ab_q;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      fast: assert (!x1_valid_i || x1_ctl_i.x2_ready || x1_fast_o == x1_result_o)
        else $error("a result is not ready at the end of X1");
      first_source: assert (!perm_valid_i || perm_ctl_i.p2_z != P2ZA || (perm_ctl_i.l0_y != L0YB && perm_ctl_i.l0_z == L0ZK0H))
        else $error("P2 takes A, and L0 has added other than K0H");
    end
`endif
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
    vec_t x1_third;  // here the third register is read in X1
    assign x1_third = turned(x2_c_i, imm_t'(x1_ctl_i.n));
    assign x1_z = !half2 ? x1_z_half1 : x1_ctl_i.l2_z == L2ZD ? x1_d_q : x1_ctl_i.l2_z == L2ZC ? x1_third : '0;

    assign t1_en_o = perm_valid_i && perm_ctl_i.t1 != LookupPass;
    assign t1_lookup_o = perm_value;

    vec_t wb_value_q;  // moves belong to instructions of two rounds
    always_ff @(posedge clk_i) wb_value_q <= x1_result_o;
    assign x2_result_o = x1_result_o;
    assign x2_core_o = x1_result_o;
    assign x2_side_o = '0;
    assign x2_side_p_o = x1_partner_o;
    assign x2_value_o = x1_result_o;
    assign x2_moved_o = '0;
    assign x2_row_o = x1_d_q;
    assign x2_partner_o = x1_partner_o;
    assign wb_value_o = wb_value_q;
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      one_half: assert (!x1_valid_i || !(x1_ctl_i.half1 && x1_ctl_i.half2)) else $error("both halves in one round");
    end
`endif
  end

endmodule
