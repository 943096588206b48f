// Vector registers, wk and hold; the choice of sources A and B in MEM; the results that are forwarded to them.
//
// A result reaches a later instruction in three ways, chosen a stage early: from the registers; in MEM from X1 or X2,
// into the operand register; in PERM from X1 or X2, XORed to what the operand register of zeros has become (late).

module lutra_operands
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  localparam int unsigned R = ROUNDS_PER_INSTR - 1,
  localparam int unsigned X2 = StageX2[R]
) (
  input  logic  clk_i,
  input  logic  rst_ni,

  input  logic [X2:1] valid_i,  // by stage
  input  issued_t [X2:1] issued_i,

  // MEM.
  input  vec_t  mem_row_i,      // of the data slot
  input  vec_t  ctr_i,
  output vec_t  mem_hold_o,     // what hold becomes

  // PERM.
  output vec_t  perm_a_o,
  output vec_t  perm_b_o,
  output late_t perm_late_o,
  output vec_t  perm_w_o,       // zero where wk does not enter

  output vec_t  x2_c_o,         // the third register: that a move stores, or that enters in X2

  input  forward_t forward_i
);

  localparam int unsigned Ag = StageAG[R];
  localparam int unsigned Mem = StageMEM[R];
  localparam int unsigned Perm = StagePERM[R];
  localparam int unsigned X1 = StageX1[R];
  localparam bit OneRound = X1 == X2;

  ctl_t mem_ctl, perm_ctl, x2_ctl;
  assign mem_ctl = issued_i[Mem].ctl;
  assign perm_ctl = issued_i[Perm].ctl;
  assign x2_ctl = issued_i[X2].ctl;

  // ------------------------------------------------------------------ registers
  vec_t [VectorRegs-1:0] v_q;
  vec_t wk_q, hold_q;

  function automatic logic writes(vector_e rd, logic pair, logic [2:0] r);
    return is_general(rd) && (rd[2:0] == r || (pair && rd[2:1] == r[2:1]));
  endfunction

  // Even registers take results only; the choice is for odd ones.
  logic [VectorRegs-1:0] v_en;
  vec_t [1:0] x2_written;  // by the lowest bit of the register
  assign x2_written[0] = forward_i.x2_result;
  assign x2_written[1] = x2_ctl.pair ? forward_i.x2_partner : forward_i.x2_result;
  for (genvar r = 0; r < VectorRegs; r++) begin : gen_v_en
    assign v_en[r] = writes(x2_ctl.rd, x2_ctl.pair, 3'(r));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      v_q <= '0;
      wk_q <= '0;
    end else if (valid_i[X2]) begin
      for (int r = 0; r < VectorRegs; r++) if (v_en[r]) v_q[r] <= x2_written[r%2];
      if (x2_ctl.rd == VecWK) wk_q <= forward_i.x2_result;
    end
  end

  assign mem_hold_o = mem_ctl.mv == MoveHoldCtr ? ctr_i : mem_row_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= '0;
    else if (valid_i[Mem] && mem_ctl.mv inside {MoveHoldRow, MoveHoldCtr}) hold_q <= mem_hold_o;
  end

  assign perm_w_o = perm_ctl.use_w ? wk_q : '0;

  // ------------------------------------------------------------------- sources
  // The instruction that a source comes from, or none: one-hot, found in AG, so that MEM and PERM need only AND and OR.
  typedef struct packed {
    logic x1_result;
    logic x1_partner;  // the second of two results
    logic x2_result;
    logic x2_partner;
  } from_t;
  typedef struct packed {
    logic [VectorRegs-1:0] general;
    logic ctr;
    logic wk;
    logic row;
    logic hold;
    from_t forward;
  } early_t;
  typedef struct packed {
    early_t early;  // in MEM
    from_t late;    // forwarded in PERM
  } source_t;

  function automatic from_t from_x1(logic partner);
    return '{x1_result: !partner, x1_partner: partner, x2_result: 1'b0, x2_partner: 1'b0};
  endfunction
  function automatic from_t from_x2(logic partner);
    return '{x1_result: 1'b0, x1_partner: 1'b0, x2_result: !partner, x2_partner: partner};
  endfunction

  // Where the instruction in AG will find a source: of the instructions before it the youngest one that writes the
  // register, which is a stage further when AG's is in MEM. The interlock keeps away whatever is not ready.
  function automatic source_t find(vector_e code);
    source_t f;
    logic partner_in_mem, partner_in_perm, partner_in_x1;  // the second result of the instruction there
    partner_in_mem = issued_i[Mem].ctl.pair && code[0];
    partner_in_perm = issued_i[Perm].ctl.pair && code[0];
    partner_in_x1 = issued_i[X1].ctl.pair && code[0];
    f = '0;
    f.early.ctr = code inside {VecCTR, VecCTRINC};
    f.early.wk = code == VecWK;
    f.early.row = code == VecROW;
    f.early.hold = code == VecHOLD;
    if (is_general(code)) begin
      if (valid_i[Mem] && writes(issued_i[Mem].ctl.rd, issued_i[Mem].ctl.pair, code[2:0])) begin
        f.late = OneRound ? from_x2(partner_in_mem) : from_x1(partner_in_mem);
      end else if (valid_i[Perm] && writes(issued_i[Perm].ctl.rd, issued_i[Perm].ctl.pair, code[2:0])) begin
        if (OneRound) f.early.forward = from_x2(partner_in_perm);
        else if (issued_i[Perm].ctl.x2_ready) f.late = from_x2(partner_in_perm);
        else f.early.forward = from_x1(partner_in_perm);
      end else if (!OneRound && valid_i[X1] && writes(issued_i[X1].ctl.rd, issued_i[X1].ctl.pair, code[2:0])) begin
        f.early.forward = from_x2(partner_in_x1);
      end else begin
        f.early.general[code[2:0]] = 1'b1;
      end
    end
    return f;
  endfunction

  // If A and B name the same late result it cancels in L0, so both share one XOR.
  source_t mem_a_from_q, mem_a_from_d, mem_b_from_q, mem_b_from_d;
  from_t perm_a_from_q, perm_b_from_q;
  logic perm_b_in_l0_q, perm_b_in_l0_d, perm_l0_last_q, perm_l0_last_d;
  assign mem_a_from_d = find(issued_i[Ag].ctl.ra);
  assign mem_b_from_d = find(issued_i[Ag].ctl.rb);
  assign perm_b_in_l0_d = mem_ctl.l0_y == L0YB;
  assign perm_l0_last_d = mem_a_from_q.late.x2_result ^ (perm_b_in_l0_d && mem_b_from_q.late.x2_result);
  always_ff @(posedge clk_i) begin
    mem_a_from_q <= mem_a_from_d;
    mem_b_from_q <= mem_b_from_d;
    perm_a_from_q <= mem_a_from_q.late;
    perm_b_from_q <= mem_b_from_q.late;
    perm_b_in_l0_q <= perm_b_in_l0_d;
    perm_l0_last_q <= perm_l0_last_d;
  end

  // ------------------------------------------------------------------------ MEM
  function automatic vec_t when(logic selected, vec_t x);
    return {VectorBits{selected}} & x;
  endfunction

  function automatic vec_t general(logic [VectorRegs-1:0] selected);
    vec_t value;
    value = '0;
    for (int r = 0; r < VectorRegs; r++) value |= when(selected[r], v_q[r]);
    return value;
  endfunction

  function automatic vec_t source(early_t from);
    return general(from.general) | when(from.ctr, ctr_i) | when(from.wk, wk_q) | when(from.row, mem_row_i) |
        when(from.hold, hold_q) | when(from.forward.x1_result, forward_i.x1_fast) |
        when(from.forward.x1_partner, forward_i.x1_partner) | when(from.forward.x2_result, forward_i.x2_result) |
        when(from.forward.x2_partner, forward_i.x2_partner);
  endfunction

  // An address register goes where no source is.
  vec_t perm_a_q, perm_a_d, perm_b_q, perm_b_d;
  assign perm_a_d = source(mem_a_from_q.early) | vec_t'(issued_i[Mem].as_value);
  assign perm_b_d = source(mem_b_from_q.early);
  always_ff @(posedge clk_i) begin
    perm_a_q <= perm_a_d;
    perm_b_q <= perm_b_d;
  end

  // ----------------------------------------------------------------------- PERM
  function automatic vec_t late(from_t from);
    return when(from.x1_result, forward_i.x1_fast) | when(from.x1_partner, forward_i.x1_partner) |
        when(from.x2_partner, forward_i.x2_side_partner) | when(from.x2_result, forward_i.x2_side);
  endfunction

  assign perm_a_o = perm_a_q;
  assign perm_b_o = perm_b_q;
  vec_t perm_b_late;
  assign perm_b_late = late(perm_b_from_q);
  assign perm_late_o = '{
    l0: late(perm_a_from_q) ^ when(perm_b_in_l0_q, perm_b_late),
    l0_last: when(perm_l0_last_q, forward_i.x2_core),
    b: perm_b_late,
    b_last: when(perm_b_from_q.x2_result, forward_i.x2_core)
  };

  // ------------------------------------------------------------------------- X2
  logic [VectorRegs-1:0] x2_third_q, x2_third_d;
  assign x2_third_d = VectorRegs'(1) << issued_i[X2-1].ctl.rc;
  always_ff @(posedge clk_i) x2_third_q <= x2_third_d;
  assign x2_c_o = general(x2_third_q);

endmodule
