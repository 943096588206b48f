// One data memory block: sixteen byte-lane SRAMs with a row address each, so that an access may have any alignment.
// Lane l holds the bytes whose address is l modulo 16.

module lutra_memory
  import lutra_isa_pkg::*;
#(
  parameter int unsigned MEMORY_ROWS = MemoryRows
) (
  input  logic  clk_i,

  input  logic  read_en_i,
  input  addr_t read_address_i,

  input  logic  write_en_i,
  input  addr_t write_address_i,
  input  logic [VectorBytes-1:0] write_lanes_i,  // bit i: byte i of the data
  input  vec_t  write_data_i,

  input  logic  host_req_i,
  input  logic  host_we_i,
  input  addr_t host_row_i,
  input  vec_t  host_wdata_i,

  output vec_t  rdata_o  // the cycle after a read, byte 0 first
);

  localparam int unsigned IndexBits = MEMORY_ROWS > 1 ? $clog2(MEMORY_ROWS) : 1;
  typedef logic [RowShift-1:0] offset_t;
  typedef logic [IndexBits-1:0] index_t;

  // One access a cycle.
  index_t row;
  offset_t offset, read_offset_q;
  logic req, we;
  logic [VectorBytes-1:0] lanes;
  vec_t wdata;

  always_comb begin
    req = 1'b1;
    we = 1'b0;
    row = index_t'(read_address_i >> RowShift);
    offset = offset_t'(read_address_i);
    lanes = '1;
    wdata = write_data_i;
    if (write_en_i) begin
      we = 1'b1;
      row = index_t'(write_address_i >> RowShift);
      offset = offset_t'(write_address_i);
      lanes = write_lanes_i;
    end else if (host_req_i) begin
      we = host_we_i;
      row = index_t'(host_row_i);
      offset = '0;
      wdata = host_wdata_i;
    end else begin
      req = read_en_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (req && !we) read_offset_q <= offset;
  end

  // Byte i of the value lies in lane offset + i; lanes below the offset are one row further.
  vec_t lane_wdata, lane_rdata;
  logic [VectorBytes-1:0] lane_en, next_row;
  always_comb begin
    next_row = ~(VectorBytes'('1) << offset);
    lane_wdata = VectorBits'({wdata, wdata} >> {offset, 3'd0});
    lane_en = VectorBytes'(({lanes, lanes} << offset) >> VectorBytes);
    rdata_o = VectorBits'(({lane_rdata, lane_rdata} << {read_offset_q, 3'd0}) >> VectorBits);
  end

  for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
    index_t index;
    assign index = row + index_t'(next_row[l]);

    lutra_sram #(
      .Depth(MEMORY_ROWS),
      .Width(8)
    ) u_sram (
      .clk_i,
      .req_i(req && (!we || lane_en[l])),
      .we_i(we),
      .index_i(index),
      .wdata_i(lane_wdata[8*(VectorBytes-1-l)+:8]),
      .rdata_o(lane_rdata[8*(VectorBytes-1-l)+:8])
    );
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    single_port: assert ($onehot0({read_en_i, write_en_i, host_req_i})) else $error("data memory accessed twice");
  end
`endif

endmodule
