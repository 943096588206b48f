// From descriptors to completions: lutra_fetch, lutra_messages and lutra_complete. What is around and between them
// (rings, jobs, the store, addresses of entries, both ports) may do anything that its handshakes allow; messages may be
// done and may fail at any time. One slot, whichever, is watched.

module formal_completions
  import lutra_engine_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input message_slot_t watched_i,
  input logic [Rings-1:0] want_i,
  input logic [Rings-1:0] lost_i,
  input logic [Rings-1:0] phase_i,
  input logic [1:0] address_ready_i,
  input logic address_fault_i,
  input logic fetch_ready_i,
  input logic fetched_valid_i,
  input logic fetched_error_i,
  input logic [3:0] fail_valid_i,
  input message_slot_t [3:0] fail_slot_i,
  input logic [3:0][3:0] fail_status_i,
  input logic [2:0] done_valid_i,
  input message_slot_t [2:0] done_slot_i,
  input logic store_grant_i,
  input row_t store_data_i,
  input logic post_ready_i,
  input logic beat_ready_i,
  input logic posted_valid_i,
  input logic posted_error_i
);

  logic [Rings-1:0] fetched, posted, dropped, acked;
  message_slot_t oldest, filled, begin_slot;
  logic begin_valid, begin_ring, void_valid, beat_valid;
  logic [Slots-1:0] ring, done;
  logic [Slots-1:0][3:0] status;
  store_request_t store;

  lutra_fetch u_fetch (
    .clk_i, .rst_ni,
    .want_i,
    .asking_o(),
    .fetched_o(fetched),
    .refused_o(), .failed_o(),
    .address_valid_o(), .address_ring_o(),
    .address_ready_i(address_ready_i[0]),
    .address_taken_o(),
    .address_i('0),
    .address_fault_i,
    .request_valid_o(),
    .request_ready_i(fetch_ready_i),
    .request_address_o(), .request_beats_o(),
    .response_valid_i(fetched_valid_i),
    .response_data_i('0),
    .response_error_i(fetched_error_i),
    .response_last_i(u_fetch.beat_q == 3'd7),
    .oldest_i(oldest),
    .begin_valid_o(begin_valid),
    .begin_slot_o(begin_slot),
    .begin_ring_o(begin_ring),
    .filled_o(filled),
    .void_valid_o(void_valid),
    .void_ring_i(ring[filled]),
    .store_o()
  );

  lutra_messages u_messages (
    .clk_i,
    .begin_valid_i(begin_valid),
    .begin_slot_i(begin_slot),
    .begin_ring_i(begin_ring),
    .fail_valid_i({fail_valid_i, void_valid}),
    .fail_slot_i({fail_slot_i, filled}),
    .fail_status_i({fail_status_i, StatusVoid}),
    .done_valid_i, .done_slot_i,
    .ring_o(ring),
    .status_o(status),
    .done_o(done)
  );

  lutra_complete u_complete (
    .clk_i, .rst_ni,
    .big_endian_i(1'b0),
    .filled_i(filled),
    .oldest_o(oldest),
    .ring_i(ring),
    .status_i(status),
    .done_i(done),
    .core_i('0), .trap_i('0), .notify_i('0),
    .lost_i,
    .phase_i,
    .posted_o(posted),
    .dropped_o(dropped),
    .barred_o(),
    .acked_o(acked),
    .error_o(),
    .interrupt_o(),
    .address_valid_o(), .address_ring_o(),
    .address_ready_i(address_ready_i[1]),
    .address_taken_o(),
    .address_i('0),
    .address_fault_i,
    .store_o(store),
    .store_grant_i, .store_data_i,
    .words_i(words_of(store_data_i, 1'b0)),
    .request_valid_o(),
    .request_ready_i(post_ready_i),
    .request_address_o(), .request_beats_o(),
    .beat_valid_o(beat_valid),
    .beat_ready_i,
    .beat_data_o(), .beat_last_o(),
    .response_valid_i(posted_valid_i),
    .response_error_i(posted_error_i)
  );

  // ---------------------------------------------------------------- assumptions

  logic started_q = 1'b0;
  message_slot_t watched_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    watched_q <= watched_i;
  end
  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    else constant: assume (watched_i == watched_q);
    fetched_wanted: assume (!fetched_valid_i || u_fetch.next_q != filled);
    granted: assume (!store_grant_i || store.valid);
    beat_stays_ready: assume (!beat_valid || beat_ready_i);
    answer_wanted: assume (!posted_valid_i || u_complete.u_posted.count_q != '0);
  end

  // ---------------------------------------------------------------- one completion for each descriptor

  // Slots in use are those from the oldest to the next one.
  message_slot_t used;
  logic open_q, open_ring_q, begins, in_use;
  assign used = u_fetch.next_q - oldest;
  assign in_use = message_slot_t'(watched_i - oldest) < used;
  assign begins = begin_valid && begin_slot == watched_i;
  logic [Rings-1:0] ends;
  assign ends = posted | dropped;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (begins || (ends != '0 && oldest == watched_i)) open_q <= begins;
  end
  always_ff @(posedge clk_i) if (begins) open_ring_q <= begin_ring;
  always_comb if (rst_ni) begin
    one_at_a_time: assert (!(ends[0] && ends[1]) && (posted & dropped) == '0);
    begins_once: assert (!begins || !open_q);
    begins_for_ring: assert (!begins || fetched == Rings'(1) << begin_ring);
    ends_once: assert (ends == '0 || oldest != watched_i || open_q);
    ends_when_done: assert (ends == '0 || (oldest != filled && done[oldest]));
    ends_for_ring: assert (ends == '0 || oldest != watched_i || ends == Rings'(1) << open_ring_q);
    held: assert (open_q == in_use);
    posts: cover (posted[1]);
    drops: cover (dropped[0] && status[oldest] != StatusVoid);
    answers: cover (acked[0]);

    // What makes these inductive.
    of_its_ring: assert (!open_q || ring[watched_i] == open_ring_q);
    filled_between: assert (message_slot_t'(filled - oldest) <= used);
    not_full: assert (used != 4'd15 || !begin_valid);
    asks_with_room: assert (!u_fetch.asking_q || used != 4'd15);
    at_work: assert (u_complete.state_q == 2'd0 || (oldest != filled && done[oldest]));
    room_to_track: assert (!(u_complete.state_q inside {2'd2, 2'd3}) || u_complete.u_posted.count_q != 4'd8);
    tracks: assert (u_complete.u_posted.count_q <= 4'd8 && u_complete.u_posted.tail_q ==
                    3'(u_complete.u_posted.head_q + 3'(u_complete.u_posted.count_q)));
  end
endmodule
