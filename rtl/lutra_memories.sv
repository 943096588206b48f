// All memories, and who uses them: the host's port, fetches, rows of the key and data slots, look-ups, stores.
//
// Rows are read in AG. MEM rotates them to their first byte, and PERM has them in registers.

module lutra_memories
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter int unsigned KEY_ROWS = 0,
  parameter bit PROTECT = 0
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   data_rst_ni,
  input  logic   running_i,
  input  logic   locked_i,
  input  logic   closed_i,
  input  wipe_t  wipe_i,

  // The host.
  input  logic   host_req_i,
  input  logic   host_we_i,
  input  space_e host_space_i,
  input  addr_t  host_row_i,
  input  vec_t   host_wdata_i,
  output logic   host_gnt_o,
  output logic   host_rvalid_o,
  output vec_t   host_rdata_o,

  // Fetches.
  input  logic   fetch_en_i,
  input  addr_t  fetch_pc_i,
  output insn_t  fetched_o,

  // Key and data slots.
  input  logic   ag_valid_i,
  input  ctl_t   ag_ctl_i,
  input  addr_t  ag_k_address_i,
  input  addr_t  ag_d_address_i,
  input  ctl_t   mem_ctl_i,
  output vec_t   mem_row_o,  // of the data slot
  output vec_t   perm_k0_o,
  output vec_t   perm_k1_o,
  output vec_t   perm_d_o,

  // Table banks.
  input  banks_t lookup_en_i,
  input  vec_t [TableBanks-1:0] lookup_i,
  output vec_t [TableBanks-1:0] table_o,  // in the cycle after
  input  logic   x2_scatter_i,            // to t0
  input  vec_t   x2_rows_i,
  input  vec_t   x2_entries_i,

  // Stores.
  input  logic   wb_store_i,
  input  space_e wb_space_i,
  input  addr_t  wb_address_i,
  input  lanes_t wb_lanes_i,
  input  vec_t   wb_value_i,

  // From where it is found once more who writes (PROTECT).
  input  writer_t writer_i,

  // Checks of what was read, each in two ways: right_o is low where wrong_o is high (PROTECT).
  input  addr_t  mem_k_address_i,    // of the slots of the instruction in MEM, found a second time
  input  addr_t  mem_d_address_i,
  output word_check_t fetched_check_o,
  output logic   mem_wrong_o,
  output logic   mem_right_o,
  output banks_t table_wrong_o,      // of a look-up, with table_o
  output banks_t table_right_o,
  output logic   host_wrong_o,
  output logic   host_right_o
);

  // ------------------------------------------------------------------- the host
  blocks_t memory_read, memory_write, memory_req;
  banks_t table_req, table_write;
  logic program_req;
  vec_t [MemoryBlocks-1:0] memory_rdata;
  vec_t [TableBanks-1:0] table_rdata;

  blocks_t memory_wrong, memory_right;
  banks_t table_wrong, table_right;
  logic program_wrong, program_right, read_wrong, read_right;

  lutra_host #(
    .PROGRAM_WORDS(PROGRAM_WORDS),
    .MEMORY_ROWS(MEMORY_ROWS),
    .KEY_ROWS(KEY_ROWS),
    .PROTECT(PROTECT)
  ) u_host (
    .clk_i,
    .rst_ni,
    .data_rst_ni,
    .req_i(host_req_i),
    .we_i(host_we_i),
    .space_i(host_space_i),
    .row_i(host_row_i),
    .gnt_o(host_gnt_o),
    .rvalid_o(host_rvalid_o),
    .rdata_o(host_rdata_o),
    .running_i,
    .wiping_i(wipe_i.busy),
    .locked_i,
    .closed_i,
    .block_used_i(memory_read | memory_write),
    .memory_req_o(memory_req),
    .table_req_o(table_req),
    .program_req_o(program_req),
    .memory_rdata_i(memory_rdata),
    .table_rdata_i(table_rdata),
    .program_rdata_i(fetched_o),
    .memory_wrong_i(memory_wrong),
    .memory_right_i(memory_right),
    .table_wrong_i(table_wrong),
    .table_right_i(table_right),
    .program_wrong_i(program_wrong),
    .program_right_i(program_right),
    .wrong_o(read_wrong),
    .right_o(read_right)
  );

  // A wipe takes the host's way to the memories.
  logic other_we;
  addr_t other_row;
  vec_t other_wdata;
  assign other_we = wipe_i.busy ? wipe_i.write : host_we_i;
  assign other_row = wipe_i.busy ? wipe_i.row : host_row_i;
  assign other_wdata = wipe_i.busy ? '0 : host_wdata_i;

  // ---------------------------------------------------------- who writes, once more
  blocks_t memory_again, memory_differ, memory_same;
  banks_t table_again, table_differ, table_same;
  place_t [MemoryBlocks-1:0] memory_place;
  lanes_t [TableBanks-1:0] table_parity;
  if (PROTECT) begin : gen_write_guard
    lutra_write_guard #(
      .MEMORY_ROWS(MEMORY_ROWS)
    ) u_guard (
      .writer_i,
      .x2_rows_i,
      .memory_write_o(memory_again),
      .memory_place_o(memory_place),
      .table_write_o(table_again),
      .table_parity_o(table_parity)
    );

    logic differ_q, same_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        differ_q <= 1'b0;
        same_q <= 1'b1;
      end else begin
        differ_q <= |{memory_differ, table_differ};
        same_q <= &{memory_same, table_same};
      end
    end
    assign host_wrong_o = read_wrong || differ_q;
    assign host_right_o = read_right && same_q;
  end else begin : gen_no_write_guard
    assign {memory_again, table_again, memory_place, table_parity} = '0;
    assign host_wrong_o = read_wrong;
    assign host_right_o = read_right;
    logic unused;
    assign unused = &{1'b0, writer_i, memory_differ, memory_same, table_differ, table_same};
  end

  // -------------------------------------------------------------- program memory
  lutra_program #(
    .PROGRAM_WORDS(PROGRAM_WORDS),
    .PROTECT(PROTECT)
  ) u_program (
    .clk_i,
    .fetch_en_i,
    .fetch_pc_i,
    .host_req_i(program_req),
    .host_we_i,
    .host_index_i(host_row_i),
    .host_wdata_i(insn_t'(host_wdata_i)),
    .rdata_o(fetched_o),
    .check_o(fetched_check_o),
    .host_wrong_o(program_wrong),
    .host_right_o(program_right)
  );

  // --------------------------------------------------------------- data memories
  // A read is presented whether its instruction traps or not: a trap's row goes nowhere.
  blocks_t read_key, read_data;
  offset_t wb_offset;
  assign read_key = key_blocks(ag_ctl_i);
  assign read_data = ag_ctl_i.d.en ? blocks_t'(1) << ag_ctl_i.d_block : '0;
  assign memory_read = ag_valid_i ? read_key | read_data : '0;
  assign memory_write = wb_store_i ? blocks_of(wb_space_i) : '0;
  assign wb_offset = offset_t'(wb_address_i);

  // Where each block was read.
  addr_t [MemoryBlocks-1:0] read_address;

  for (genvar b = 0; b < MemoryBlocks; b++) begin : gen_memory
    lutra_memory #(
      .MEMORY_ROWS(MEMORY_ROWS),
      .PROTECT(PROTECT)
    ) u_memory (
      .clk_i,
      .read_en_i(memory_read[b]),
      .read_address_i(read_key[b] ? ag_k_address_i : ag_d_address_i),
      .write_en_i(memory_write[b]),
      .write_address_i(wb_address_i),
      .write_lanes_i(lanes_of(wb_lanes_i, wb_offset)),
      .write_data_i(to_lanes(wb_value_i, wb_offset)),
      .host_req_i(memory_req[b] || wipe_i.memories),
      .host_we_i(other_we),
      .host_row_i(other_row),
      .host_wdata_i(other_wdata),
      .write_again_i(memory_again[b]),
      .write_place_i(memory_place[b]),
      .differ_o(memory_differ[b]),
      .same_o(memory_same[b]),
      .rdata_o(memory_rdata[b]),
      .rdata_address_i(read_address[b]),
      .wrong_o(memory_wrong[b]),
      .right_o(memory_right[b])
    );
  end

  vec_t mem_k0, mem_k1, perm_k0_q, perm_k1_q, perm_d_q;
  offset_t mem_k_offset_q, mem_d_offset_q;
  assign mem_k0 = from_lanes(memory_rdata[0], mem_k_offset_q);
  assign mem_k1 = from_lanes(memory_rdata[1], mem_k_offset_q);
  assign mem_row_o = from_lanes(memory_rdata[mem_ctl_i.d_block], mem_d_offset_q);
  always_ff @(posedge clk_i) begin
    mem_k_offset_q <= offset_t'(ag_k_address_i);
    mem_d_offset_q <= offset_t'(ag_d_address_i);
  end
  always_ff @(posedge clk_i or negedge data_rst_ni) begin
    if (!data_rst_ni) begin
      {perm_k0_q, perm_k1_q, perm_d_q} <= '0;
    end else begin
      if (mem_ctl_i.k0_en) perm_k0_q <= mem_k0;
      if (mem_ctl_i.k1_en) perm_k1_q <= mem_k1;
      if (mem_ctl_i.d.en) perm_d_q <= mem_row_o;
    end
  end
  assign perm_k0_o = perm_k0_q;
  assign perm_k1_o = perm_k1_q;
  assign perm_d_o = perm_d_q;

  if (PROTECT) begin : gen_check
    addr_t host_address_q;
    blocks_t host_read_q, host_read_d, mem_read;
    assign host_read_d = host_we_i ? '0 : memory_req;
    always_ff @(posedge clk_i) begin
      host_address_q <= host_row_i << RowShift;
      host_read_q <= host_read_d;
    end
    assign mem_read = key_blocks(mem_ctl_i) | (mem_ctl_i.d.en ? blocks_t'(1) << mem_ctl_i.d_block : '0);
    always_comb begin
      for (int b = 0; b < MemoryBlocks; b++) begin
        if (host_read_q[b]) read_address[b] = host_address_q;
        else read_address[b] = key_blocks(mem_ctl_i)[b] ? mem_k_address_i : mem_d_address_i;
      end
    end
    assign mem_wrong_o = |(mem_read & memory_wrong);
    assign mem_right_o = &(~mem_read | memory_right);
  end else begin : gen_no_check
    assign read_address = '0;
    assign mem_wrong_o = 1'b0;
    assign mem_right_o = 1'b1;
    logic unused;
    assign unused = &{1'b0, mem_k_address_i, mem_d_address_i, memory_wrong, memory_right};
  end

  // ----------------------------------------------------------------- table banks
  assign table_write = wb_store_i ? banks_of(wb_space_i) : '0;
  for (genvar t = 0; t < TableBanks; t++) begin : gen_table
    lutra_table #(
      .PROTECT(PROTECT)
    ) u_table (
      .clk_i,
      .lookup_en_i(lookup_en_i[t]),
      .lookup_i(lookup_i[t]),
      .write_en_i(table_write[t]),
      .write_row_i(wb_address_i[RowShift+:8]),
      .write_lanes_i(wb_lanes_i),
      .write_data_i(wb_value_i),
      .scatter_en_i(t == 0 && x2_scatter_i),
      .scatter_rows_i(x2_rows_i),
      .scatter_data_i(x2_entries_i),
      .host_req_i(table_req[t] || wipe_i.tables),
      .host_we_i(other_we && (wipe_i.busy || !running_i)),
      .host_row_i(other_row[7:0]),
      .host_wdata_i(other_wdata),
      .write_again_i(table_again[t]),
      .write_parity_i(table_parity[t]),
      .differ_o(table_differ[t]),
      .same_o(table_same[t]),
      .rdata_o(table_rdata[t]),
      .wrong_o(table_wrong[t]),
      .right_o(table_right[t])
    );
  end
  assign table_o = table_rdata;

  if (PROTECT) begin : gen_look_up_check
    banks_t looked_up_q;
    always_ff @(posedge clk_i) looked_up_q <= lookup_en_i;
    assign table_wrong_o = looked_up_q & table_wrong;
    assign table_right_o = ~looked_up_q | table_right;
  end else begin : gen_no_look_up_check
    assign table_wrong_o = '0;
    assign table_right_o = '1;
  end

endmodule
