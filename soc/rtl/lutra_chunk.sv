// The next chunk of a message: how much of what is left of associated data and text goes into it, associated data
// first.

module lutra_chunk
  import lutra_engine_pkg::*;
(
  input  logic [31:0] text_i,  // bytes left
  input  logic [15:0] aad_i,

  output logic [10:0] text_o,  // bytes of the chunk
  output logic [10:0] aad_o,
  output logic [6:0] text_rows_o,
  output logic [6:0] aad_rows_o,
  output logic [31:0] text_left_o,
  output logic [15:0] aad_left_o,
  output logic last_o
);

  localparam int unsigned ChunkBytes = 16 * ChunkRows;

  logic aad_full, text_full;
  logic [6:0] free;
  logic [28:0] text_rows;
  assign aad_full = aad_i >= 16'(ChunkBytes);
  assign aad_o = aad_full ? 11'(ChunkBytes) : aad_i[10:0];
  assign aad_rows_o = 7'((12'(aad_o) + 12'd15) >> 4);
  assign aad_left_o = aad_full ? aad_i - 16'(ChunkBytes) : '0;

  assign free = 7'(ChunkRows) - aad_rows_o;
  assign text_rows = 29'(text_i[31:4]) + 29'(text_i[3:0] != '0);
  assign text_full = text_rows > 29'(free);
  assign text_rows_o = text_full ? free : text_rows[6:0];
  assign text_o = text_full ? {free, 4'd0} : text_i[10:0];
  assign text_left_o = text_full ? {text_i[31:4] - 28'(free), text_i[3:0]} : '0;
  assign last_o = !text_full && aad_left_o == '0;

endmodule
