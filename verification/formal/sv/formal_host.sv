// The host's port under any use of the memories by the core.

module formal_host
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter int unsigned KEY_ROWS = 0
) (
  input logic    clk_i,
  input logic    rst_ni,
  input logic    req_i,
  input logic    we_i,
  input space_e  space_i,
  input addr_t   row_i,
  input logic    running_i,
  input logic    wiping_i,
  input logic    locked_i,
  input logic    closed_i,
  input blocks_t block_used_i,
  input vec_t [MemoryBlocks-1:0] memory_rdata_i,
  input vec_t [TableBanks-1:0] table_rdata_i,
  input insn_t   program_rdata_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) reset_first: assume (!rst_ni);

  logic gnt, rvalid, program_req;
  vec_t rdata;
  blocks_t memory_req;
  banks_t table_req;
  lutra_host #(
    .PROGRAM_WORDS(PROGRAM_WORDS),
    .MEMORY_ROWS(MEMORY_ROWS),
    .KEY_ROWS(KEY_ROWS)
  ) u_host (
    .clk_i,
    .rst_ni,
    .data_rst_ni(1'b1),
    .req_i,
    .we_i,
    .space_i,
    .row_i,
    .gnt_o(gnt),
    .rvalid_o(rvalid),
    .rdata_o(rdata),
    .running_i,
    .wiping_i,
    .locked_i,
    .closed_i,
    .block_used_i,
    .memory_req_o(memory_req),
    .table_req_o(table_req),
    .program_req_o(program_req),
    .memory_rdata_i,
    .table_rdata_i,
    .program_rdata_i,
    .memory_wrong_i('0),
    .memory_right_i('1),
    .table_wrong_i('0),
    .table_right_i('1),
    .program_wrong_i(1'b0),
    .program_right_i(1'b1),
    .wrong_o(),
    .right_o()
  );

  // The spaces by name, independently of the functions that the port itself uses.
  logic is_memory, is_table, is_program, open, there;
  logic [$clog2(MemoryBlocks)-1:0] block;
  assign is_memory = space_i inside {SpaceMem0, SpaceMem1, SpaceMem2, SpaceMem3};
  assign is_table = space_i inside {SpaceBank0, SpaceBank1, SpaceBankBoth};
  assign is_program = space_i == SpaceProgram;
  // Both banks at once can only be written.
  banks_t banks;
  assign banks = {space_i == SpaceBank1, space_i == SpaceBank0} | {TableBanks{space_i == SpaceBankBoth && we_i}};
  assign block = space_i[$clog2(MemoryBlocks)-1:0];
  assign open = !wiping_i && (is_memory ? !block_used_i[block] : !running_i);
  assign there = !locked_i && !(closed_i && !is_program) && 32'(row_i) < (is_memory ? MEMORY_ROWS : is_program ? PROGRAM_WORDS : TableRows);

  // The request of the cycle before, to be answered in this one.
  logic read_q, beyond_q;
  space_e space_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= 1'b0;
    else read_q <= gnt && !we_i;
  end
  always_ff @(posedge clk_i) begin
    beyond_q <= !there || (space_i == SpaceMem0 && 32'(row_i) < KEY_ROWS);
    space_q <= space_i;
  end

  vec_t answer;
  always_comb begin
    unique case (space_q)
      SpaceMem0, SpaceMem1, SpaceMem2, SpaceMem3: answer = memory_rdata_i[space_q[$clog2(MemoryBlocks)-1:0]];
      SpaceBank0: answer = table_rdata_i[0];
      SpaceBank1: answer = table_rdata_i[1];
      SpaceProgram: answer = vec_t'(program_rdata_i);
      default: answer = '0;
    endcase
    if (beyond_q) answer = '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      core_first: assert ((memory_req & block_used_i) == '0);
      closed: assert (!running_i || (table_req == '0 && !program_req));
      granted: assert (gnt == (req_i && open));
      nothing_beyond: assert (there || (memory_req == '0 && table_req == '0 && !program_req));
      of_memory: assert (memory_req == (gnt && there && is_memory ? MemoryBlocks'(1) << block : '0));
      of_program: assert (program_req == (gnt && there && is_program));
      of_table: assert (table_req == (gnt && there && is_table ? banks : '0));
      answered: assert (rvalid == read_q);
      right_answer: assert (!read_q || rdata == answer);
      // Of a key row, whatever is in it.
      if (KEY_ROWS != 0) key_read: cover (read_q && beyond_q && !locked_i && memory_req[0] && 32'(row_i) < KEY_ROWS);
      refused: cover (req_i && !gnt);
      beyond: cover (read_q && beyond_q);
      last_row: cover (memory_req != '0 && 32'(row_i) == MEMORY_ROWS - 1);
    end
  end

endmodule
