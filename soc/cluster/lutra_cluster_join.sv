// Writes of the cores of a pair: a beat reaches memory when both cores have the same, once, from the first core. Both
// managers see the bursts of their core; those of the second one have no strobes, and from the first difference on
// neither has. So memory never gets a byte on which the cores do not agree.
//
// A core waits here for the other one, for a time: then they count as different, and go on alone.

module lutra_cluster_join
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic joined_i,       // changes only while neither core writes
  input  logic broken_i,       // a difference was found: sticky
  input  logic [7:0] patience_i,
  output logic differs_o,

  input  logic [1:0] awvalid_i,
  output logic [1:0] awready_o,
  input  logic [1:0][IdWidth-1:0] awid_i,
  input  logic [1:0][ADDR_WIDTH-1:0] awaddr_i,
  input  logic [1:0][7:0] awlen_i,
  input  logic [1:0] wvalid_i,
  output logic [1:0] wready_o,
  input  logic [1:0][63:0] wdata_i,
  input  logic [1:0][7:0] wstrb_i,
  input  logic [1:0] wlast_i,

  // The bus: only what differs from the cores'.
  output logic [1:0] bus_awvalid_o,
  input  logic [1:0] bus_awready_i,
  output logic [1:0] bus_wvalid_o,
  input  logic [1:0] bus_wready_i,
  output logic [1:0][7:0] bus_wstrb_o
);

  localparam int unsigned UnitBits = 6;  // of patience

  logic bound;  // to each other
  assign bound = joined_i && !broken_i;

  // -------------------------------------------------------------------- addresses
  // Each bus takes its address when it can; the cores go on when both have.
  logic [1:0] aw_taken_q, aw_taken_d, aw_ends;
  logic aw_both, aw_same;
  assign aw_both = &awvalid_i;
  assign aw_same = {awid_i[0], awaddr_i[0], awlen_i[0]} == {awid_i[1], awaddr_i[1], awlen_i[1]};
  assign bus_awvalid_o = (bound && !aw_both ? '0 : awvalid_i) & ~aw_taken_q;
  assign aw_ends = aw_taken_q | bus_awready_i;
  always_comb begin
    awready_o = aw_ends;
    if (bound) awready_o = {2{aw_both && aw_ends == '1}};
    aw_taken_d = awvalid_i & ~awready_o & (aw_taken_q | (bus_awvalid_o & bus_awready_i));
  end

  // ------------------------------------------------------------------------- data
  logic [1:0] w_taken_q, w_taken_d, w_ends;
  logic w_both, w_same, shown_q, shown_d, keeps, keeps_q;  // shown: the first core's beat is on the bus, and stays
  assign w_both = &wvalid_i;
  always_comb begin
    w_same = wstrb_i[0] == wstrb_i[1] && wlast_i[0] == wlast_i[1];
    for (int b = 0; b < 8; b++) if (wstrb_i[0][b] && wdata_i[0][8*b+:8] != wdata_i[1][8*b+:8]) w_same = 1'b0;
  end
  assign bus_wvalid_o = (bound && !w_both ? '0 : wvalid_i) & ~w_taken_q;
  assign w_ends = w_taken_q | bus_wready_i;
  assign keeps = shown_q ? keeps_q : !broken_i && w_same;
  assign shown_d = joined_i && bus_wvalid_o[0] && !bus_wready_i[0];
  always_comb begin
    wready_o = w_ends;
    if (bound) wready_o = {2{w_both && w_ends == '1}};
    w_taken_d = wvalid_i & ~wready_o & (w_taken_q | (bus_wvalid_o & bus_wready_i));
    bus_wstrb_o = wstrb_i;
    if (joined_i) begin
      bus_wstrb_o[1] = '0;
      if (!keeps) bus_wstrb_o[0] = '0;
    end
  end

  // --------------------------------------------------------------------- patience
  logic [UnitBits+7:0] waited_q, waited_d;
  logic alone, late;
  assign alone = bound && (^awvalid_i || ^wvalid_i);
  assign late = patience_i != '0 && waited_q[UnitBits+7:UnitBits] == patience_i;
  assign waited_d = alone && !late ? waited_q + 1'b1 : '0;
  assign differs_o = bound && ((aw_both && !aw_same) || (w_both && !w_same) || late);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_taken_q <= '0;
      w_taken_q <= '0;
      shown_q <= 1'b0;
      waited_q <= '0;
    end else begin
      aw_taken_q <= aw_taken_d;
      w_taken_q <= w_taken_d;
      shown_q <= shown_d;
      waited_q <= waited_d;
    end
  end
  always_ff @(posedge clk_i) keeps_q <= keeps;

endmodule
