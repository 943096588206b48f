// The place of a string in memory, cut into bursts. A string is contiguous or described by a list of scatter-gather
// elements. Nothing outside of the ring's window is accessed, neither an element nor a byte of the string.
//
// One string is in work at a time; while its segment is cut, the next element is fetched. No read of an element is
// outstanding when the last burst of a string has been taken.
//
// A fault ends the accesses, not the string: its remaining bytes come as bursts of one beat with the fault, which are
// to be counted but not accessed. A string of no bytes comes as one burst with burst_empty_o.

module lutra_segments
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned LaneBits = $clog2(DATA_WIDTH / 8)
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  input  logic   big_endian_i,                      // words of elements
  input  logic [Rings-1:0][63:0] window_base_i,     // the first byte
  input  logic [Rings-1:0][63:0] window_limit_i,    // the first byte after it

  input  logic   string_valid_i,
  output logic   string_ready_o,
  input  logic [63:0] string_address_i,             // of its bytes or of its list; without meaning in a continuation
  input  logic [31:0] string_bytes_i,
  input  logic   string_list_i,                     // without meaning in a continuation
  input  logic   string_ring_i,
  input  logic   string_continue_i,                 // goes on where the string before it ended, also in its fault

  output logic   request_valid_o,                   // reads of elements
  input  logic   request_ready_i,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  output logic [3:0] request_beats_o,               // less one
  input  logic   response_valid_i,                  // always taken
  input  logic [DATA_WIDTH-1:0] response_data_i,
  input  logic   response_error_i,
  input  logic   response_last_i,

  output logic   burst_valid_o,
  input  logic   burst_ready_i,
  output logic [ADDR_WIDTH-1:0] burst_address_o,    // of the first byte
  output logic [3:0] burst_beats_o,                 // less one
  output logic [LaneBits-1:0] burst_lane_o,         // of the last byte, in the last beat
  output logic   burst_last_o,                      // of the string
  output logic   burst_empty_o,
  output fault_e burst_fault_o                      // not to be accessed
);
endmodule
