// Completions in order. A packet gets its number when a core is chosen for it. Cores complete packets in any order; what
// they say waits here until the packets before it of its flow have been posted, or all packets before it, as the host
// wants it. So packets of a flow are in order whatever core they went to.
//
// A completion has 16 bytes in two halves of 8, and comes and goes as halves: on a bus of 64 bits the last half, then
// the first one, which has the phase.

module lutra_cluster_reorder
  import lutra_cluster_pkg::*;
  import lutra_layout_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,  // counts begin at 0; nothing is in flight
  input  logic by_flow_i,

  input  logic [3:0] log2_i,
  input  logic [ADDR_WIDTH-1:0] base_i,
  output logic [15:0] posted_o,  // completions on their way to memory, or there
  output logic [15:0] head_o,    // and acknowledged
  output logic idle_o,
  output logic late_o,   // a packet is done, and all that are wait for another one
  output logic error_o,  // a completion could not be written
  output logic acked_o,

  input  logic look_i,   // two cycles before take_i, or earlier
  input  flow_t flow_i,
  input  logic take_i,
  output logic room_o,
  output order_t packet_o,

  input  logic done_valid_i,
  input  order_t done_packet_i,
  input  logic done_half_i,
  input  logic [63:0] done_data_i,

  output logic request_valid_o,
  input  logic request_ready_i,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  output logic beat_valid_o,
  input  logic beat_ready_i,
  output logic [63:0] beat_data_o,
  input  logic response_valid_i,
  input  logic response_error_i
);

  typedef enum logic [1:0] {
    ReorderIdle,
    ReorderRequest,
    ReorderRead,
    ReorderBeat      // the half is at the memory's output
  } reorder_e;

  reorder_e state_q, state_d;
  order_t chosen_q, chosen_d;  // the packet that is posted
  logic half_q, half_d, error_q, error_d;
  logic [15:0] posted_q, posted_d, head_q, head_d;  // completions
  logic [3:0] unanswered_q, unanswered_d;           // writes, two for each completion

  logic posts, read, ready, none;
  order_t ready_packet;
  assign read = state_q == ReorderRead && !done_valid_i && !take_i && beat_ready_i;
  assign posts = state_q == ReorderBeat && !half_q;

  lutra_cluster_order u_order (
    .clk_i,
    .rst_ni,
    .by_flow_i,
    .look_i,
    .flow_i,
    .take_i,
    .room_o,
    .packet_o,
    .done_i(done_valid_i && !done_half_i),
    .done_packet_i,
    .ready_o(ready),
    .ready_packet_o(ready_packet),
    .read_i(read && !half_q),
    .post_i(posts),
    .posted_packet_i(chosen_q),
    .idle_o(none),
    .late_o
  );

  // ---------------------------------------------------------------------- memory
  logic [63:0] halves[2];
  for (genvar h = 0; h < 2; h++) begin : gen_half
    lutra_sram #(
      .Depth(Packets),
      .Width(64)
    ) u_sram (
      .clk_i,
      .req_i(done_valid_i ? done_half_i == h : read),
      .we_i(done_valid_i),
      .index_i(done_valid_i ? done_packet_i : chosen_q),
      .wdata_i(done_data_i),
      .rdata_o(halves[h])
    );
  end

  // ------------------------------------------------------------------- completion
  logic [15:0] index;
  completion_result_t result;
  always_comb begin
    index = posted_q & ((16'd1 << log2_i) - 16'd1);
    result = completion_result_t'(halves[0][63:32]);
    result.phase = ((posted_q >> log2_i) & 16'd1) == '0;
  end
  assign request_valid_o = state_q == ReorderRequest && unanswered_q < 4'd14;
  assign request_address_o = base_i + ADDR_WIDTH'({index, half_q, 3'd0});
  assign beat_valid_o = state_q == ReorderBeat;
  assign beat_data_o = half_q ? halves[1] : {result, halves[0][31:0]};

  always_comb begin
    state_d = state_q;
    half_d = half_q;
    chosen_d = chosen_q;
    unique case (state_q)
      ReorderRequest: if (request_valid_o && request_ready_i) state_d = ReorderRead;
      ReorderRead: if (read) state_d = ReorderBeat;
      ReorderBeat: begin
        half_d = !half_q;
        state_d = half_q ? ReorderRequest : ReorderIdle;
      end
      default: begin
        chosen_d = ready_packet;
        if (ready) state_d = ReorderRequest;
      end
    endcase
  end

  always_comb begin
    posted_d = posted_q + 16'(posts);
    unanswered_d = unanswered_q + 4'(request_valid_o && request_ready_i) - 4'(response_valid_i);
    error_d = error_q || (response_valid_i && response_error_i);
    head_d = head_q + 16'(acked_o && !error_d);
    if (clear_i) begin
      posted_d = '0;
      head_d = '0;
      error_d = 1'b0;
    end
  end

  // Answers come in order, two for each completion.
  logic second_q, second_d;
  assign second_d = second_q ^ response_valid_i;
  assign acked_o = response_valid_i && second_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= ReorderIdle;
      chosen_q <= '0;
      half_q <= 1'b1;
      error_q <= 1'b0;
      posted_q <= '0;
      head_q <= '0;
      unanswered_q <= '0;
      second_q <= 1'b0;
    end else begin
      state_q <= state_d;
      chosen_q <= chosen_d;
      half_q <= half_d;
      error_q <= error_d;
      posted_q <= posted_d;
      head_q <= head_d;
      unanswered_q <= unanswered_d;
      second_q <= second_d;
    end
  end

  assign posted_o = posted_q;
  assign head_o = head_q;
  assign idle_o = none && unanswered_q == '0;
  assign error_o = error_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      beat_used: assert (!beat_valid_o || beat_ready_i) else $error("a half of a completion is lost");
    end
  end
`endif

endmodule
