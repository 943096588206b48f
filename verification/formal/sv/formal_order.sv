// Which completion may be posted next: lutra_cluster_order. PACKETS are looked up and taken, are done and are posted at
// any time that the unit allows. Of all numbers of packets one, whichever, is watched.

module formal_order
  import lutra_cluster_layout_pkg::*;
#(
  parameter int unsigned PACKETS = ClusterPackets,
  parameter int unsigned FLOW_BITS = ClusterFlowBits,
  localparam type order_t = logic [$clog2(PACKETS)-1:0],
  localparam type flow_t = logic [FLOW_BITS-1:0]
) (
  input logic clk_i,
  input logic rst_ni,
  input order_t watched_i,
  input logic by_flow_i,
  input logic look_i,
  input flow_t flow_i,
  input logic take_i,
  input logic done_i,
  input order_t done_packet_i,
  input logic read_i,
  input logic post_i,
  input order_t posted_packet_i
);

  logic room, ready, idle, late;
  order_t packet, ready_packet;
  lutra_cluster_order #(
    .PACKETS(PACKETS),
    .FLOW_BITS(FLOW_BITS)
  ) u_order (
    .clk_i, .rst_ni, .by_flow_i, .look_i, .flow_i, .take_i,
    .room_o(room),
    .packet_o(packet),
    .done_i, .done_packet_i,
    .ready_o(ready),
    .ready_packet_o(ready_packet),
    .read_i, .post_i, .posted_packet_i,
    .idle_o(idle),
    .late_o(late)
  );

  // ---------------------------------------------------------------- what was taken
  logic started_q = 1'b0;
  order_t watched_q, posted_q;
  logic looked_q, found_q, read_q;  // a packet is looked up, and what is before it is known; a packet is posted next
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    watched_q <= watched_i;
    posted_q <= posted_packet_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_q <= 1'b0;
      found_q <= 1'b0;
      read_q <= 1'b0;
    end else begin
      looked_q <= look_i || (looked_q && !take_i);
      found_q <= !look_i && looked_q && !take_i;
      read_q <= read_i;
    end
  end

  // Flow of each packet, as it was taken.
  flow_t looked_flow_q;
  flow_t [PACKETS-1:0] flows_q;
  always_ff @(posedge clk_i) begin
    if (look_i) looked_flow_q <= by_flow_i ? flow_i : '0;
    if (take_i) flows_q[packet] <= looked_flow_q;
  end

  // Which packets in flight were taken before which.
  logic [PACKETS-1:0][PACKETS-1:0] before_q;
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      for (int n = 0; n < PACKETS; n++) before_q[n][packet] <= 1'b1;
      before_q[packet] <= '0;
    end
  end
  logic [PACKETS-1:0] flying, done, waits, followed;
  assign flying = u_order.flying_q;
  assign done = u_order.done_q;
  assign waits = u_order.waits_q;
  assign followed = u_order.followed_q;

  // ---------------------------------------------------------------- assumptions
  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    else constant: assume (watched_i == watched_q);
    room_to_take: assume (!take_i || (room && found_q));
    looks_once: assume (!look_i || !looked_q);
    of_one_in_flight: assume (!done_i || (flying[done_packet_i] && !done[done_packet_i]));
    reads_alone: assume (!read_i || !take_i);
    posts_what_is_read: assume (post_i == read_q);
    same_packet: assume (!post_i || posted_packet_i == posted_q);
    // A packet is ready when it is chosen, and no packet is posted twice.
    posts_what_is_ready: assume (!read_i || (done[posted_packet_i] && !waits[posted_packet_i]));
    not_twice: assume (!post_i || !read_i);
  end

  // ---------------------------------------------------------------- in order, and no packet forgotten
  flow_t watched_flow;
  logic open, oldest;
  assign open = flying[watched_i];
  assign watched_flow = flows_q[watched_i];
  always_comb begin
    oldest = open;
    for (int n = 0; n < PACKETS; n++) if (flying[n] && before_q[n][watched_i]) oldest = 1'b0;
  end
  always_comb if (rst_ni) begin
    in_order: assert (!post_i || !open || posted_packet_i == watched_i || flows_q[posted_packet_i] != watched_flow ||
                      !before_q[watched_i][posted_packet_i]);
    posted_in_flight: assert (!post_i || flying[posted_packet_i]);
    offers_what_is_ready: assert (!ready || (flying[ready_packet] && done[ready_packet] && !waits[ready_packet]));
    offers_one_that_is: assert (!(done[watched_i] && !waits[watched_i]) || ready);
    oldest_never_waits: assert (!oldest || !waits[watched_i]);
    number_is_free: assert (!take_i || !flying[packet]);
    overtakes: cover (post_i && open && before_q[watched_i][posted_packet_i]);
    chain: cover (ready && flying == PACKETS'(7) && followed == PACKETS'(3) && done == PACKETS'(7));

    // Invariants for induction.
    looked_flow: assert (!looked_q || u_order.flow_q == looked_flow_q);
    checks: assert (u_order.check_q == (looked_q && !found_q));
    found_looked: assert (!found_q || looked_q);
    last_read: assert (!looked_q || u_order.earlier == u_order.u_last.mem_q[u_order.flow_q]);
    flow_read: assert (!found_q || u_order.earlier_flow == u_order.u_flow.mem_q[u_order.earlier]);
    read_same: assert (u_order.read_q == read_q);
    reads: assert (!read_q || (flying[posted_q] && done[posted_q] && !waits[posted_q]));
    follower_read: assert (!read_q || !followed[posted_q] ||
                           u_order.follower == u_order.u_follower.mem_q[posted_q]);
    done_in_flight: assert ((done & ~flying) == '0);
    waits_in_flight: assert ((waits & ~flying) == '0);
    followed_in_flight: assert ((followed & ~flying) == '0);
  end

  // The last packet of the watched one's flow is in flight, and none is younger.
  order_t last;
  assign last = u_order.u_last.mem_q[watched_flow];
  always_comb if (rst_ni && open) begin
    last_in_flight: assert (flying[last] && flows_q[last] == watched_flow && !before_q[last][watched_i]);
  end

  // Which packet each one waits for.
  order_t [PACKETS-1:0] awaited_q;
  order_t awaited;
  assign awaited = awaited_q[watched_i];
  always_ff @(posedge clk_i) if (take_i) awaited_q[packet] <= u_order.earlier;
  always_comb if (rst_ni && waits[watched_i]) begin
    awaits_one: assert (flying[awaited] && followed[awaited] && before_q[awaited][watched_i] &&
                        u_order.u_follower.mem_q[awaited] == watched_i);
  end

  for (genvar n = 0; n < PACKETS; n++) begin : gen_packet
    order_t follower;
    flow_t flow;
    assign follower = u_order.u_follower.mem_q[n];
    assign flow = flows_q[n];
    always_comb if (rst_ni) begin
      total: assert (!(open && flying[n] && watched_i != order_t'(n)) ||
                     before_q[watched_i][n] != before_q[n][watched_i]);
      behind_waits: assert (!(open && flying[n] && flow == watched_flow && before_q[watched_i][n]) || waits[n]);
      flows_kept: assert (!flying[n] || u_order.u_flow.mem_q[n] == flow);
      follower_behind: assert (!followed[n] || (waits[follower] && awaited_q[follower] == order_t'(n) &&
                               before_q[n][follower] && flows_q[follower] == flow));
      none_between: assert (!(followed[n] && open && watched_flow == flow && before_q[n][watched_i]) ||
                            !before_q[watched_i][follower]);
    end
  end

endmodule
