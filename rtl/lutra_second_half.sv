// X2 of a core with two rounds per instruction: the registers between the halves, then the blocks from T1 to L2 with
// those next to that chain, and the register of WB.

module lutra_second_half
  import lutra_isa_pkg::*;
  import lutra_functions_pkg::rotate_third;
(
  input  logic clk_i,

  input  ctl_t x1_ctl_i,
  input  vec_t x1_x_i,       // on the path, before the look-up
  input  vec_t x1_result_i,  // of the first half
  input  vec_t x1_b_i,
  input  vec_t x1_k0_i,
  input  vec_t x1_k1_i,
  input  vec_t x1_d_i,

  input  ctl_t x2_ctl_i,
  input  vec_t x2_c_i,
  input  vec_t t1_i,

  output vec_t x2_result_o,
  output vec_t x2_partner_o,
  output vec_t x2_core_o,
  output vec_t x2_side_o,
  output vec_t x2_side_partner_o,
  output vec_t x2_value_o,
  output vec_t x2_moved_o,
  output vec_t x2_row_o,

  output vec_t wb_value_o
);

  // One register for A and B: B is only the partner of what has none of P2. A is found again as what L0 has left, and
  // K0H taken off (isagen/verify.py holds that L0 has added nothing else).
  vec_t x1_ab, x2_ab_q, x2_low_q, x2_x_q, x2_k1_q, x2_d_q, x2_stored, wb_value_q;
  assign x1_ab = x1_ctl_i.p2_z == P2ZA ? x1_x_i ^ {2{x1_k0_i[127:64]}} : x1_b_i;
  always_ff @(posedge clk_i) begin
    x2_ab_q <= x1_ab;
    x2_low_q <= {x1_k0_i[63:0], x1_k1_i[63:0]};
    x2_x_q <= x1_result_i;
    x2_k1_q <= x1_k1_i;
    x2_d_q <= x1_d_i;
    wb_value_q <= x2_stored;
  end
  assign wb_value_o = wb_value_q;
  assign x2_value_o = x2_x_q;
  assign x2_moved_o = x2_c_i ^ x2_d_q;
  assign x2_row_o = x2_d_q;
  assign x2_stored = x2_ctl_i.mv == MoveStore ? x2_moved_o : x2_result_o;

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
  assign x2_third = rotate_third(x2_c_i, imm_t'(x2_ctl_i.n));
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
  assign x2_side_partner_o = x2_ctl_i.p2 != PairingPass ? x2_q : x2_sums ? x2_p_summed : x2_ab_q;

endmodule
