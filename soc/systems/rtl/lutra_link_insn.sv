// Instructions for a pair of FIFOs (custom-0, by funct3):
//
//   0  put rs1             1  put rs1 with the control bit: both wait for room
//   2  get rd              waits for a word, drops its control bit
//   3  poll rd             bit 0: a word can be got, bit 1: one can be put

module lutra_link_insn
  import lutra_system_pkg::*;
(
  input  insn_request_t  insn_i,
  output insn_response_t insn_o,
  output logic           put_valid_o,
  input  logic           put_ready_i,
  output logic [32:0]    put_o,
  input  logic           get_valid_i,
  output logic           get_ready_o,
  input  logic [32:0]    get_i
);
  logic mine;
  assign mine = insn_i.valid && insn_i.insn[6:0] == OpcodeLink;

  always_comb begin
    insn_o = '{claim: mine, ready: mine, write: 1'b0, rd: get_i[31:0]};
    put_valid_o = 1'b0;
    put_o = {insn_i.insn[12], insn_i.rs1};
    get_ready_o = 1'b0;
    unique case (insn_i.insn[14:12])
      0, 1: begin
        put_valid_o = mine;
        insn_o.ready = mine && put_ready_i;
      end
      2: begin
        get_ready_o = mine;
        insn_o.ready = mine && get_valid_i;
        insn_o.write = 1'b1;
      end
      default: begin
        insn_o.rd = {30'b0, put_ready_i, get_valid_i};
        insn_o.write = 1'b1;
      end
    endcase
  end

  logic unused;
  assign unused = ^{insn_i.rs2, get_i[32]};

endmodule
