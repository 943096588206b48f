// The host's port: grants an access when the memory is free for it, and returns what was read in the cycle after.
// What it may not see reads zero, and what it may not change stays: a bus that waited for either would hang.

module lutra_host
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter int unsigned KEY_ROWS = 0,  // of m0, from the first on: written and never read
  parameter bit PROTECT = 0
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   data_rst_ni,

  input  logic   req_i,
  input  logic   we_i,
  input  space_e space_i,
  input  addr_t  row_i,
  output logic   gnt_o,
  output logic   rvalid_o,
  output vec_t   rdata_o,

  input  logic       running_i,
  input  logic       wiping_i,      // every access waits
  input  logic       locked_i,      // none reaches a memory,
  input  logic       closed_i,      // or but the program memory
  input  blocks_t    block_used_i,  // by the core, in this cycle

  output blocks_t    memory_req_o,
  output banks_t     table_req_o,
  output logic       program_req_o,

  input  vec_t [MemoryBlocks-1:0] memory_rdata_i,
  input  vec_t [TableBanks-1:0] table_rdata_i,
  input  insn_t      program_rdata_i,

  // Whether what comes is what was stored, in two ways; nothing else is shown.
  input  blocks_t    memory_wrong_i,
  input  blocks_t    memory_right_i,
  input  banks_t     table_wrong_i,
  input  banks_t     table_right_i,
  input  logic       program_wrong_i,
  input  logic       program_right_i,
  output logic       wrong_o,
  output logic       right_o
);

  // The core has precedence: it never waits for the host.
  logic is_memory;
  assign is_memory = blocks_of(space_i) != '0;
  assign gnt_o = req_i && !wiping_i && (is_memory ? (blocks_of(space_i) & block_used_i) == '0 : !running_i);

  logic [31:0] depth;
  logic access;
  always_comb begin
    depth = MEMORY_ROWS;
    if (!is_memory) depth = space_i == SpaceProgram ? PROGRAM_WORDS : TableRows;
  end
  assign access = gnt_o && !locked_i && !(closed_i && space_i != SpaceProgram) && 32'(row_i) < depth;
  // Both banks at once can be written only.
  assign memory_req_o = access ? blocks_of(space_i) : '0;
  assign table_req_o = access && (we_i || space_i != SpaceBankBoth) ? banks_of(space_i) : '0;
  assign program_req_o = access && space_i == SpaceProgram;

  // Which memory was read, one-hot; none where the access was a write or beyond the last row.
  logic rvalid_q, rvalid_d, program_q, program_d;
  blocks_t blocks_q, blocks_d;
  banks_t banks_q, banks_d;
  logic key_row;
  assign key_row = KEY_ROWS != 0 && space_i == SpaceMem0 && 32'(row_i) < KEY_ROWS;
  assign rvalid_d = gnt_o && !we_i;
  assign blocks_d = we_i || key_row ? '0 : memory_req_o;
  assign banks_d = we_i ? '0 : table_req_o;
  assign program_d = program_req_o && !we_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rvalid_q <= 1'b0;
    else rvalid_q <= rvalid_d;
  end
  always_ff @(posedge clk_i or negedge data_rst_ni) begin
    if (!data_rst_ni) begin
      {blocks_q, banks_q, program_q} <= '0;
    end else begin
      blocks_q <= blocks_d;
      banks_q <= banks_d;
      program_q <= program_d;
    end
  end

  assign rvalid_o = rvalid_q;
  vec_t read;
  always_comb begin
    read = {VectorBits{program_q}} & vec_t'(program_rdata_i);
    for (int b = 0; b < MemoryBlocks; b++) read |= {VectorBits{blocks_q[b]}} & memory_rdata_i[b];
    for (int t = 0; t < TableBanks; t++) read |= {VectorBits{banks_q[t]}} & table_rdata_i[t];
  end

  if (PROTECT) begin : gen_check
    assign wrong_o = rvalid_q && |{blocks_q & memory_wrong_i, banks_q & table_wrong_i, program_q && program_wrong_i};
    assign right_o = !rvalid_q ||
                     &{~blocks_q | memory_right_i, ~banks_q | table_right_i, !program_q || program_right_i};
    assign rdata_o = read & {VectorBits{!wrong_o}} & {VectorBits{right_o}};
  end else begin : gen_no_check
    assign wrong_o = 1'b0;
    assign right_o = 1'b1;
    assign rdata_o = read;
    logic unused;
    assign unused = &{1'b0, memory_wrong_i, memory_right_i, table_wrong_i, table_right_i, program_wrong_i,
                      program_right_i};
  end

endmodule
