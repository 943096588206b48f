// Between a core and the bus: takes what the core's ring 1 reads and writes in its mailbox, and lets all else through.
// Reads of descriptors and writes of completions have ids of their own, so only these are looked at. AXI wants answers
// of one id in order: an access to the mailbox waits for those to the bus with its id, and they for it.

module lutra_cluster_tap
  import lutra_cluster_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [ADDR_WIDTH-1:12] mailbox_i,

  // The core's manager.
  input  logic arvalid_i,
  output logic arready_o,
  input  logic [IdWidth-1:0] arid_i,
  input  logic [ADDR_WIDTH-1:0] araddr_i,
  output logic rvalid_o,
  input  logic rready_i,
  output logic [IdWidth-1:0] rid_o,
  output logic [63:0] rdata_o,
  output logic [1:0] rresp_o,
  output logic rlast_o,
  input  logic awvalid_i,
  output logic awready_o,
  input  logic [IdWidth-1:0] awid_i,
  input  logic [ADDR_WIDTH-1:0] awaddr_i,
  input  logic wvalid_i,
  output logic wready_o,
  input  logic [63:0] wdata_i,
  input  logic wlast_i,
  output logic bvalid_o,
  input  logic bready_i,
  output logic [IdWidth-1:0] bid_o,
  output logic [1:0] bresp_o,

  // The bus: only what differs from the core's.
  output logic bus_arvalid_o,
  input  logic bus_arready_i,
  input  logic bus_rvalid_i,
  output logic bus_rready_o,
  input  logic [IdWidth-1:0] bus_rid_i,
  input  logic [63:0] bus_rdata_i,
  input  logic [1:0] bus_rresp_i,
  input  logic bus_rlast_i,
  output logic bus_awvalid_o,
  input  logic bus_awready_i,
  output logic bus_wvalid_o,
  input  logic bus_wready_i,
  input  logic bus_bvalid_i,
  output logic bus_bready_o,
  input  logic [IdWidth-1:0] bus_bid_i,
  input  logic [1:0] bus_bresp_i,

  // The mailbox.
  output logic read_o,
  output job_row_t read_row_o,
  input  logic read_grant_i,
  input  line_t line_i,
  output logic done_valid_o,
  input  logic done_ready_i,
  output job_t done_index_o,
  output logic done_half_o,
  output logic [63:0] done_data_o
);

  localparam logic [IdWidth-1:0] DescriptorsId = IdWidth'(ReadDescriptors);
  localparam logic [IdWidth-1:0] CompletionsId = IdWidth'(WriteCompletions);

  // ----------------------------------------------------------------------- reads
  logic ar_own, ar_mine, ar_taken, r_mine_q, r_mine_d, r_middle_q, r_middle_d, bus_r;
  logic [4:0] ar_count_q, ar_count_d;  // of descriptors, on the bus
  logic active_q, active_d, line_q, line_d, high_q, high_d;  // line: the row is at the memory's output
  job_row_t row_q, row_d;
  assign ar_own = arid_i == DescriptorsId;
  assign ar_mine = ar_own && araddr_i[ADDR_WIDTH-1:12] == mailbox_i;
  assign ar_taken = arvalid_i && ar_mine && !active_q && ar_count_q == '0;
  assign bus_arvalid_o = arvalid_i && !ar_mine && !(ar_own && (active_q || ar_count_q[4]));
  assign arready_o = ar_mine ? ar_taken : bus_arready_i && bus_arvalid_o;

  logic row_last, beat;
  assign row_last = row_q[1:0] == 2'd3;
  assign beat = r_mine_q && line_q && rready_i;
  // The next row is read in the cycle in which the last half of this one is taken.
  assign read_o = active_q && (!line_q || (beat && high_q && !row_last));
  assign read_row_o = line_q ? row_q + job_row_t'(1) : row_q;

  assign bus_r = bus_rvalid_i && bus_rready_o;
  assign bus_rready_o = rready_i && !r_mine_q;
  assign rvalid_o = r_mine_q ? line_q : bus_rvalid_i;
  assign rid_o = r_mine_q ? DescriptorsId : bus_rid_i;
  assign rdata_o = r_mine_q ? (high_q ? line_i[127:64] : line_i[63:0]) : bus_rdata_i;
  assign rresp_o = r_mine_q ? 2'b00 : bus_rresp_i;
  assign rlast_o = r_mine_q ? row_last && high_q : bus_rlast_i;

  always_comb begin
    ar_count_d = ar_count_q + 5'(bus_arvalid_o && bus_arready_i && ar_own) -
                 5'(bus_r && bus_rlast_i && bus_rid_i == DescriptorsId);
    active_d = active_q;
    line_d = line_q;
    high_d = high_q;
    row_d = row_q;
    r_middle_d = bus_r ? !bus_rlast_i : r_middle_q;
    r_mine_d = r_mine_q;
    if (!active_q) begin
      active_d = ar_taken;
      row_d = job_row_t'(araddr_i[9:4]);
      high_d = 1'b0;
      line_d = 1'b0;
    end else begin
      if (beat) begin
        high_d = !high_q;
        if (high_q) begin
          line_d = read_o && read_grant_i;
          row_d = row_q + job_row_t'(1);
          active_d = !row_last;
        end
      end else if (!line_q) line_d = read_grant_i;
      // From the bus to the mailbox between two bursts only.
      if (!r_mine_q && line_q) r_mine_d = bus_rvalid_i ? bus_r && bus_rlast_i : !r_middle_q;
    end
    if (beat && high_q && row_last) r_mine_d = 1'b0;
  end

  // ---------------------------------------------------------------------- writes
  logic aw_own, aw_mine, aw_taken, aw_shown_q, aw_shown_d, order_ready, w_turn_valid, w_mine, w_half, b_mine_q, b_mine_d, bus_b, b_given;
  job_t w_index;
  logic [4:0] aw_count_q, aw_count_d, own_count_q, own_count_d;  // of completions: on the bus, in the mailbox
  logic [2:0] b_count_q, b_count_d;                              // answers that are due
  assign aw_own = awid_i == CompletionsId;
  assign aw_mine = aw_own && awaddr_i[ADDR_WIDTH-1:12] == mailbox_i;
  assign aw_taken = awvalid_i && aw_mine && order_ready && aw_count_q == '0 && own_count_q < 5'(2 * Unanswered);
  assign bus_awvalid_o = awvalid_i && !aw_mine &&
                         (aw_shown_q || (order_ready && !(aw_own && (own_count_q != '0 || aw_count_q[4]))));
  assign aw_shown_d = bus_awvalid_o && !bus_awready_i;
  assign awready_o = aw_mine ? aw_taken : bus_awready_i && bus_awvalid_o;

  // Data come in the order of the addresses, and do not wait until the bus has taken one (AMBA AXI, A3.3.1).
  lutra_queue #(
    .Depth(8),
    .Width(6)
  ) u_order (
    .clk_i,
    .rst_ni,
    .push_valid_i(aw_taken || (bus_awvalid_o && !aw_shown_q)),
    .push_ready_o(order_ready),
    .push_i({aw_mine, awaddr_i[7:3]}),
    .head_valid_o(w_turn_valid),
    .head_ready_i(wvalid_i && wready_o && wlast_i),
    .head_o({w_mine, w_index, w_half})
  );
  assign bus_wvalid_o = wvalid_i && w_turn_valid && !w_mine;
  assign done_valid_o = wvalid_i && w_turn_valid && w_mine;
  assign wready_o = w_turn_valid && (w_mine ? done_ready_i : bus_wready_i);
  assign done_index_o = w_index;
  assign done_half_o = w_half;
  assign done_data_o = wdata_i;

  assign bus_b = bus_bvalid_i && bus_bready_o;
  assign bus_bready_o = bready_i && !b_mine_q;
  assign bvalid_o = b_mine_q || bus_bvalid_i;
  assign bid_o = b_mine_q ? CompletionsId : bus_bid_i;
  assign bresp_o = b_mine_q ? 2'b00 : bus_bresp_i;
  assign b_given = b_mine_q && bready_i;

  always_comb begin
    aw_count_d = aw_count_q + 5'(bus_awvalid_o && bus_awready_i && aw_own) - 5'(bus_b && bus_bid_i == CompletionsId);
    own_count_d = own_count_q + 5'(aw_taken) - 5'(b_given);
    b_count_d = b_count_q + 3'(done_valid_o && done_ready_i) - 3'(b_given);
    b_mine_d = b_mine_q ? !bready_i : b_count_q != '0 && (!bus_bvalid_i || bus_b);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_count_q <= '0;
      active_q <= 1'b0;
      line_q <= 1'b0;
      r_mine_q <= 1'b0;
      r_middle_q <= 1'b0;
      aw_shown_q <= 1'b0;
      aw_count_q <= '0;
      own_count_q <= '0;
      b_count_q <= '0;
      b_mine_q <= 1'b0;
    end else begin
      ar_count_q <= ar_count_d;
      active_q <= active_d;
      line_q <= line_d;
      r_mine_q <= r_mine_d;
      r_middle_q <= r_middle_d;
      aw_shown_q <= aw_shown_d;
      aw_count_q <= aw_count_d;
      own_count_q <= own_count_d;
      b_count_q <= b_count_d;
      b_mine_q <= b_mine_d;
    end
  end
  always_ff @(posedge clk_i) begin
    row_q <= row_d;
    high_q <= high_d;
  end

endmodule
