// From the checks of a protected core to the stop of what is wrong (PROTECT): a check's result goes with its instruction,
// in two registers of opposite polarity, to the stage in which nothing of the instruction is kept any more.
//
// A wrong word or row stops its instruction in X1. What a look-up has found is known in the cycle after it is used, so a
// wrong one stops its instruction in WB: until then it has written vector registers and contexts only.

module lutra_alert
  import lutra_isa_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  localparam int unsigned R = ROUNDS_PER_INSTR - 1,
  localparam int unsigned Wb = StageWB[R]
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [Wb:1] valid_i,
  input  logic alert_i,         // a fault has been found already

  // Wrong, and not right: of the word, of the rows of the slots, of what was looked up, of the control.
  input  logic ag_wrong_i,
  input  logic ag_right_i,
  input  logic mem_wrong_i,
  input  logic mem_right_i,
  input  logic perm_stream_i,   // a look-up of bank 1 by the instruction in PERM, which is used in X1
  input  banks_t table_wrong_i,
  input  banks_t table_right_i,
  input  logic differ_i,
  input  logic same_i,

  output logic x1_wrong_o,      // the instruction in X1
  output logic x1_right_o,
  output logic wb_wrong_o,      // the one in WB
  output logic wb_right_o,
  output logic differ_o,        // all that are not yet in X2
  output logic same_o
);

  localparam int unsigned X1 = StageX1[R];
  localparam bit OneRound = Wb == X1 + 1;

  logic mem_wrong_q, mem_right_q, perm_wrong_q, perm_right_q, x1_wrong_q, x1_right_q, differ_q, same_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {mem_wrong_q, perm_wrong_q, x1_wrong_q, differ_q} <= '0;
      {mem_right_q, perm_right_q, x1_right_q, same_q} <= '1;
    end else begin
      mem_wrong_q <= ag_wrong_i;
      mem_right_q <= ag_right_i;
      perm_wrong_q <= mem_wrong_q || mem_wrong_i;
      perm_right_q <= mem_right_q && mem_right_i;
      x1_wrong_q <= perm_wrong_q;
      x1_right_q <= perm_right_q;
      differ_q <= differ_i;
      same_q <= same_i;
    end
  end
  assign x1_wrong_o = valid_i[X1] && x1_wrong_q;
  assign x1_right_o = !valid_i[X1] || x1_right_q;
  assign differ_o = differ_q && !alert_i;
  assign same_o = same_q || alert_i;

  // Look-ups in X1 and, with two rounds, in X2.
  logic x1_stream_q, x1_path_q, x1_wrong, x1_right, x2_wrong, x2_right, wb_wrong_q, wb_right_q;
  always_ff @(posedge clk_i) begin
    x1_stream_q <= perm_stream_i;
    x1_path_q <= !perm_stream_i;
  end
  assign x1_wrong = table_wrong_i[0] || (table_wrong_i[1] && (OneRound || x1_stream_q));
  assign x1_right = table_right_i[0] && (table_right_i[1] || (!OneRound && x1_path_q));
  if (OneRound) begin : gen_one_round
    assign {x2_wrong, x2_right} = {x1_wrong, x1_right};
  end else begin : gen_two_rounds
    logic x2_wrong_q, x2_right_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        x2_wrong_q <= 1'b0;
        x2_right_q <= 1'b1;
      end else begin
        x2_wrong_q <= x1_wrong;
        x2_right_q <= x1_right;
      end
    end
    assign x2_wrong = x2_wrong_q || (table_wrong_i[1] && !x1_stream_q);
    assign x2_right = x2_right_q && (table_right_i[1] || !x1_path_q);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wb_wrong_q <= 1'b0;
      wb_right_q <= 1'b1;
    end else begin
      wb_wrong_q <= x2_wrong;
      wb_right_q <= x2_right;
    end
  end
  assign wb_wrong_o = valid_i[Wb] && wb_wrong_q;
  assign wb_right_o = !valid_i[Wb] || wb_right_q;

endmodule
