// Fetches descriptors, from the rings in turn, and puts them into the store. The order in which they are asked for is
// the order of the stream.

module lutra_fetch
  import lutra_engine_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Rings.
  input  logic [Rings-1:0] want_i,
  output logic [Rings-1:0] asking_o,
  output logic [Rings-1:0] fetched_o,
  output logic [Rings-1:0] refused_o,
  output logic [Rings-1:0] failed_o,

  // Address of the next descriptor of the chosen ring.
  output logic address_valid_o,
  output logic address_ring_o,
  input  logic address_ready_i,
  output logic address_taken_o,
  input  logic [ADDR_WIDTH-1:0] address_i,
  input  logic address_fault_i,

  // The bus.
  output logic request_valid_o,
  input  logic request_ready_i,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  output logic [3:0] request_beats_o,
  input  logic response_valid_i,
  input  logic [DATA_WIDTH-1:0] response_data_i,
  input  logic response_error_i,
  input  logic response_last_i,

  // Slots: allocated, filled.
  input  message_slot_t oldest_i,     // not free
  output logic begin_valid_o, // a slot is allocated
  output message_slot_t begin_slot_o,
  output logic begin_ring_o,
  output message_slot_t filled_o,     // the first that is not filled
  output logic void_valid_o,  // the slot was not filled
  input  logic void_ring_i,   // of filled_o
  output store_request_t store_o
);

  localparam int unsigned Beats = 512 / DATA_WIDTH;
  localparam int unsigned BeatBits = $clog2(Beats);

  // ------------------------------------------------------------------- requests
  logic asking_q, asking_d, ring_q, ring_d;
  message_slot_t next_q, next_d;
  logic full, refused, granted;
  assign full = message_slot_t'(next_q + 4'd1) == oldest_i;
  assign address_valid_o = asking_q;
  assign address_ring_o = ring_q;
  assign request_valid_o = asking_q && address_ready_i && !address_fault_i;
  assign request_address_o = address_i;
  assign request_beats_o = 4'(Beats - 1);
  assign refused = asking_q && address_ready_i && address_fault_i;
  assign granted = request_valid_o && request_ready_i;
  assign address_taken_o = refused || granted;

  always_comb begin
    asking_d = asking_q;
    ring_d = ring_q;
    next_d = next_q + message_slot_t'(granted);
    asking_o = '0;
    asking_o[ring_q] = asking_q;
    fetched_o = '0;
    refused_o = '0;
    if (!asking_q) begin
      // The other ring than last time comes first.
      asking_d = want_i != '0 && !full;
      if (asking_d) ring_d = want_i[!ring_q] ? !ring_q : ring_q;
    end else if (address_taken_o) begin
      asking_d = 1'b0;
      refused_o[ring_q] = refused;
      fetched_o[ring_q] = granted;
    end
  end
  assign begin_valid_o = granted;
  assign begin_slot_o = next_q;
  assign begin_ring_o = ring_q;

  // ------------------------------------------------------------------ responses
  message_slot_t filled_q, filled_d;
  logic [BeatBits-1:0] beat_q, beat_d;
  logic error_q, error_d, error, done;
  assign error = error_q || response_error_i;
  assign done = response_valid_i && response_last_i;
  always_comb begin
    beat_d = beat_q + BeatBits'(response_valid_i);
    filled_d = filled_q + message_slot_t'(done);
    error_d = done ? 1'b0 : error_q || (response_valid_i && response_error_i);
    void_valid_o = done && error;
    failed_o = '0;
    failed_o[void_ring_i] = done && error;
  end
  assign filled_o = filled_q;

  // Byte 0 of a beat is the first byte of its row or half row.
  logic [DATA_WIDTH-1:0] bytes;
  for (genvar i = 0; i < DATA_WIDTH / 8; i++) begin : gen_byte
    assign bytes[8*i+:8] = response_data_i[DATA_WIDTH-8-8*i+:8];
  end
  always_comb begin
    store_o = '0;
    store_o.valid = response_valid_i;
    store_o.row = descriptor_row(filled_q, beat_q[BeatBits-1-:2]);
    if (DATA_WIDTH == 64) begin
      store_o.write = beat_q[0] ? 2'b01 : 2'b10;
      store_o.data = {2{bytes[63:0]}};
    end else begin
      store_o.write = 2'b11;
      store_o.data = row_t'(bytes);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asking_q <= 1'b0;
      ring_q <= 1'b0;
      next_q <= '0;
      filled_q <= '0;
      beat_q <= '0;
      error_q <= 1'b0;
    end else begin
      asking_q <= asking_d;
      ring_q <= ring_d;
      next_q <= next_d;
      filled_q <= filled_d;
      beat_q <= beat_d;
      error_q <= error_d;
    end
  end

endmodule
