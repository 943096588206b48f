// Posts completions, in the order of the stream, and frees the slots of their messages. The bus's answer advances the
// head of the ring.
//
// On a bus of 64 bits a completion is two writes, its last half first: a host that sees the phase sees all of it.

module lutra_complete
  import lutra_engine_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic big_endian_i,

  input  message_slot_t filled_i,   // the first slot that is not filled
  output message_slot_t oldest_o,   // the first in use
  input  logic [Slots-1:0] ring_i,
  input  logic [Slots-1:0][3:0] status_i,
  input  logic [Slots-1:0] done_i,

  // Of a raw run: state of the core, trap, notify; otherwise zero.
  input  logic [2:0] core_i,
  input  logic [3:0] trap_i,
  input  logic [7:0] notify_i,

  // Rings.
  input  logic [Rings-1:0] lost_i,  // completions cannot be written
  input  logic [Rings-1:0] phase_i,
  output logic [Rings-1:0] posted_o,
  output logic [Rings-1:0] dropped_o,
  output logic [Rings-1:0] barred_o,
  output logic [Rings-1:0] acked_o,
  output logic error_o,             // with acked_o
  output logic interrupt_o,         // with acked_o: the descriptor asks for one

  output logic address_valid_o,
  output logic address_ring_o,
  input  logic address_ready_i,
  output logic address_taken_o,
  input  logic [ADDR_WIDTH-1:0] address_i,
  input  logic address_fault_i,

  output store_request_t store_o,
  input  logic store_grant_i,
  input  row_t store_data_i,
  input  words_t words_i,           // the same as words

  output logic request_valid_o,
  input  logic request_ready_i,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  output logic [3:0] request_beats_o,
  output logic beat_valid_o,
  input  logic beat_ready_i,
  output logic [DATA_WIDTH-1:0] beat_data_o,
  output logic beat_last_o,
  input  logic response_valid_i,
  input  logic response_error_i
);

  localparam int unsigned Outstanding = 8;
  localparam bit Halves = DATA_WIDTH < 128;

  // Rows of the store go into the beats as they are read, so a row is read when its beat will be taken.
  typedef enum logic [1:0] {
    CompleteIdle,
    CompleteRequest,
    CompleteRead,
    CompleteBeat     // the row is at the store's output
  } complete_e;

  complete_e state_q, state_d;
  message_slot_t slot_q, slot_d;
  logic half_q, half_d, error_q, error_d;  // half: the last one, which comes first
  logic [63:0] record_q, record_d;         // on a wide bus, until the other half is there
  logic ring;
  logic [3:0] status;
  assign ring = ring_i[slot_q];
  assign status = status_i[slot_q];

  descriptor_control_t control;
  assign control = descriptor_control_t'(words_i[DescriptorControl]);

  completion_result_t result;
  always_comb begin
    result = '0;
    result.status = status;
    result.phase = phase_i[ring];
    result.core = core_i;
    result.trap = trap_i;
    result.notify = notify_i;
  end

  // The halves, each from its row of the store: of the descriptor the cookie, as it was in memory; of the record what the
  // engine wrote, whatever the order of bytes.
  function automatic logic [31:0] word(logic [31:0] value);
    return big_endian_i ? swapped(value) : value;
  endfunction
  words_t completion;
  logic [63:0] first, record;
  assign completion[CompletionCookie] = swapped(store_data_i[32*(3-DescriptorCookie)+:32]);
  assign completion[CompletionResult] = word(result);
  assign completion[CompletionBytes] = word(store_data_i[31:0]);
  assign completion[CompletionCycles] = word(store_data_i[127:96]);
  assign first = completion[1:0];
  assign record = completion[3:2];
  assign record_d = state_q == CompleteBeat && half_q ? record : record_q;

  logic track_ready, track_valid, track_ring, track_interrupt, track_last, ends;
  lutra_queue #(
    .Depth(Outstanding),
    .Width(3)
  ) u_posted (
    .clk_i,
    .rst_ni,
    .push_valid_i(ends),
    .push_ready_o(track_ready),
    .push_i({ring, control.interrupt, !half_q}),
    .head_valid_o(track_valid),
    .head_ready_i(response_valid_i),
    .head_o({track_ring, track_interrupt, track_last})
  );

  logic ready, none, beats;
  assign ready = state_q == CompleteIdle && slot_q != filled_i && done_i[slot_q];
  assign beats = Halves || !half_q;
  assign none = status == StatusVoid || lost_i[ring];
  always_comb begin
    store_o = '0;
    store_o.valid = state_q == CompleteRead && (beat_ready_i || !beats);
    store_o.row = descriptor_row(slot_q, half_q ? 2'(IvRow) : 2'(DescriptorControl / 4));
  end
  assign address_valid_o = state_q == CompleteRequest;
  // After an error of an earlier completion the count of the ring goes back, and with it the address.
  logic refused;
  assign refused = address_fault_i || lost_i[ring];
  assign request_valid_o = address_valid_o && address_ready_i && !refused && track_ready;
  assign beat_valid_o = state_q == CompleteBeat && beats;

  always_comb begin
    state_d = state_q;
    slot_d = slot_q;
    half_d = half_q;
    address_taken_o = 1'b0;
    posted_o = '0;
    dropped_o = '0;
    barred_o = '0;
    ends = 1'b0;

    unique case (state_q)
      CompleteRequest: begin
        address_taken_o = address_ready_i &&
                          (refused || (request_valid_o && request_ready_i && !(Halves && half_q)));
        if (request_valid_o && request_ready_i) state_d = CompleteRead;
        if (address_ready_i && refused) begin
          dropped_o[ring] = 1'b1;
          barred_o[ring] = !lost_i[ring];
          slot_d = slot_q + 4'd1;
          state_d = CompleteIdle;
        end
      end
      CompleteRead: if (store_grant_i) state_d = CompleteBeat;
      CompleteBeat: begin
        ends = beats;
        half_d = 1'b0;
        state_d = Halves ? CompleteRequest : CompleteRead;
        if (!half_q) begin
          posted_o[ring] = 1'b1;
          slot_d = slot_q + 4'd1;
          state_d = CompleteIdle;
        end
      end
      default: begin
        half_d = 1'b1;
        if (ready && none) begin
          dropped_o[ring] = 1'b1;
          slot_d = slot_q + 4'd1;
        end else if (ready) state_d = CompleteRequest;
      end
    endcase
  end

  assign oldest_o = slot_q;
  assign address_ring_o = ring;
  assign request_address_o = address_i | ADDR_WIDTH'({Halves && half_q, 3'd0});
  assign request_beats_o = '0;
  assign beat_last_o = 1'b1;
  assign beat_data_o = DATA_WIDTH'(half_q ? 128'(record) : {record_q, first});
  always_comb begin
    acked_o = '0;
    acked_o[track_ring] = response_valid_i && track_last;
    error_d = error_q;
    if (response_valid_i) error_d = !track_last && response_error_i;
  end
  assign error_o = response_error_i || error_q;
  assign interrupt_o = track_interrupt;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= CompleteIdle;
      slot_q <= '0;
      half_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      state_q <= state_d;
      slot_q <= slot_d;
      half_q <= half_d;
      error_q <= error_d;
    end
  end
  always_ff @(posedge clk_i) record_q <= record_d;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      posted: assert (!response_valid_i || track_valid) else $error("an answer to no completion");
      beat_used: assert (!beat_valid_o || beat_ready_i) else $error("a beat of a completion is lost");
    end
  end
`endif

endmodule
