// Vector registers and wk, the bypass, and the choice of sources A and B in PERM.

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
  output vec_t  perm_a_o,
  output vec_t  perm_b_o,
  output vec_t  perm_w_o,    // zero where wk does not enter

  // Results on their way, youngest first; enabled where the result exists at the end of the stage.
  input  logic    x1_en_i,
  input  vector_e x1_rd_i,
  input  vec_t    x1_result_i,
  input  logic    x2_en_i,
  input  vector_e x2_rd_i,
  input  vec_t    x2_result_i,

  input  logic    wb_en_i,
  input  vector_e wb_rd_i,
  input  vec_t    wb_result_i
);

  vec_t [VectorRegs-1:0] v_q;
  vec_t wk_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v_q <= '0;
      wk_q <= '0;
    end else if (wb_en_i) begin
      if (is_general(wb_rd_i)) v_q[wb_rd_i[2:0]] <= wb_result_i;
      if (wb_rd_i == VecWK) wk_q <= wb_result_i;
    end
  end

  function automatic vec_t source(vector_e code);
    vec_t value;
    unique case (code)
      VecCTR, VecCTRINC: value = ctr_i;
      VecWK: value = wk_q;
      VecROW: value = perm_row_i;
      default: value = '0;
    endcase
    if (is_general(code)) begin
      if (x1_en_i && x1_rd_i == code) value = x1_result_i;
      else if (x2_en_i && x2_rd_i == code) value = x2_result_i;
      else if (wb_en_i && wb_rd_i == code) value = wb_result_i;
      else value = v_q[code[2:0]];
    end
    return value;
  endfunction

  assign perm_a_o = perm_ctl_i.src == SrcFromAddress ? vec_t'(perm_as_i) : source(perm_ctl_i.ra);
  assign perm_b_o = source(perm_ctl_i.rb);
  assign perm_w_o = perm_ctl_i.use_w ? wk_q : '0;

endmodule
