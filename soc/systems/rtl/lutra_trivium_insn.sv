// S4: Trivium as instructions of the host (custom-1, by funct3):
//
//   0  load rs1, rs2       word rs2 of the state = rs1
//   1  advance rd          64 steps, without waiting for a memory; rd = the first 32 bits of keystream
//   2  second rd           the other 32 bits of the last advance
//   3  store rd, rs1       128 steps; their keystream to the 16 bytes of RAM at rs1; rd = rs1 + 16
//   4  add rd, rs1, rs2    128 steps; the 16 bytes of RAM at rs1, with the keystream added, to rs2; rd = rs1 + 16
//
// RAM is written by a port of 16 bytes; `store` takes two cycles, `add` three.

module lutra_trivium_insn
  import lutra_system_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  insn_request_t  insn_i,
  output insn_response_t insn_o,
  output wide_request_t  wide_o,
  input  logic [127:0]   wide_i
);
  typedef enum logic [2:0] {Load, Advance, Second, Store, Add} function_e;
  logic mine;
  function_e funct;
  assign mine = insn_i.valid && insn_i.insn[6:0] == OpcodeTrivium;
  assign funct = function_e'(insn_i.insn[14:12]);

  logic [31:0] next;
  assign next = insn_i.rs1 + 32'd16;

  logic [1:0] step_q, step_d;
  logic load, advance;
  logic [63:0] keystream, last_q;
  lutra_trivium u_trivium (
    .clk_i, .load_i(load), .index_i(insn_i.rs2[3:0]), .data_i(insn_i.rs1), .advance_i(advance), .keystream_o(keystream)
  );

  // The byte at the lowest address first.
  logic [127:0] row, text_q;
  assign row = {swapped(last_q[31:0]), swapped(last_q[63:32]), swapped(keystream[31:0]), swapped(keystream[63:32])};

  always_comb begin
    insn_o = '{claim: mine, ready: mine, write: 1'b0, rd: keystream[31:0]};
    wide_o = '{req: 1'b0, we: 1'b1, addr: insn_i.rs1, wdata: row};
    load = 1'b0;
    advance = 1'b0;
    step_d = '0;
    unique case (funct)
      Load: load = mine;
      Advance: begin
        advance = mine;
        insn_o.write = 1'b1;
      end
      Second: begin
        insn_o.rd = last_q[63:32];
        insn_o.write = 1'b1;
      end
      Store: begin
        advance = mine;
        insn_o.rd = next;
        insn_o.write = 1'b1;
        wide_o.req = mine && step_q == 2'd1;
        insn_o.ready = wide_o.req;
        step_d = mine && !insn_o.ready ? step_q + 1'b1 : '0;
      end
      Add: begin
        advance = mine && step_q != 2'd0;
        insn_o.rd = next;
        insn_o.write = 1'b1;
        wide_o.req = mine && step_q != 2'd1;
        wide_o.we = step_q == 2'd2;
        wide_o.wdata = row ^ text_q;
        if (step_q == 2'd2) wide_o.addr = insn_i.rs2;
        insn_o.ready = mine && step_q == 2'd2;
        step_d = mine && !insn_o.ready ? step_q + 1'b1 : '0;
      end
      default: insn_o = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_q <= '0;
    else step_q <= step_d;
  end
  always_ff @(posedge clk_i) begin
    if (advance) last_q <= keystream;
    if (step_q == 2'd1) text_q <= wide_i;
  end

endmodule
