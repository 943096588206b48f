// Writes strings: bursts and rows in. A string takes its bytes from the beginning of a row on; what its last row has
// after them is dropped. A burst with a fault takes its bytes and writes none.
//
// done_valid_o is a pulse for each string, in order, after the responses to all its bursts.

module lutra_dma_write
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  parameter int unsigned Outstanding = 8,          // bursts without response
  localparam int unsigned Lanes = DATA_WIDTH / 8,
  localparam int unsigned LaneBits = $clog2(Lanes)
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

  input  logic   row_valid_i,
  output logic   row_ready_o,
  input  row_t   row_i,

  output logic   request_valid_o,
  input  logic   request_ready_i,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  output logic [3:0] request_beats_o,
  output logic   beat_valid_o,
  input  logic   beat_ready_i,
  output logic [DATA_WIDTH-1:0] beat_data_o,
  output logic [Lanes-1:0] beat_strobe_o,
  output logic   beat_last_o,
  input  logic   response_valid_i,
  input  logic   response_error_i,

  output logic   done_valid_o,
  output fault_e done_fault_o
);
endmodule
