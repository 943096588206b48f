// Reads strings: bursts in, rows out. A string begins with a new row and ends with zeros in its last row; its segments
// follow each other byte by byte. A string of no bytes has no row.
//
// Rows are complete every other cycle on a bus of 64 bits; who takes each in the cycle in which it appears has the full
// rate of the bus. There is no other buffer, so space for the rows has to exist before the string is asked for.

module lutra_dma_read
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  parameter int unsigned Outstanding = 8,          // bursts
  localparam int unsigned LaneBits = $clog2(DATA_WIDTH / 8)
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  input  logic   burst_valid_i,
  output logic   burst_ready_o,
  input  logic [ADDR_WIDTH-1:0] burst_address_i,
  input  logic [3:0] burst_beats_i,
  input  logic [LaneBits-1:0] burst_lane_i,
  input  logic   burst_last_i,
  input  logic   burst_empty_i,
  input  fault_e burst_fault_i,

  output logic   request_valid_o,
  input  logic   request_ready_i,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  output logic [3:0] request_beats_o,
  input  logic   response_valid_i,
  output logic   response_ready_o,
  input  logic [DATA_WIDTH-1:0] response_data_i,
  input  logic   response_error_i,
  input  logic   response_last_i,

  output logic   row_valid_o,
  input  logic   row_ready_i,
  output row_t   row_o,
  output logic   row_last_o,                       // of the string
  output fault_e row_fault_o                       // the first of the string so far; bytes that met one are zero
);
endmodule
