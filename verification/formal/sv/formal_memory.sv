// A data memory block with the rotations before and after it: a read of 16 bytes at any address returns what was
// last written to each of them. An arbitrary byte of the memory is followed.

module formal_memory
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned MEMORY_ROWS = MemoryRows
) (
  input logic  clk_i,
  input logic  read_en_i,
  input addr_t read_address_i,
  input logic  write_en_i,
  input addr_t write_address_i,
  input logic [VectorBytes-1:0] write_lanes_i,
  input vec_t  write_data_i,
  input logic  host_req_i,
  input logic  host_we_i,
  input addr_t host_row_i,
  input vec_t  host_wdata_i,
  input addr_t byte_i
);

  localparam addr_t Last = addr_t'(VectorBytes * MEMORY_ROWS - VectorBytes);

  logic started_q = 1'b0;
  addr_t byte_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    byte_q <= byte_i;
  end
  always_comb begin
    byte_stays: assume (!started_q || byte_i == byte_q);
    byte_there: assume (byte_i < addr_t'(VectorBytes * MEMORY_ROWS));
    // Proven on the core: one access, and an address beyond the block traps.
    one_access: assume ($onehot0({read_en_i, write_en_i, host_req_i}));
    in_range: assume (read_address_i <= Last && write_address_i <= Last && 32'(host_row_i) < MEMORY_ROWS);
  end

  vec_t lanes, rdata;
  offset_t write_offset, read_offset_q;
  assign write_offset = offset_t'(write_address_i);
  always_ff @(posedge clk_i) read_offset_q <= read_en_i ? offset_t'(read_address_i) : '0;
  assign rdata = from_lanes(lanes, read_offset_q);
  lutra_memory #(
    .MEMORY_ROWS(MEMORY_ROWS)
  ) u_memory (
    .clk_i,
    .read_en_i,
    .read_address_i,
    .write_en_i,
    .write_address_i,
    .write_lanes_i(lanes_of(write_lanes_i, write_offset)),
    .write_data_i(to_lanes(write_data_i, write_offset)),
    .host_req_i,
    .host_we_i,
    .host_row_i,
    .host_wdata_i,
    .write_again_i(1'b1),
    .write_place_i('0),
    .differ_o(),
    .same_o(),
    .rdata_o(lanes),
    .rdata_address_i('0),
    .wrong_o(),
    .right_o()
  );

  // Position of the byte in an access; 16 or more: not in it.
  addr_t in_read, in_write, in_host;
  assign in_read = byte_i - read_address_i;
  assign in_write = byte_i - write_address_i;
  assign in_host = byte_i - (host_row_i << RowShift);

  function automatic logic [7:0] byte_of(vec_t x, addr_t i);
    return x[{4'd15-i[3:0], 3'd0}+:8];
  endfunction

  logic written_q = 1'b0, read_q = 1'b0;
  logic [7:0] value_q, was_q;
  addr_t place_q;
  always_ff @(posedge clk_i) begin
    if (write_en_i && in_write < 16 && write_lanes_i[in_write[3:0]]) begin
      written_q <= 1'b1;
      value_q <= byte_of(write_data_i, in_write);
    end
    if (host_req_i && host_we_i && in_host < 16) begin
      written_q <= 1'b1;
      value_q <= byte_of(host_wdata_i, in_host);
    end
    read_q <= written_q && ((read_en_i && in_read < 16) || (host_req_i && !host_we_i && in_host < 16));
    place_q <= read_en_i ? in_read : in_host;
    was_q <= value_q;
    reads_back: assert (!read_q || byte_of(rdata, place_q) == was_q);
    reads: cover (read_q && place_q == 16'd5);
  end

  for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
    always_ff @(posedge clk_i) begin
      held: assert (!written_q || byte_i[3:0] != 4'(l) || u_memory.gen_lane[l].u_sram.mem_q[byte_i>>RowShift] == value_q);
    end
  end

endmodule
