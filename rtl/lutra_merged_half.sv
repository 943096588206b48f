// X1 of a core with one round per instruction: the inputs of the first half's blocks, which can do all functions of the
// second half's. An instruction uses one half; the other's functions are passes.

module lutra_merged_half
  import lutra_isa_pkg::*;
  import lutra_functions_pkg::rotate_third;
(
  input  ctl_t ctl_i,
  input  vec_t x_i,  // on the path, before the look-up
  input  vec_t k1_i,
  input  vec_t d_i,
  input  vec_t c_i,  // the third register
  input  vec_t t0_i,
  input  vec_t t1_i,

  input  vec_t half1_y_i,  // what enters L1
  input  vec_t half1_z_i,

  output vec_t table_o,
  output crossbar_fn_e crossbar_fn_o,
  output mix_fn_e mix_fn_o,
  output logic_fn_e logic_fn_o,
  output vec_t y_o,
  output vec_t z_o
);

  logic half2;
  assign half2 = ctl_i.half2;
  always_comb begin
    table_o = x_i;
    if (ctl_i.t0 != LookupPass) table_o = t0_i;
    if (ctl_i.t1 != LookupPass) table_o = t1_i;
  end
  assign crossbar_fn_o = half2 ? ctl_i.x2 : ctl_i.x1;
  assign mix_fn_o = half2 ? ctl_i.m2 : ctl_i.m1;
  assign logic_fn_o = half2 ? ctl_i.l2 : ctl_i.l1;
  assign y_o = half2 ? (ctl_i.l2_y == L2YK1 ? k1_i : '0) : half1_y_i;
  vec_t third;
  assign third = rotate_third(c_i, imm_t'(ctl_i.n));
  assign z_o = !half2 ? half1_z_i : ctl_i.l2_z == L2ZD ? d_i : ctl_i.l2_z == L2ZC ? third : '0;

endmodule
