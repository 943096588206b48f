// Vector registers, wk and hold, the bypass, the choice of sources A and B in PERM, and the register that a move stores.

module lutra_operands
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
(
  input  logic  clk_i,
  input  logic  rst_ni,

  input  ctl_t  perm_ctl_i,
  input  addr_t perm_as_i,
  input  vec_t  perm_row_i,  // of the data slot
  input  vec_t  ctr_i,
  input  logic  perm_hold_en_i,
  output vec_t  perm_a_o,
  output vec_t  perm_b_o,
  output vec_t  perm_w_o,    // zero where wk does not enter
  output vec_t  perm_hold_o, // what hold becomes

  input  logic [2:0] x2_rc_i,
  output vec_t  x2_c_o,      // from the file: the interlock keeps its producers away

  // Results on their way, youngest first; enabled where the result exists at the end of the stage.
  input  logic    x1_en_i,
  input  vector_e x1_rd_i,
  input  logic    x1_pair_i,     // the partner goes to the odd register after rd
  input  vec_t    x1_result_i,
  input  vec_t    x1_partner_i,
  input  logic    x2_en_i,
  input  vector_e x2_rd_i,
  input  logic    x2_pair_i,
  input  vec_t    x2_result_i,
  input  vec_t    x2_partner_i,

  input  logic    wb_en_i,
  input  vector_e wb_rd_i,
  input  logic    wb_pair_i,
  input  vec_t    wb_result_i,
  input  vec_t    wb_partner_i
);

  vec_t [VectorRegs-1:0] v_q;
  vec_t wk_q, hold_q;

  // Even registers take results only; the choice is for odd ones.
  vec_t wb_odd;
  assign wb_odd = wb_pair_i ? wb_partner_i : wb_result_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v_q <= '0;
      wk_q <= '0;
    end else if (wb_en_i) begin
      for (int r = 0; r < VectorRegs; r++)
        if (writes(wb_rd_i, wb_pair_i, 3'(r))) v_q[r] <= r % 2 == 1 ? wb_odd : wb_result_i;
      if (wb_rd_i == VecWK) wk_q <= wb_result_i;
    end
  end

  assign perm_hold_o = perm_ctl_i.mv == MoveHoldCtr ? ctr_i : perm_row_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= '0;
    else if (perm_hold_en_i) hold_q <= perm_hold_o;
  end

  assign x2_c_o = v_q[x2_rc_i];

  function automatic logic writes(vector_e rd, logic pair, logic [2:0] r);
    return is_general(rd) && (rd[2:0] == r || (pair && rd[2:1] == r[2:1]));
  endfunction

  function automatic vec_t source(vector_e code);
    vec_t value;
    unique case (code)
      VecCTR, VecCTRINC: value = ctr_i;
      VecWK: value = wk_q;
      VecROW: value = perm_row_i;
      VecHOLD: value = hold_q;
      default: value = '0;
    endcase
    if (is_general(code)) begin
      if (x1_en_i && writes(x1_rd_i, x1_pair_i, code[2:0])) value = x1_pair_i && code[0] ? x1_partner_i : x1_result_i;
      else if (x2_en_i && writes(x2_rd_i, x2_pair_i, code[2:0]))
        value = x2_pair_i && code[0] ? x2_partner_i : x2_result_i;
      else if (wb_en_i && writes(wb_rd_i, wb_pair_i, code[2:0])) value = code[0] ? wb_odd : wb_result_i;
      else value = v_q[code[2:0]];
    end
    return value;
  endfunction

  assign perm_a_o = perm_ctl_i.src == SrcFromAddress ? vec_t'(perm_as_i) : source(perm_ctl_i.ra);
  assign perm_b_o = source(perm_ctl_i.rb);
  assign perm_w_o = perm_ctl_i.use_w ? wk_q : '0;

endmodule
