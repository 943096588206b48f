// One data memory block: sixteen byte-lane SRAMs with a row address each, so that an access may have any alignment.
// Lane l holds the bytes whose address is l modulo 16; values come and go lane 0 first (to_lanes, from_lanes).

module lutra_memory
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter bit PROTECT = 0
) (
  input  logic  clk_i,

  input  logic  read_en_i,
  input  addr_t read_address_i,

  input  logic  write_en_i,
  input  addr_t write_address_i,
  input  lanes_t write_lanes_i,
  input  vec_t  write_data_i,

  input  logic  host_req_i,
  input  logic  host_we_i,
  input  addr_t host_row_i,
  input  vec_t  host_wdata_i,

  output vec_t  rdata_o, // the cycle after a read; a row of the host's is aligned
  input  addr_t rdata_address_i,  // where it should have been read
  output logic  wrong_o,          // it is not what was stored there
  output logic  right_o
);

  localparam int unsigned IndexBits = MEMORY_ROWS > 1 ? $clog2(MEMORY_ROWS) : 1;
  typedef logic [IndexBits-1:0] index_t;

  // One access per cycle.
  index_t row;
  offset_t offset;
  logic req, we;
  lanes_t lanes, next_row;
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

  // Lanes below the offset are one row further.
  assign next_row = ~(lanes_t'('1) << offset);

  for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
    index_t index;
    assign index = row + index_t'(next_row[l]);

    lutra_sram #(
      .Depth(MEMORY_ROWS),
      .Width(8)
    ) u_sram (
      .clk_i,
      .req_i(req && (!we || lanes[l])),
      .we_i(we),
      .index_i(index),
      .wdata_i(wdata[8*(VectorBytes-1-l)+:8]),
      .rdata_o(rdata_o[8*(VectorBytes-1-l)+:8])
    );
  end

  if (PROTECT) begin : gen_check
    // Of the row, and of the one after it.
    function automatic logic [1:0] parity_of(index_t index);
      return {^(index + index_t'(1)), ^index};
    endfunction

    lanes_t parity, stored, of_address, next_read;
    logic [1:0] write_parity, read_parity;
    assign write_parity = parity_of(row);
    assign read_parity = parity_of(index_t'(rdata_address_i >> RowShift));
    assign next_read = ~(lanes_t'('1) << offset_t'(rdata_address_i));
    assign parity = parities(wdata);
    for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
      lutra_sram #(
        .Depth(MEMORY_ROWS),
        .Width(1)
      ) u_check (
        .clk_i,
        .req_i(req && (!we || lanes[l])),
        .we_i(we),
        .index_i(row + index_t'(next_row[l])),
        .wdata_i(parity[l] ^ write_parity[next_row[l]]),
        .rdata_o(stored[l])
      );
      assign of_address[l] = read_parity[next_read[l]];
    end
    lutra_row_check u_check (
      .row_i(rdata_o),
      .parity_i(stored),
      .address_i(of_address),
      .wrong_o,
      .right_o
    );
  end else begin : gen_no_check
    assign wrong_o = 1'b0;
    assign right_o = 1'b1;
    logic unused;
    assign unused = &{1'b0, rdata_address_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    single_port: assert ($onehot0({read_en_i, write_en_i, host_req_i})) else $error("data memory accessed twice");
  end
`endif

endmodule
