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

  typedef struct packed {
    logic [LaneBits-1:0] first_lane;
    logic [LaneBits-1:0] last_lane;
    logic last;
    fault_e fault;
  } burst_t;

  // Each burst is asked for when there is an entry for what becomes of its beats.
  logic access, push_ready, head_valid, head_taken;
  burst_t burst, head;
  assign access = !burst_empty_i && burst_fault_i == FaultNone;
  assign burst_ready_o = burst_empty_i || (push_ready && (request_ready_i || !access));
  assign request_valid_o = burst_valid_i && access && push_ready;
  assign request_address_o = burst_address_i;
  assign request_beats_o = burst_beats_i;
  assign burst = '{
    first_lane: burst_address_i[LaneBits-1:0], last_lane: burst_lane_i, last: burst_last_i, fault: burst_fault_i
  };
  lutra_queue #(.Depth(Outstanding), .Width($bits(burst_t))) u_bursts (
    .clk_i,
    .rst_ni,
    .push_valid_i(burst_valid_i && !burst_empty_i && burst_ready_o),
    .push_ready_o(push_ready),
    .push_i(burst),
    .head_valid_o(head_valid),
    .head_ready_i(head_taken),
    .head_o(head)
  );

  // A burst with a fault is a beat of zeros, from nowhere.
  logic absent, beat_valid, beat_ready, last_beat, started_q, started_d;
  fault_e fault;
  assign absent = head_valid && head.fault != FaultNone;
  assign response_ready_o = beat_ready && !absent;
  assign beat_valid = absent || response_valid_i;
  assign last_beat = absent || response_last_i;
  assign head_taken = beat_valid && beat_ready && last_beat;
  always_comb begin
    fault = head.fault;
    if (!absent && response_error_i) fault = FaultBus;
    started_d = started_q;
    if (beat_valid && beat_ready) started_d = !last_beat;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) started_q <= 1'b0;
    else started_q <= started_d;
  end

  lutra_pack #(.DATA_WIDTH(DATA_WIDTH)) u_pack (
    .clk_i,
    .rst_ni,
    .beat_valid_i(beat_valid),
    .beat_ready_o(beat_ready),
    .beat_i(response_data_i),
    .zero_i(absent || response_error_i),
    .first_lane_i(started_q ? '0 : head.first_lane),
    .last_lane_i(last_beat ? head.last_lane : '1),
    .last_i(head.last && last_beat),
    .fault_i(fault),
    .row_valid_o,
    .row_ready_i,
    .row_o,
    .row_last_o,
    .row_fault_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      expected: assert (!response_valid_i || (head_valid && !absent)) else $error("a beat that was not asked for");
    end
  end
`endif

endmodule
