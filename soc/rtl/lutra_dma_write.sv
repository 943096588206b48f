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
  output logic   response_ready_o,
  input  logic   response_error_i,

  output logic   done_valid_o,
  output fault_e done_fault_o
);

  typedef struct packed {
    logic [LaneBits-1:0] first_lane;
    logic [LaneBits-1:0] last_lane;
    logic [3:0] beats;
    logic last;
    logic empty;
    fault_e fault;
  } burst_t;

  // An address may be ahead of its data.
  logic push_access, push_ready;
  burst_t burst;
  assign push_access = !burst_empty_i && burst_fault_i == FaultNone;
  assign burst_ready_o = push_ready && (request_ready_i || !push_access);
  assign request_valid_o = burst_valid_i && push_access && push_ready;
  assign request_address_o = burst_address_i;
  assign request_beats_o = burst_beats_i;
  assign burst = '{
    first_lane: burst_address_i[LaneBits-1:0], last_lane: burst_lane_i, beats: burst_beats_i,
    last: burst_last_i, empty: burst_empty_i, fault: burst_fault_i
  };

  logic head_valid, head_taken;
  burst_t head;
  lutra_queue #(.Depth(2), .Width($bits(burst_t))) u_bursts (
    .clk_i,
    .rst_ni,
    .push_valid_i(burst_valid_i && burst_ready_o),
    .push_ready_o(push_ready),
    .push_i(burst),
    .head_valid_o(head_valid),
    .head_ready_i(head_taken),
    .head_o(head)
  );

  // ---------------------------------------------------------------- data

  // The last beat waits until there is an entry for the response.
  logic access, final_beat, bytes_valid, beat_go, beat_taken, answer_ready;
  logic [3:0] beat_q, beat_d;
  fault_e fault_q, fault_d, fault;
  assign access = !head.empty && head.fault == FaultNone;
  assign final_beat = beat_q == head.beats || head.empty;
  assign beat_go = head_valid && (!final_beat || answer_ready);
  assign beat_valid_o = beat_go && access && bytes_valid;
  assign beat_taken = beat_go && (head.empty || (bytes_valid && (beat_ready_i || !access)));
  assign beat_last_o = final_beat;
  assign head_taken = beat_taken && final_beat;
  assign fault = fault_q == FaultNone ? head.fault : fault_q;

  lutra_unpack #(.DATA_WIDTH(DATA_WIDTH)) u_unpack (
    .clk_i,
    .rst_ni,
    .row_valid_i,
    .row_ready_o,
    .row_i,
    .first_lane_i(beat_q == '0 ? head.first_lane : '0),
    .last_lane_i(final_beat ? head.last_lane : '1),
    .last_i(head.last && final_beat),
    .beat_valid_o(bytes_valid),
    .beat_ready_i(beat_taken && !head.empty),
    .beat_o(beat_data_o),
    .strobe_o(beat_strobe_o)
  );

  always_comb begin
    beat_d = beat_q;
    if (beat_taken) beat_d = final_beat ? '0 : beat_q + 4'd1;
    fault_d = fault_q;
    if (head_taken) fault_d = head.last ? FaultNone : fault;
  end

  // ---------------------------------------------------------------- responses

  typedef struct packed {
    logic access;
    logic last;
    fault_e fault;
  } answer_t;

  logic awaited_valid, awaited_taken, bus_error, bus_error_q, bus_error_d;
  answer_t awaited;
  lutra_queue #(.Depth(Outstanding), .Width($bits(answer_t))) u_answers (
    .clk_i,
    .rst_ni,
    .push_valid_i(head_taken && (access || head.last)),
    .push_ready_o(answer_ready),
    .push_i({access, head.last, fault}),
    .head_valid_o(awaited_valid),
    .head_ready_i(awaited_taken),
    .head_o(awaited)
  );
  assign response_ready_o = !awaited_valid || awaited.access;
  assign awaited_taken = awaited_valid && (response_valid_i || !awaited.access);
  assign bus_error = bus_error_q || (response_valid_i && response_error_i);
  assign done_valid_o = awaited_taken && awaited.last;
  always_comb begin
    done_fault_o = awaited.fault;
    if (awaited.fault == FaultNone && bus_error) done_fault_o = FaultBus;
    bus_error_d = bus_error && !done_valid_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      fault_q <= FaultNone;
      bus_error_q <= 1'b0;
    end else begin
      beat_q <= beat_d;
      fault_q <= fault_d;
      bus_error_q <= bus_error_d;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      expected: assert (!response_valid_i || (awaited_valid && awaited.access))
        else $error("a response that nothing waits for");
    end
  end
`endif

endmodule
