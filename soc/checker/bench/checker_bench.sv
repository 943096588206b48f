// The checkers on wires that a program drives: what is on them in a cycle comes as one number, with the signals in the
// order below, the first one at its top. Only the checker that `which_i` selects sees a valid.

module checker_bench (
  input logic         clk_i,
  input logic [1:0]   which_i,
  input logic [302:0] wires_i
);

  typedef enum logic [1:0] {
    Full,   // lutra_axi_checker
    Plain,  // the same where the manager makes no exclusive accesses
    Lite    // lutra_axi_lite_checker
  } which_e;

  logic rst_n, awvalid, awready, awlock, wvalid, wready, wlast, bvalid, bready, arvalid, arready, arlock;
  logic rvalid, rready, rlast;
  logic [2:0] awid, arid, bid, rid, awsize, arsize, awprot, arprot;
  logic [39:0] awaddr, araddr;
  logic [7:0] awlen, arlen, wstrb;
  logic [1:0] awburst, arburst, bresp, rresp;
  logic [3:0] awcache, awqos, awregion, arcache, arqos, arregion;
  logic [63:0] wdata, rdata;
  assign {
    rst_n,
    awvalid, awready, awid, awaddr, awlen, awsize, awburst, awlock, awcache, awprot, awqos, awregion,
    wvalid, wready, wdata, wstrb, wlast,
    bvalid, bready, bid, bresp,
    arvalid, arready, arid, araddr, arlen, arsize, arburst, arlock, arcache, arprot, arqos, arregion,
    rvalid, rready, rid, rdata, rresp, rlast
  } = wires_i;

  for (genvar i = 0; i < 2; i++) begin : gen_axi
    logic on;
    assign on = which_i == 2'(i);
    lutra_axi_checker #(
      .MAX_WRITES(4),
      .MAX_READS(4),
      .MAX_AHEAD(8),
      .TIMEOUT(255),
      .EXCLUSIVE(i == 32'(Full))
    ) u_checker (
      .clk_i,
      .rst_ni(rst_n),
      .awvalid_i(awvalid && on),
      .awready_i(awready),
      .awid_i(awid),
      .awaddr_i(awaddr),
      .awlen_i(awlen),
      .awsize_i(awsize),
      .awburst_i(awburst),
      .awlock_i(awlock),
      .awcache_i(awcache),
      .awprot_i(awprot),
      .awqos_i(awqos),
      .awregion_i(awregion),
      .wvalid_i(wvalid && on),
      .wready_i(wready),
      .wdata_i(wdata),
      .wstrb_i(wstrb),
      .wlast_i(wlast),
      .bvalid_i(bvalid && on),
      .bready_i(bready),
      .bid_i(bid),
      .bresp_i(bresp),
      .arvalid_i(arvalid && on),
      .arready_i(arready),
      .arid_i(arid),
      .araddr_i(araddr),
      .arlen_i(arlen),
      .arsize_i(arsize),
      .arburst_i(arburst),
      .arlock_i(arlock),
      .arcache_i(arcache),
      .arprot_i(arprot),
      .arqos_i(arqos),
      .arregion_i(arregion),
      .rvalid_i(rvalid && on),
      .rready_i(rready),
      .rid_i(rid),
      .rdata_i(rdata),
      .rresp_i(rresp),
      .rlast_i(rlast)
    );
  end

  logic lite;
  assign lite = which_i == Lite;
  lutra_axi_lite_checker #(
    .MAX_WRITES(4),
    .MAX_READS(4),
    .TIMEOUT(255)
  ) u_lite (
    .clk_i,
    .rst_ni(rst_n),
    .awvalid_i(awvalid && lite),
    .awready_i(awready),
    .awaddr_i(awaddr[11:0]),
    .awprot_i(awprot),
    .wvalid_i(wvalid && lite),
    .wready_i(wready),
    .wdata_i(wdata[31:0]),
    .wstrb_i(wstrb[3:0]),
    .bvalid_i(bvalid && lite),
    .bready_i(bready),
    .bresp_i(bresp),
    .arvalid_i(arvalid && lite),
    .arready_i(arready),
    .araddr_i(araddr[11:0]),
    .arprot_i(arprot),
    .rvalid_i(rvalid && lite),
    .rready_i(rready),
    .rdata_i(rdata[31:0]),
    .rresp_i(rresp)
  );

endmodule
