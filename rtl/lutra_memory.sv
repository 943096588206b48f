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

  // Whether and where it writes, found once more, and whether it does as this says (PROTECT).
  input  logic  write_again_i,
  input  place_t write_place_i,
  output logic  differ_o,
  output logic  same_o,

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

  // A gate that only one lane has writes one lane, and to a row whose number differs by one bit: its parity tells.
  index_t [VectorBytes-1:0] index;
  lanes_t lane_we;
  if (PROTECT) begin : gen_guard
    typedef struct packed {
      index_t row;
      index_t after;
      lanes_t next_row;
    } rows_t;
    rows_t found, kept, again;
    lanes_t written;  // what the SRAMs are told: synthesis does not see that it is `we`
    assign found = '{row: row, after: row + index_t'(1), next_row: next_row};
    assign again = '{row: index_t'(write_place_i.row), after: index_t'(write_place_i.after),
                     next_row: write_place_i.next_row};
    for (genvar i = 0; i < $bits(rows_t); i++) begin : gen_bit
      lutra_buffer u_kept (
        .a_i(found[i]),
        .y_o(kept[i])
      );
    end
    for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
      logic lane_again;
      lutra_buffer u_again (
        .a_i(write_again_i),
        .y_o(lane_again)
      );
      assign lane_we[l] = we && lane_again;
      lutra_buffer u_written (
        .a_i(lane_we[l]),
        .y_o(written[l])
      );
      assign index[l] = kept.next_row[l] ? kept.after : kept.row;
    end

    logic differs, equals, other_rows, same_rows;
    lutra_compare #(
      .WIDTH(2)
    ) u_writes (
      .a_i({we || written != '0, req && written == '1}),
      .b_i({2{write_again_i}}),
      .differ_o(differs),
      .same_o(equals)
    );
    lutra_compare #(
      .WIDTH($bits(rows_t))
    ) u_rows (
      .a_i(kept),
      .b_i(again),
      .differ_o(other_rows),
      .same_o(same_rows)
    );
    assign differ_o = differs || (write_again_i && other_rows);
    assign same_o = equals && (!write_again_i || same_rows);
  end else begin : gen_no_guard
    assign lane_we = {VectorBytes{we}};
    for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
      assign index[l] = row + index_t'(next_row[l]);
    end
    assign differ_o = 1'b0;
    assign same_o = 1'b1;
    logic unused;
    assign unused = &{1'b0, write_again_i};
  end

  for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
    lutra_sram #(
      .Depth(MEMORY_ROWS),
      .Width(8)
    ) u_sram (
      .clk_i,
      .req_i(req && (!we || lanes[l])),
      .we_i(lane_we[l]),
      .index_i(index[l]),
      .wdata_i(wdata[8*(VectorBytes-1-l)+:8]),
      .rdata_o(rdata_o[8*(VectorBytes-1-l)+:8])
    );
  end

  if (PROTECT) begin : gen_check
    function automatic lanes_t row_parities(place_t place);
      for (int l = 0; l < VectorBytes; l++) begin
        row_parities[l] = place.next_row[l] ? ^index_t'(place.after) : ^index_t'(place.row);
      end
    endfunction

    lanes_t parity, stored;
    assign parity = parities(wdata) ^ row_parities(write_place_i);
    for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
      lutra_sram #(
        .Depth(MEMORY_ROWS),
        .Width(1)
      ) u_check (
        .clk_i,
        .req_i(req && (!we || lanes[l])),
        .we_i(lane_we[l]),
        .index_i(index[l]),
        .wdata_i(parity[l]),
        .rdata_o(stored[l])
      );
    end
    lutra_row_check u_check (
      .row_i(rdata_o),
      .parity_i(stored),
      .address_i(row_parities(place_of(rdata_address_i))),
      .wrong_o,
      .right_o
    );
  end else begin : gen_no_check
    assign wrong_o = 1'b0;
    assign right_o = 1'b1;
    logic unused;
    assign unused = &{1'b0, rdata_address_i, write_place_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    single_port: assert ($onehot0({read_en_i, write_en_i, host_req_i})) else $error("data memory accessed twice");
  end
`endif

endmodule
