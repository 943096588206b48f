// Completions in a cluster: lutra_cluster_reorder, around any choice of what is posted next that formal_order allows.
// Cores may complete packets in any order and at any time, each packet once, its last half first; the port may do
// anything that its handshakes allow. One number of a packet, whichever, is watched.

module formal_reorder
  import lutra_cluster_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input order_t watched_i,
  input logic clear_i,
  input logic [3:0] log2_i,
  input logic [39:0] base_i,
  input logic take_i,
  input logic done_valid_i,
  input order_t done_packet_i,
  input logic done_half_i,
  input logic [63:0] done_data_i,
  input logic request_ready_i,
  input logic beat_ready_i,
  input logic response_valid_i,
  input logic response_error_i
);

  logic room, idle, request_valid, beat_valid;
  logic [15:0] head;
  logic [39:0] request_address;
  logic [63:0] beat_data;
  order_t packet;
  lutra_cluster_reorder #(
    .ADDR_WIDTH(40)
  ) u_reorder (
    .clk_i, .rst_ni, .clear_i, .log2_i, .base_i,
    .by_flow_i(1'b0), .look_i(1'b0), .flow_i('0),  // of the choice
    .posted_o(),
    .head_o(head),
    .idle_o(idle),
    .late_o(), .error_o(), .acked_o(),
    .take_i,
    .room_o(room),
    .packet_o(packet),
    .done_valid_i, .done_packet_i, .done_half_i, .done_data_i,
    .request_valid_o(request_valid),
    .request_ready_i,
    .request_address_o(request_address),
    .beat_valid_o(beat_valid),
    .beat_ready_i,
    .beat_data_o(beat_data),
    .response_valid_i, .response_error_i
  );

  // ---------------------------------------------------------------- what was taken, and what was completed
  logic started_q = 1'b0;
  order_t watched_q;
  logic [39:0] base_q;
  logic [3:0] log2_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    watched_q <= watched_i;
    base_q <= base_i;
    log2_q <= log2_i;
  end

  // Completions since the counts began at 0.
  logic [15:0] posted_q;
  logic open_q, last_half_q, complete_q;  // of the watched number: in flight, its halves are there
  logic [63:0] halves_q[2];
  logic takes, completes, posts, of_watched, second_beat;
  assign takes = take_i && packet == watched_i;
  assign completes = done_valid_i && done_packet_i == watched_i;
  assign second_beat = beat_valid && !u_reorder.half_q;
  assign of_watched = u_reorder.chosen_q == watched_i;
  assign posts = second_beat && of_watched;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      posted_q <= '0;
      open_q <= 1'b0;
      last_half_q <= 1'b0;
      complete_q <= 1'b0;
    end else begin
      posted_q <= clear_i ? '0 : posted_q + 16'(second_beat);
      if (takes || posts) open_q <= takes;
      if (completes || posts) last_half_q <= completes && done_half_i;
      if ((completes && !done_half_i) || posts) complete_q <= completes && !done_half_i;
    end
  end
  always_ff @(posedge clk_i) if (completes) halves_q[done_half_i] <= done_data_i;

  // The inputs of lutra_cluster_order.
  logic reads, tells_post, read_q;
  order_t told, told_q;
  assign reads = u_reorder.read && !u_reorder.half_q;
  assign tells_post = u_reorder.posts;
  assign told = u_reorder.chosen_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= 1'b0;
    else read_q <= reads;
  end
  always_ff @(posedge clk_i) told_q <= told;

  // ---------------------------------------------------------------- assumptions
  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    else constant: assume (watched_i == watched_q && base_i == base_q && log2_i == log2_q);
    ring_size: assume (log2_i >= 4'd1);
    // A number is free when it is taken, and what may be posted is in flight and done (formal_order).
    room_to_take: assume (!take_i || room);
    free_number: assume (!takes || !open_q);
    offered: assume (!u_reorder.ready || u_reorder.ready_packet != watched_i || (open_q && complete_q));
    at_rest: assume (!clear_i || (idle && !take_i));
    rest_is_none: assume (!idle || !(open_q || u_reorder.state_q != 2'd0));
    // A core completes what it has, the last half before the first one.
    of_a_core: assume (!completes || (open_q && !complete_q && done_half_i == !last_half_q));
    beat_stays_ready: assume (!beat_valid || beat_ready_i);
    // An answer comes after its half.
    answer_wanted: assume (!response_valid_i ||
                           u_reorder.unanswered_q > 4'(u_reorder.state_q inside {2'd2, 2'd3}));
  end

  // ---------------------------------------------------------------- one place, one time
  logic [15:0] index;
  assign index = posted_q & ((16'd1 << log2_i) - 16'd1);
  // Writes that were asked for of the packet that is posted next.
  logic [1:0] asked;
  assign asked = 2'(!u_reorder.half_q) + 2'(u_reorder.state_q inside {2'd2, 2'd3});
  logic [63:0] expected;
  always_comb begin
    expected = halves_q[u_reorder.half_q];
    if (!u_reorder.half_q) expected[40] = ((posted_q >> log2_i) & 16'd1) == '0;
  end
  always_comb if (rst_ni) begin
    posted_once: assert (!posts || open_q);
    when_complete: assert (!beat_valid || !of_watched || complete_q);
    as_completed: assert (!beat_valid || !of_watched || beat_data == expected);
    at_its_place: assert (!request_valid || request_address == base_i + 40'({index, u_reorder.half_q, 3'd0}));
    head_is_posted: assert (u_reorder.error_q || 16'(posted_q - head) <= 16'd7);
    another_first: cover (complete_q && !of_watched && posted_q == 16'd1);
    wraps: cover (posts && log2_i == 4'd1 && posted_q == 16'd2);

    // Assumptions of formal_order.
    reads_alone: assert (!reads || !take_i);
    posts_what_is_read: assert (tells_post == read_q);
    same_packet: assert (!tells_post || told == told_q);
    posts_what_is_ready: assert (!reads || !of_watched || complete_q);
    not_twice: assert (!tells_post || !reads);
    done_once: assert (!completes || done_half_i || (open_q && !complete_q));

    // Invariants for induction.
    same_count: assert (posted_q == u_reorder.posted_q);
    done_open: assert (!complete_q || open_q);
    half_open: assert (!last_half_q || (open_q && !complete_q));
    first_stored: assert (!complete_q || u_reorder.gen_half[0].u_sram.mem_q[watched_i] == halves_q[0]);
    last_stored: assert (!(complete_q || last_half_q) || u_reorder.gen_half[1].u_sram.mem_q[watched_i] == halves_q[1]);
    busy_when_done: assert (u_reorder.state_q == 2'd0 || !of_watched || complete_q);
    first_half: assert (u_reorder.state_q != 2'd0 || u_reorder.half_q);
    beat_after_read: assert (read_q == (u_reorder.state_q == 2'd3 && !u_reorder.half_q));
    told_kept: assert (!read_q || told == told_q);
    at_output: assert (u_reorder.state_q != 2'd3 || !of_watched || u_reorder.halves[0] == halves_q[0]);
    at_output_last: assert (u_reorder.state_q != 2'd3 || !of_watched || u_reorder.halves[1] == halves_q[1]);
    answers: assert (u_reorder.error_q || {posted_q - head, 1'b0} + 17'(asked) ==
                     17'(u_reorder.unanswered_q) + 17'(u_reorder.second_q));
    halves_pair: assert (asked[0] ^ u_reorder.unanswered_q[0] ^ u_reorder.second_q == 1'b0);
    few_unanswered: assert (u_reorder.unanswered_q <= 4'd14);
  end
endmodule
