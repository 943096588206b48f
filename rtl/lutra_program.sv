// Program memory: the core's fetch while it runs, the host's accesses while it does not.

module lutra_program
  import lutra_isa_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter bit PROTECT = 0
) (
  input  logic  clk_i,

  input  logic  fetch_en_i,
  input  addr_t fetch_pc_i,

  input  logic  host_req_i,
  input  logic  host_we_i,
  input  addr_t host_index_i,
  input  insn_t host_wdata_i,

  output insn_t rdata_o, // the cycle after, held until the next read
  output word_check_t check_o,  // its check bits
  output logic  host_wrong_o,   // what the host has read is not what was stored there
  output logic  host_right_o
);

  localparam int unsigned IndexBits = PROGRAM_WORDS > 1 ? $clog2(PROGRAM_WORDS) : 1;

  // The result of a fetch beyond the last word is never used, and the host never reads such a word.
  addr_t index;
  assign index = host_req_i ? host_index_i : fetch_pc_i;
  logic unused;
  assign unused = &{1'b0, index};

  lutra_sram #(
    .Depth(PROGRAM_WORDS),
    .Width(InsnBits)
  ) u_sram (
    .clk_i,
    .req_i(fetch_en_i || host_req_i),
    .we_i(host_req_i && host_we_i),
    .index_i(IndexBits'(index)),
    .wdata_i(host_wdata_i),
    .rdata_o
  );

  if (PROTECT) begin : gen_check
    lutra_sram #(
      .Depth(PROGRAM_WORDS),
      .Width(WordCheckBits)
    ) u_check (
      .clk_i,
      .req_i(fetch_en_i || host_req_i),
      .we_i(host_req_i && host_we_i),
      .index_i(IndexBits'(index)),
      .wdata_i(word_check(host_wdata_i, addr_t'(IndexBits'(host_index_i)))),
      .rdata_o(check_o)
    );

    logic [IndexBits-1:0] host_index_q;
    always_ff @(posedge clk_i) host_index_q <= IndexBits'(host_index_i);
    lutra_word_check u_host (
      .word_i(rdata_o),
      .pc_i(addr_t'(host_index_q)),
      .check_i(check_o),
      .wrong_o(host_wrong_o),
      .right_o(host_right_o)
    );
  end else begin : gen_no_check
    assign check_o = '0;
    assign host_wrong_o = 1'b0;
    assign host_right_o = 1'b1;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    single_port: assert (!(fetch_en_i && host_req_i)) else $error("program memory accessed twice");
  end
`endif

endmodule
