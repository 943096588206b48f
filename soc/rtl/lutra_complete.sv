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

  typedef enum logic [2:0] {
    CompleteIdle,
    CompleteControl,  // cookie and flags are at the store's output
    CompleteRecord,
    CompleteWords,    // the record is at the store's output
    CompleteRequest,
    CompleteBeat
  } complete_e;

  complete_e state_q, state_d;
  message_slot_t slot_q, slot_d;
  logic [31:0] cookie_q, cookie_d, cycles_q, cycles_d, bytes_q, bytes_d;
  logic interrupt_q, interrupt_d, half_q, half_d, error_q, error_d;
  logic ring;
  logic [3:0] status;
  assign ring = ring_i[slot_q];
  assign status = status_i[slot_q];

  words_t words;
  descriptor_control_t control;
  assign words = words_of(store_data_i, big_endian_i);
  assign control = descriptor_control_t'(words[DescriptorControl]);

  completion_result_t result;
  always_comb begin
    result = '0;
    result.status = status;
    result.phase = phase_i[ring];
    result.core = core_i;
    result.trap = trap_i;
    result.notify = notify_i;
  end

  words_t completion;
  logic [127:0] bytes;
  always_comb begin
    completion[CompletionCookie] = cookie_q;
    completion[CompletionResult] = result;
    completion[CompletionBytes] = bytes_q;
    completion[CompletionCycles] = cycles_q;
    for (int i = 0; i < 4; i++) bytes[32*i+:32] = big_endian_i ? swapped(completion[i]) : completion[i];
  end

  logic track_ready, track_valid, track_ring, track_interrupt, track_last, ends;
  lutra_queue #(
    .Depth(Outstanding),
    .Width(3)
  ) u_posted (
    .clk_i,
    .rst_ni,
    .push_valid_i(ends),
    .push_ready_o(track_ready),
    .push_i({ring, interrupt_q, !half_q}),
    .head_valid_o(track_valid),
    .head_ready_i(response_valid_i),
    .head_o({track_ring, track_interrupt, track_last})
  );

  logic ready, none;
  assign ready = state_q == CompleteIdle && slot_q != filled_i && done_i[slot_q];
  assign none = status == StatusVoid || lost_i[ring];
  always_comb begin
    store_o = '0;
    store_o.valid = (ready && !none) || state_q == CompleteRecord;
    store_o.row = descriptor_row(slot_q, 2'(state_q == CompleteIdle ? DescriptorControl / 4 : IvRow));
  end
  assign address_valid_o = state_q == CompleteRequest;
  // After an error of an earlier completion the count of the ring goes back, and with it the address.
  logic refused;
  assign refused = address_fault_i || lost_i[ring];
  assign request_valid_o = address_valid_o && address_ready_i && !refused && track_ready;
  assign beat_valid_o = state_q == CompleteBeat;

  always_comb begin
    state_d = state_q;
    slot_d = slot_q;
    cookie_d = cookie_q;
    cycles_d = cycles_q;
    bytes_d = bytes_q;
    interrupt_d = interrupt_q;
    half_d = half_q;
    address_taken_o = 1'b0;
    posted_o = '0;
    dropped_o = '0;
    barred_o = '0;
    ends = 1'b0;

    unique case (state_q)
      CompleteControl: begin
        cookie_d = words[DescriptorCookie];
        interrupt_d = control.interrupt;
        state_d = CompleteRecord;
      end
      CompleteRecord: begin
        if (store_grant_i) state_d = CompleteWords;
      end
      CompleteWords: begin
        // As the engine wrote it, whatever the order of bytes.
        cycles_d = store_data_i[127:96];
        bytes_d = store_data_i[31:0];
        half_d = Halves;
        state_d = CompleteRequest;
      end
      CompleteRequest: begin
        address_taken_o = address_ready_i && (refused || (request_valid_o && request_ready_i && !half_q));
        if (request_valid_o && request_ready_i) state_d = CompleteBeat;
        if (address_ready_i && refused) begin
          dropped_o[ring] = 1'b1;
          barred_o[ring] = !lost_i[ring];
          slot_d = slot_q + 4'd1;
          state_d = CompleteIdle;
        end
      end
      CompleteBeat: begin
        if (beat_ready_i) begin
          ends = 1'b1;
          half_d = 1'b0;
          state_d = CompleteRequest;
          if (!half_q) begin
            posted_o[ring] = 1'b1;
            slot_d = slot_q + 4'd1;
            state_d = CompleteIdle;
          end
        end
      end
      default: begin
        if (ready && none) begin
          dropped_o[ring] = 1'b1;
          slot_d = slot_q + 4'd1;
        end else if (store_grant_i) state_d = CompleteControl;
      end
    endcase
  end

  assign oldest_o = slot_q;
  assign address_ring_o = ring;
  assign request_address_o = address_i | ADDR_WIDTH'({half_q, 3'd0});
  assign request_beats_o = '0;
  assign beat_last_o = 1'b1;
  assign beat_data_o = DATA_WIDTH'(half_q ? bytes[127:64] : bytes);
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
  always_ff @(posedge clk_i) begin
    cookie_q <= cookie_d;
    cycles_q <= cycles_d;
    bytes_q <= bytes_d;
    interrupt_q <= interrupt_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) posted: assert (!response_valid_i || track_valid) else $error("an answer to no completion");
  end
`endif

endmodule
