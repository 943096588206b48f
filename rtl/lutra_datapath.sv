// The datapath from PERM's operands to WB's result: P0 and L0, then two halves in two stages, or in one stage merged.

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
  output vec_t x1_partner_o,

  output vec_t x1_value_o,   // on the path, before the look-up
  input  vec_t x1_stream_i,  // from the stream unit

  input  logic x1_valid_i,
  input  ctl_t x2_ctl_i,
  input  vec_t x2_c_i,       // the register that a move stores
  output vec_t x2_result_o,  // of X1 where there is no X2
  output vec_t x2_partner_o,

  output vec_t wb_result_o,
  output vec_t wb_partner_o,
  output vec_t wb_store_o,   // what goes to memories and tables

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

  assign t0_en_o = perm_valid_i && perm_ctl_i.t0 != LookupPass;
  assign t0_lookup_o = perm_l0_o;

  // X1: the value on the path and the side operands.
  vec_t x1_x_q, x1_b_q, x1_k0_q, x1_k1_q, x1_d_q;
  always_ff @(posedge clk_i) begin
    x1_x_q <= perm_l0_o;
    x1_b_q <= perm_p;
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
    unique case (x1_ctl_i.l1_z)
      L1ZD: x1_z_half1 = x1_d_q;
      L1ZK1H: x1_z_half1 = {2{x1_k1_q[127:64]}};
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

    vec_t x1_a_q, x2_a_q, x2_b_q, x2_low_q;
    vec_t x2_x_q, x2_k1_q, x2_d_q, wb_result_q, wb_partner_q, wb_stored_q;
    logic wb_moved_q;
    always_ff @(posedge clk_i) begin
      x1_a_q <= perm_x;
      x2_a_q <= x1_a_q;
      x2_b_q <= x1_b_q;
      x2_low_q <= {x1_k0_q[63:0], x1_k1_q[63:0]};
      x2_x_q <= x1_result_o;
      x2_k1_q <= x1_k1_q;
      x2_d_q <= x1_d_q;
      wb_result_q <= x2_result_o;
      wb_partner_q <= x2_partner_o;
      wb_stored_q <= x2_c_i ^ x2_d_q;
      wb_moved_q <= x2_ctl_i.mv == MoveStore;
    end
    assign wb_result_o = wb_result_q;
    assign wb_partner_o = wb_partner_q;
    assign wb_store_o = wb_moved_q ? wb_stored_q : wb_result_q;

    // The partner is made beside the look-up in t1.
    vec_t x2_q, x2_p_out, x2_paired;
    assign x2_q = x2_x_q ^ {2{x2_k1_q[127:64]}};
    assign x2_partner_o = x2_ctl_i.p2 != PairingPass ? x2_p_out : x2_b_q;

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
    lutra_p2 u_p2 (
      .fn_i(x2_ctl_i.p2),
      .x_i(x2_mixed),
      .p_i(x2_q),
      .y_i(x2_ctl_i.p2_y == P2YKL ? x2_low_q : '0),
      .z_i(x2_ctl_i.p2_z == P2ZA ? x2_a_q : '0),
      .x_o(x2_paired),
      .p_o(x2_p_out)
    );
    lutra_l2 u_l2 (
      .fn_i(x2_ctl_i.l2),
      .x_i(x2_paired),
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

    vec_t wb_result_q, wb_partner_q;
    always_ff @(posedge clk_i) begin
      wb_result_q <= x1_result_o;
      wb_partner_q <= x1_partner_o;
    end
    assign x2_result_o = x1_result_o;
    assign x2_partner_o = x1_partner_o;
    assign wb_result_o = wb_result_q;
    assign wb_partner_o = wb_partner_q;
    assign wb_store_o = wb_result_q;  // moves belong to instructions of two rounds
    logic unused;
    assign unused = &{1'b0, x2_c_i};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      one_half: assert (!x1_valid_i || !(x1_ctl_i.half1 && x1_ctl_i.half2)) else $error("both halves in one round");
    end
`endif
  end

endmodule
