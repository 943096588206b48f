// The datapath from PERM's operands to WB's value: P0 and L0, then two halves in two stages, or in one stage merged.

module lutra_datapath
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_functions_pkg::lanes_carried_out;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2
) (
  input  logic clk_i,

  input  logic  perm_valid_i,
  input  ctl_t  perm_ctl_i,
  input  vec_t  perm_a_i,
  input  vec_t  perm_b_i,
  input  late_t perm_late_i,
  input  vec_t  perm_w_i,
  input  vec_t  perm_k0_i,
  input  vec_t  perm_k1_i,
  input  vec_t  perm_d_i,
  output vec_t  perm_l0_o,   // without what comes late

  input  logic  x1_valid_i,
  input  ctl_t  x1_ctl_i,
  output vec_t  x1_value_o,  // on the path, before the look-up
  input  vec_t  x1_stream_i, // from the stream unit
  input  vec_t  x1_gy_i,     // from the hash unit

  input  ctl_t  x2_ctl_i,
  input  vec_t  x2_c_i,      // the third register: that a move stores, or that enters
  output vec_t  x2_value_o,  // result of the first half
  output vec_t  x2_moved_o,  // value that a move stores
  output vec_t  x2_row_o,

  output forward_t forward_o,
  output vec_t  wb_value_o,  // what goes to memories, tables and the flag

  output logic  t0_en_o,
  output vec_t  t0_lookup_o,
  input  vec_t  t0_i,
  output logic  t1_en_o,
  output vec_t  t1_lookup_o,
  input  vec_t  t1_i
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
  vec_t perm_value, perm_partner, perm_row;
  assign perm_value = perm_l0_o ^ perm_late_i.l0 ^ perm_late_i.l0_last;
  assign perm_partner = perm_p ^ perm_late_i.b ^ perm_late_i.b_last;
  assign perm_row = perm_ctl_i.d.en ? perm_d_i : '0;

  assign t0_en_o = perm_valid_i && perm_ctl_i.t0 != LookupPass;
  assign t0_lookup_o = perm_value;

  // X1: the value on the path and the side operands.
  vec_t x1_x_q, x1_b_q, x1_k0_q, x1_k1_q, x1_d_q;
  always_ff @(posedge clk_i) begin
    x1_x_q <= perm_value;
    x1_b_q <= perm_partner;
    x1_k0_q <= perm_k0_i;
    x1_k1_q <= perm_k1_i;
    x1_d_q <= perm_row;
  end

  assign x1_value_o = x1_x_q;

  vec_t x1_table, x1_y, x1_z, x1_result, x1_fast, x1_partner;
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
    .x_o(x1_result),
    .fast_o(x1_fast)
  );

  // All of K0, or the lanes that a multiplication or division takes.
  logic [VectorBytes-1:0] x1_lanes;
  assign x1_lanes = lanes_carried_out(x1_x_q, imm_t'(x1_ctl_i.n), x1_ctl_i.x1 == CrossbarRightBytes) |
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
  assign x1_partner = x1_b_q;

  vec_t x2_result, x2_partner, x2_core, x2_side, x2_side_partner;
  assign forward_o = '{
    x1_fast: x1_fast,
    x1_partner: x1_partner,
    x2_result: x2_result,
    x2_partner: x2_partner,
    x2_core: x2_core,
    x2_side: x2_side,
    x2_side_partner: x2_side_partner
  };

  if (ROUNDS_PER_INSTR == 2) begin : gen_two_rounds
    assign x1_table = x1_ctl_i.t0 != LookupPass ? t0_i : x1_x_q;
    assign x1_crossbar_fn = x1_ctl_i.x1;
    assign x1_mix_fn = x1_ctl_i.m1;
    assign x1_logic_fn = x1_ctl_i.l1;
    assign x1_y = x1_y_half1;
    assign x1_z = x1_z_half1;

    assign t1_en_o = x1_valid_i && x1_ctl_i.t1 != LookupPass;
    assign t1_lookup_o = x1_result;

    lutra_second_half u_second_half (
      .clk_i,
      .x1_ctl_i,
      .x1_x_i(x1_x_q),
      .x1_result_i(x1_result),
      .x1_b_i(x1_b_q),
      .x1_k0_i(x1_k0_q),
      .x1_k1_i(x1_k1_q),
      .x1_d_i(x1_d_q),
      .x2_ctl_i,
      .x2_c_i,
      .t1_i,
      .x2_result_o(x2_result),
      .x2_partner_o(x2_partner),
      .x2_core_o(x2_core),
      .x2_side_o(x2_side),
      .x2_side_partner_o(x2_side_partner),
      .x2_value_o,
      .x2_moved_o,
      .x2_row_o,
      .wb_value_o
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      fast: assert (!x1_valid_i || x1_ctl_i.x2_ready || x1_fast == x1_result)
        else $error("a result is not ready at the end of X1");
      first_source: assert (!perm_valid_i || perm_ctl_i.p2_z != P2ZA || (perm_ctl_i.l0_y != L0YB && perm_ctl_i.l0_z == L0ZK0H))
        else $error("P2 takes A, and L0 has added other than K0H");
    end
`endif
  end else begin : gen_one_round
    lutra_merged_half u_merged_half (
      .ctl_i(x1_ctl_i),
      .x_i(x1_x_q),
      .k1_i(x1_k1_q),
      .d_i(x1_d_q),
      .c_i(x2_c_i),  // the third register is read in X1 here
      .t0_i,
      .t1_i,
      .half1_y_i(x1_y_half1),
      .half1_z_i(x1_z_half1),
      .table_o(x1_table),
      .crossbar_fn_o(x1_crossbar_fn),
      .mix_fn_o(x1_mix_fn),
      .logic_fn_o(x1_logic_fn),
      .y_o(x1_y),
      .z_o(x1_z)
    );

    assign t1_en_o = perm_valid_i && perm_ctl_i.t1 != LookupPass;
    assign t1_lookup_o = perm_value;

    vec_t wb_value_q;  // moves belong to instructions of two rounds
    always_ff @(posedge clk_i) wb_value_q <= x1_result;
    assign x2_result = x1_result;
    assign x2_partner = x1_partner;
    assign x2_core = x1_result;
    assign x2_side = '0;
    assign x2_side_partner = x1_partner;
    assign x2_value_o = x1_result;
    assign x2_moved_o = '0;
    assign x2_row_o = x1_d_q;
    assign wb_value_o = wb_value_q;
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      one_half: assert (!x1_valid_i || !(x1_ctl_i.half1 && x1_ctl_i.half2)) else $error("both halves in one round");
    end
`endif
  end

endmodule
