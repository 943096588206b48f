// Which data memories and tables are written in a cycle, and where, found once more (PROTECT): a memory writes only
// where both ways say so.
//
// Buffers keep all this apart from the first way, which begins with the same registers and ports.

module lutra_write_guard
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter int unsigned MEMORY_ROWS = MemoryRows
) (
  input  writer_t writer_i,
  input  vec_t    x2_rows_i,  // of a scatter
  output blocks_t memory_write_o,
  output place_t [MemoryBlocks-1:0] memory_place_o,
  output banks_t  table_write_o,
  output lanes_t [TableBanks-1:0] table_parity_o  // of the row that each lane writes
);

  writer_t w;
  for (genvar i = 0; i < $bits(writer_t); i++) begin : gen_bit
    lutra_buffer u_writer (
      .a_i(writer_i[i]),
      .y_o(w[i])
    );
  end

  blocks_t read, stored;
  banks_t stored_table, scattered;
  logic host;
  addr_t row;
  always_comb begin
    read = w.read ? blocks_t'({w.read_k1, w.read_k0}) | (w.read_d ? blocks_t'(1) << w.read_d_block : '0) : '0;
    stored = w.wb_valid && !w.wb_fault && w.wb_store ? blocks_of(w.wb_space) : '0;
    stored_table = w.wb_valid && !w.wb_fault && w.wb_store ? banks_of(w.wb_space) : '0;
    scattered = HasScatter && w.x2_valid && !w.x2_fault && w.x2_res == ResScatter ? banks_t'(1) : '0;
    host = w.host_req && w.host_we && !(w.wiping || w.locked || w.closed);

    // A wipe needs both of its registers here.
    row = w.wipe ? w.wipe_row : w.host_row;
    memory_write_o = stored;
    if (32'(row) < MEMORY_ROWS) begin
      if (w.wipe) memory_write_o = '1;
      else if (host && (blocks_of(w.host_space) & (read | stored)) == '0) memory_write_o |= blocks_of(w.host_space);
    end
    table_write_o = stored_table | scattered;
    if (32'(row) < TableRows) begin
      if (w.wipe) table_write_o = '1;
      else if (host && !w.running) table_write_o |= banks_of(w.host_space);
    end

    for (int b = 0; b < MemoryBlocks; b++) memory_place_o[b] = place_of(stored[b] ? w.wb_address : row << RowShift);
    for (int t = 0; t < TableBanks; t++) begin
      if (scattered[t]) table_parity_o[t] = parities(x2_rows_i);
      else table_parity_o[t] = {VectorBytes{stored_table[t] ? ^w.wb_address[RowShift+:8] : ^row[7:0]}};
    end
  end

endmodule
