// Writes of a pair: lutra_cluster_join. Both cores may show any addresses and beats, as managers do that show the address
// of a burst before its beats; a difference may be found elsewhere at any time.

module formal_join
  import lutra_soc_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic joined_i,
  input logic broken_i,
  input logic [7:0] patience_i,
  input logic [1:0] awvalid_i,
  input logic [1:0][IdWidth-1:0] awid_i,
  input logic [1:0][39:0] awaddr_i,
  input logic [1:0][7:0] awlen_i,
  input logic [1:0] wvalid_i,
  input logic [1:0][63:0] wdata_i,
  input logic [1:0][7:0] wstrb_i,
  input logic [1:0] wlast_i,
  input logic [1:0] bus_awready_i,
  input logic [1:0] bus_wready_i
);

  logic differs;
  logic [1:0] awready, wready, bus_awvalid, bus_wvalid;
  logic [1:0][7:0] bus_wstrb;
  lutra_cluster_join #(
    .ADDR_WIDTH(40)
  ) u_join (
    .clk_i, .rst_ni, .joined_i, .broken_i, .patience_i,
    .differs_o(differs),
    .awvalid_i,
    .awready_o(awready),
    .awid_i, .awaddr_i, .awlen_i, .wvalid_i,
    .wready_o(wready),
    .wdata_i, .wstrb_i, .wlast_i,
    .bus_awvalid_o(bus_awvalid),
    .bus_awready_i,
    .bus_wvalid_o(bus_wvalid),
    .bus_wready_i,
    .bus_wstrb_o(bus_wstrb)
  );

  // ---------------------------------------------------------------- what was shown, and what was taken
  logic started_q = 1'b0;
  logic joined_q, broken_q, differs_q;
  logic [1:0] aw_waits_q, w_waits_q;               // of the cores
  logic [1:0] bus_aw_waits_q, bus_w_waits_q;       // on the buses
  logic [1:0] aw_sent_q, w_sent_q;                 // on its bus, and still shown by the core
  logic [1:0][IdWidth+47:0] aw_q;
  logic [1:0][72:0] w_q;
  logic [1:0][7:0] bus_wstrb_q;
  logic [1:0][1:0] ahead_q;                        // bursts whose address was shown, and whose last beat was not taken
  logic [1:0] agreed_q;                            // of the first core's, those whose address was that of the other one
  logic met_q;                                     // the addresses that are shown have met
  logic [7:0] equal, equal_q;                      // bytes of the beats; of the beat on the bus when it came
  logic bound, both;
  logic [1:0] begins, ends, aw_taken, w_taken, bus_aw_taken, bus_w_taken;
  assign bound = joined_i && !broken_i;
  assign both = &awvalid_i;
  assign begins = awvalid_i & ~aw_waits_q;
  assign aw_taken = awvalid_i & awready;
  assign w_taken = wvalid_i & wready;
  assign ends = w_taken & wlast_i;
  assign bus_aw_taken = bus_awvalid & bus_awready_i;
  assign bus_w_taken = bus_wvalid & bus_wready_i;
  logic meets;
  assign meets = bound && both && !met_q && {awid_i[0], awaddr_i[0], awlen_i[0]} == {awid_i[1], awaddr_i[1], awlen_i[1]};
  always_comb begin
    for (int b = 0; b < 8; b++) begin
      equal[b] = wvalid_i == '1 && wstrb_i[0][b] && wstrb_i[1][b] && wdata_i[0][8*b+:8] == wdata_i[1][8*b+:8];
    end
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    for (int s = 0; s < 2; s++) begin
      aw_q[s] <= {awid_i[s], awaddr_i[s], awlen_i[s]};
      w_q[s] <= {wlast_i[s], wstrb_i[s], wdata_i[s]};
    end
    bus_wstrb_q <= bus_wstrb;
    if (!bus_w_waits_q[0]) equal_q <= equal;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {joined_q, broken_q, differs_q} <= '0;
      {aw_waits_q, w_waits_q, bus_aw_waits_q, bus_w_waits_q} <= '0;
      {aw_sent_q, w_sent_q} <= '0;
      ahead_q <= '0;
      agreed_q <= '0;
      met_q <= 1'b0;
    end else begin
      {joined_q, broken_q, differs_q} <= {joined_i, broken_i, differs};
      aw_waits_q <= awvalid_i & ~awready;
      w_waits_q <= wvalid_i & ~wready;
      bus_aw_waits_q <= bus_awvalid & ~bus_awready_i;
      bus_w_waits_q <= bus_wvalid & ~bus_wready_i;
      aw_sent_q <= (aw_sent_q | bus_aw_taken) & ~aw_taken;
      w_sent_q <= (w_sent_q | bus_w_taken) & ~w_taken;
      for (int s = 0; s < 2; s++) ahead_q[s] <= ahead_q[s] + 2'(begins[s]) - 2'(ends[s]);
      agreed_q <= joined_i ? agreed_q + 2'(meets) - 2'(ends[0] && agreed_q != '0) : '0;
      met_q <= joined_i && (met_q || (bound && both)) && !aw_taken[0];
    end
  end

  // ---------------------------------------------------------------- assumptions
  logic still;  // neither core writes
  assign still = {awvalid_i, wvalid_i, ahead_q} == '0;
  logic [1:0] aw_kept, w_kept;
  always_comb begin
    for (int s = 0; s < 2; s++) begin
      aw_kept[s] = awvalid_i[s] && {awid_i[s], awaddr_i[s], awlen_i[s]} == aw_q[s];
      w_kept[s] = wvalid_i[s] && {wlast_i[s], wstrb_i[s], wdata_i[s]} == w_q[s];
    end
  end
  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    joined_when_still: assume (joined_i == joined_q || still);
    broken_is_sticky: assume (!joined_i || !(broken_q || differs_q) || broken_i || !joined_q);
    broken_in_a_pair: assume (!broken_i || joined_i);
    address_stays: assume ((aw_waits_q & ~aw_kept) == '0);
    beat_stays: assume ((w_waits_q & ~w_kept) == '0);
    address_first: assume ((wvalid_i & ~{ahead_q[1] != '0, ahead_q[0] != '0}) == '0);
    few_bursts: assume ((begins & {ahead_q[1] == '1, ahead_q[0] == '1}) == '0);
  end

  logic alike;  // so far
  assign alike = joined_q && !broken_q && !differs_q;

  // ---------------------------------------------------------------- what reaches the buses
  always_comb if (rst_ni) begin
    both_have_the_byte: assert (!joined_i || !bus_wvalid[0] ||
                                (bus_wstrb[0] & ~(bus_w_waits_q[0] ? equal_q : equal)) == '0);
    both_have_the_address: assert (!joined_i || !bus_wvalid[0] || bus_wstrb[0] == '0 || agreed_q != '0);
    second_writes_nothing: assert (!joined_i || bus_wstrb[1] == '0);
    left_out_is_noticed: assert (!joined_i || !bus_wvalid[0] || bus_wstrb[0] == wstrb_i[0] || broken_i || differs);
    addresses_together: assert (!bound || aw_taken[0] == aw_taken[1]);
    beats_together: assert (!bound || w_taken[0] == w_taken[1]);
    address_on_the_bus: assert ((aw_taken & ~(aw_sent_q | bus_aw_taken)) == '0);
    beat_on_the_bus: assert ((w_taken & ~(w_sent_q | bus_w_taken)) == '0);
    address_once: assert ((bus_awvalid & ~(awvalid_i & ~aw_sent_q)) == '0);
    beat_once: assert ((bus_wvalid & ~(wvalid_i & ~w_sent_q)) == '0);
    address_stays_on_the_bus: assert ((bus_aw_waits_q & ~bus_awvalid) == '0);
    beat_stays_on_the_bus: assert ((bus_w_waits_q & ~bus_wvalid) == '0);
    strobes_stay: assert ((bus_w_waits_q & {bus_wstrb[1] != bus_wstrb_q[1], bus_wstrb[0] != bus_wstrb_q[0]}) == '0);
    apart: assert (joined_i || {bus_awvalid, bus_wvalid, bus_wstrb, awready & awvalid_i, wready & wvalid_i} ==
                   {awvalid_i, wvalid_i, wstrb_i, bus_awready_i & awvalid_i, bus_wready_i & wvalid_i});
    written: cover (joined_i && bus_w_taken[0] && bus_wstrb[0] == '1 && agreed_q != '0);
    another_address: cover (bound && both && differs && !met_q);
    another_byte: cover (bound && wvalid_i == '1 && differs && agreed_q != '0);
    too_late: cover (bound && differs && !both && wvalid_i == '0 && patience_i == 8'd1);

    // Invariants that the induction needs.
    sent_aw: assert (u_join.aw_taken_q == aw_sent_q);
    sent_w: assert (u_join.w_taken_q == w_sent_q);
    waits_sent: assert ((aw_sent_q & ~aw_waits_q) == '0 && (w_sent_q & ~w_waits_q) == '0);
    waits_shown: assert ((bus_aw_waits_q & ~aw_waits_q) == '0 && (bus_w_waits_q & ~w_waits_q) == '0);
    waits_or_sent: assert ((bus_aw_waits_q & aw_sent_q) == '0 && (bus_w_waits_q & w_sent_q) == '0);
    shown: assert (u_join.shown_q == (joined_q && bus_w_waits_q[0]));
    as_agreed: assert (!alike || ahead_q[0] == agreed_q + 2'(aw_waits_q[0] && !met_q));
    as_agreed_by_both: assert (!alike || ahead_q[1] == agreed_q + 2'(aw_waits_q[1] && !met_q));
    beat_of_agreed: assert (!joined_q || !bus_w_waits_q[0] || bus_wstrb_q[0] == '0 || agreed_q != '0);
    met: assert (!met_q || joined_q);
    met_if_both: assert (!alike || met_q == (aw_waits_q == '1));
    none_apart: assert (joined_q || agreed_q == '0);
  end
endmodule
