// Memory of places: windows, rings and lists, in rows of 16 bytes, so that none of them takes registers. What a list
// has is written when it comes; an access waits for it, and the host's registers wait for both.
//
// The host's rows are zero after reset.

module lutra_places
  import lutra_soc_pkg::*;
#(
  parameter int unsigned DATA_WIDTH = 64
) (
  input  logic clk_i,
  input  logic rst_ni,

  // An element, or half of one on a bus of 64 bits. Always taken.
  input  logic beat_valid_i,
  input  place_row_t beat_row_i,
  input  logic beat_half_i,
  input  logic [DATA_WIDTH-1:0] beat_i,

  input  logic access_valid_i,
  output logic access_ready_o,
  input  logic access_write_i,            // the first half
  input  place_row_t access_row_i,
  input  logic [63:0] access_data_i,

  input  place_register_t register_i,
  output logic register_ready_o,          // a read: its row is there in the next cycle

  output logic [RowBytes-1:0][7:0] data_o // in the cycle after a read, until the next one
);

  logic [2:0] cleared_q, cleared_d;  // rows of the host
  logic clears;
  assign clears = !cleared_q[2];
  assign cleared_d = cleared_q + 3'(clears);
  assign access_ready_o = !clears && !beat_valid_i;
  assign register_ready_o = access_ready_o && !access_valid_i;

  logic valid;
  logic [RowBytes-1:0] write;
  place_row_t row;
  logic [RowBytes-1:0][7:0] data;
  always_comb begin
    valid = 1'b1;
    write = '0;
    row = {2'b00, register_i.word[3:2]};
    data = {4{register_i.data}};
    if (clears) begin
      write = '1;
      row = place_row_t'(cleared_q);
      data = '0;
    end else if (beat_valid_i) begin
      write = DATA_WIDTH > 64 ? '1 : beat_half_i ? {8'hff, 8'h00} : {8'h00, 8'hff};
      row = beat_row_i;
      data = {128 / DATA_WIDTH{beat_i}};
    end else if (access_valid_i) begin
      write = access_write_i ? {8'h00, 8'hff} : '0;
      row = access_row_i;
      data = {2{access_data_i}};
    end else begin
      valid = register_i.valid;
      if (register_i.write) write[4*register_i.word[1:0]+:4] = register_i.strobe;
    end
  end

  for (genvar b = 0; b < RowBytes; b++) begin : gen_byte
    lutra_sram #(
      .Depth(1 << $bits(place_row_t)),
      .Width(8)
    ) u_sram (
      .clk_i,
      .req_i(valid && (write == '0 || write[b])),
      .we_i(write[b]),
      .index_i(row),
      .wdata_i(data[b]),
      .rdata_o(data_o[b])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cleared_q <= '0;
    else cleared_q <= cleared_d;
  end

endmodule
