// Numbers of packets in flight, and which completion may be posted next: of the packets that are done and wait for none,
// the oldest one.
//
// A packet waits for the one before it of its flow, if that is in flight; where the order is that of the ring, all
// packets are of one flow. So a packet has at most one that waits for it. The last packet of each flow is in a memory
// that nothing clears: it counts only if the packet with that number is in flight, and of the flow.

module lutra_cluster_order
  import lutra_cluster_layout_pkg::*;
#(
  parameter int unsigned PACKETS = ClusterPackets,  // numbers
  parameter int unsigned FLOW_BITS = ClusterFlowBits,
  localparam int unsigned OrderBits = $clog2(PACKETS)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic by_flow_i,

  // A packet is looked up two cycles before it is taken, or earlier.
  input  logic look_i,
  input  logic [FLOW_BITS-1:0] flow_i,
  input  logic take_i,
  output logic room_o,
  output logic [OrderBits-1:0] packet_o,

  input  logic done_i,
  input  logic [OrderBits-1:0] done_packet_i,

  output logic ready_o,
  output logic [OrderBits-1:0] ready_packet_o,
  input  logic read_i,            // the cycle before it is posted, in which none is taken
  input  logic post_i,
  input  logic [OrderBits-1:0] posted_packet_i,  // from read_i to post_i

  output logic idle_o,
  output logic late_o  // a packet is done, and none that is done may be posted
);

  typedef logic [OrderBits-1:0] order_t;
  typedef logic [FLOW_BITS-1:0] flow_t;

  order_t next_q;
  logic check_q;
  flow_t flow_q, flow_d;
  // A bit for each number: its packet is in flight; it is done; it waits for another one; another one waits for it.
  logic [PACKETS-1:0] flying_q, flying_d, done_q, done_d, waits_q, waits_d, followed_q, followed_d;

  // ---------------------------------------------------------- the packet before it
  order_t earlier, follower;
  flow_t earlier_flow;
  logic links;
  assign flow_d = by_flow_i ? flow_i : '0;
  assign links = take_i && flying_q[earlier] && earlier_flow == flow_q && !(post_i && posted_packet_i == earlier);

  lutra_sram #(
    .Depth(2 ** FLOW_BITS),
    .Width($bits(order_t))
  ) u_last (
    .clk_i,
    .req_i(look_i || take_i),
    .we_i(take_i),
    .index_i(take_i ? flow_q : flow_d),
    .wdata_i(next_q),
    .rdata_o(earlier)
  );
  lutra_sram #(
    .Depth(PACKETS),
    .Width(FLOW_BITS)
  ) u_flow (
    .clk_i,
    .req_i(check_q || take_i),
    .we_i(take_i),
    .index_i(take_i ? next_q : earlier),
    .wdata_i(flow_q),
    .rdata_o(earlier_flow)
  );
  lutra_sram #(
    .Depth(PACKETS),
    .Width($bits(order_t))
  ) u_follower (
    .clk_i,
    .req_i(links || read_i),
    .we_i(links),
    .index_i(links ? earlier : posted_packet_i),
    .wdata_i(next_q),
    .rdata_o(follower)
  );

  always_comb begin
    flying_d = flying_q;
    done_d = done_q;
    waits_d = waits_q;
    followed_d = followed_q;
    if (take_i) flying_d[next_q] = 1'b1;
    if (done_i) done_d[done_packet_i] = 1'b1;
    if (post_i) begin
      flying_d[posted_packet_i] = 1'b0;
      done_d[posted_packet_i] = 1'b0;
      followed_d[posted_packet_i] = 1'b0;
      if (followed_q[posted_packet_i]) waits_d[follower] = 1'b0;
    end
    if (links) begin
      waits_d[next_q] = 1'b1;
      followed_d[earlier] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q <= '0;
      check_q <= 1'b0;
      flying_q <= '0;
      done_q <= '0;
      waits_q <= '0;
      followed_q <= '0;
    end else begin
      next_q <= next_q + order_t'(take_i);
      check_q <= look_i;
      flying_q <= flying_d;
      done_q <= done_d;
      waits_q <= waits_d;
      followed_q <= followed_d;
    end
  end
  always_ff @(posedge clk_i) if (look_i) flow_q <= flow_d;

  assign room_o = !flying_q[next_q];
  assign packet_o = next_q;

  // -------------------------------------------------------------------- the choice
  // A tournament: the place of number n is PACKETS + n, the winner of places 2n and 2n + 1 gets n. Numbers from the next
  // one on were given out before those in front of it.
  typedef struct packed {
    logic ready;
    logic older;
    order_t packet;
  } candidate_t;
  candidate_t [2*PACKETS-1:0] candidates;
  always_comb begin
    candidates = '0;
    for (int n = 0; n < PACKETS; n++) begin
      candidates[PACKETS+n] = '{ready: done_q[n] && !waits_q[n], older: order_t'(n) >= next_q, packet: order_t'(n)};
    end
    for (int n = PACKETS - 1; n > 0; n--) begin
      candidates[n] = candidates[2*n+1].ready &&
                      (!candidates[2*n].ready || (candidates[2*n+1].older && !candidates[2*n].older)) ?
                      candidates[2*n+1] : candidates[2*n];
    end
  end
  assign ready_o = candidates[1].ready;
  assign ready_packet_o = candidates[1].packet;
  assign idle_o = flying_q == '0;
  assign late_o = done_q != '0 && !ready_o;

`ifndef SYNTHESIS
  logic read_q;
  always_ff @(posedge clk_i) read_q <= read_i;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      has_room: assert (!take_i || room_o) else $error("more packets than numbers");
      read_alone: assert (!read_i || !take_i) else $error("a memory with two accesses");
      post_after_read: assert (!post_i || read_q) else $error("who waits for the packet has not been read");
    end
  end
`endif

endmodule
