// A crossbar, a delayer and a width converter of pulp-platform between two managers and two memories, with a checker on
// every interface: what others have written breaks no rule. The memory behind port 1 has a bus of 32 bits.

`include "axi/typedef.svh"

`define INTERFACE_PORTS(NAME, REQUEST, RESPONSE, ID, BITS) \
  REQUEST logic NAME``_awvalid, RESPONSE logic NAME``_awready, REQUEST logic [ID-1:0] NAME``_awid, \
  REQUEST logic [31:0] NAME``_awaddr, REQUEST logic [7:0] NAME``_awlen, REQUEST logic [2:0] NAME``_awsize, \
  REQUEST logic [1:0] NAME``_awburst, REQUEST logic NAME``_awlock, REQUEST logic [3:0] NAME``_awcache, \
  REQUEST logic [2:0] NAME``_awprot, REQUEST logic [3:0] NAME``_awqos, REQUEST logic [3:0] NAME``_awregion, \
  REQUEST logic NAME``_wvalid, RESPONSE logic NAME``_wready, REQUEST logic [BITS-1:0] NAME``_wdata, \
  REQUEST logic [BITS/8-1:0] NAME``_wstrb, REQUEST logic NAME``_wlast, \
  RESPONSE logic NAME``_bvalid, REQUEST logic NAME``_bready, RESPONSE logic [ID-1:0] NAME``_bid, \
  RESPONSE logic [1:0] NAME``_bresp, \
  REQUEST logic NAME``_arvalid, RESPONSE logic NAME``_arready, REQUEST logic [ID-1:0] NAME``_arid, \
  REQUEST logic [31:0] NAME``_araddr, REQUEST logic [7:0] NAME``_arlen, REQUEST logic [2:0] NAME``_arsize, \
  REQUEST logic [1:0] NAME``_arburst, REQUEST logic NAME``_arlock, REQUEST logic [3:0] NAME``_arcache, \
  REQUEST logic [2:0] NAME``_arprot, REQUEST logic [3:0] NAME``_arqos, REQUEST logic [3:0] NAME``_arregion, \
  RESPONSE logic NAME``_rvalid, REQUEST logic NAME``_rready, RESPONSE logic [ID-1:0] NAME``_rid, \
  RESPONSE logic [BITS-1:0] NAME``_rdata, RESPONSE logic [1:0] NAME``_rresp, RESPONSE logic NAME``_rlast

// The request of a channel from flat ports, and the ports from a request.
`define ADDRESS(NAME, CH) \
  '{id: NAME``_``CH``id, addr: NAME``_``CH``addr, len: NAME``_``CH``len, size: NAME``_``CH``size, \
    burst: NAME``_``CH``burst, lock: NAME``_``CH``lock, cache: NAME``_``CH``cache, prot: NAME``_``CH``prot, \
    qos: NAME``_``CH``qos, region: NAME``_``CH``region, default: '0}
`define FROM_MANAGER(NAME, REQ, RSP) \
  always_comb begin \
    REQ = '0; \
    REQ.aw = `ADDRESS(NAME, aw); REQ.aw_valid = NAME``_awvalid; \
    REQ.w = '{data: NAME``_wdata, strb: NAME``_wstrb, last: NAME``_wlast, default: '0}; REQ.w_valid = NAME``_wvalid; \
    REQ.ar = `ADDRESS(NAME, ar); REQ.ar_valid = NAME``_arvalid; \
    REQ.b_ready = NAME``_bready; REQ.r_ready = NAME``_rready; \
  end \
  assign {NAME``_awready, NAME``_wready, NAME``_arready} = {RSP.aw_ready, RSP.w_ready, RSP.ar_ready}; \
  assign {NAME``_bvalid, NAME``_bid, NAME``_bresp} = {RSP.b_valid, RSP.b.id, RSP.b.resp}; \
  assign {NAME``_rvalid, NAME``_rid, NAME``_rdata} = {RSP.r_valid, RSP.r.id, RSP.r.data}; \
  assign {NAME``_rresp, NAME``_rlast} = {RSP.r.resp, RSP.r.last};
`define ADDRESS_OUT(NAME, CH, REQ) \
  assign {NAME``_``CH``valid, NAME``_``CH``id, NAME``_``CH``addr, NAME``_``CH``len, NAME``_``CH``size} = \
    {REQ.CH``_valid, REQ.CH.id, REQ.CH.addr, REQ.CH.len, REQ.CH.size}; \
  assign {NAME``_``CH``burst, NAME``_``CH``lock, NAME``_``CH``cache, NAME``_``CH``prot, NAME``_``CH``qos} = \
    {REQ.CH.burst, REQ.CH.lock, REQ.CH.cache, REQ.CH.prot, REQ.CH.qos}; \
  assign NAME``_``CH``region = REQ.CH.region;
`define TO_MEMORY(NAME, REQ, RSP) \
  `ADDRESS_OUT(NAME, aw, REQ) \
  `ADDRESS_OUT(NAME, ar, REQ) \
  assign {NAME``_wvalid, NAME``_wdata, NAME``_wstrb, NAME``_wlast} = \
    {REQ.w_valid, REQ.w.data, REQ.w.strb, REQ.w.last}; \
  assign {NAME``_bready, NAME``_rready} = {REQ.b_ready, REQ.r_ready}; \
  always_comb begin \
    RSP = '0; \
    RSP.aw_ready = NAME``_awready; RSP.w_ready = NAME``_wready; RSP.ar_ready = NAME``_arready; \
    RSP.b_valid = NAME``_bvalid; RSP.b.id = NAME``_bid; RSP.b.resp = NAME``_bresp; \
    RSP.r_valid = NAME``_rvalid; RSP.r.id = NAME``_rid; RSP.r.data = NAME``_rdata; \
    RSP.r.resp = NAME``_rresp; RSP.r.last = NAME``_rlast; \
  end
`define CHECKER(INSTANCE, REQ, RSP, ID, BITS) \
  lutra_axi_checker #(.ADDR_WIDTH(32), .DATA_WIDTH(BITS), .ID_WIDTH(ID), .MAX_WRITES(32), .MAX_READS(32)) INSTANCE ( \
    .clk_i(clk), .rst_ni(rst_n), \
    .awvalid_i(REQ.aw_valid), .awready_i(RSP.aw_ready), .awid_i(REQ.aw.id), .awaddr_i(REQ.aw.addr), \
    .awlen_i(REQ.aw.len), .awsize_i(REQ.aw.size), .awburst_i(REQ.aw.burst), .awlock_i(REQ.aw.lock), \
    .awcache_i(REQ.aw.cache), .awprot_i(REQ.aw.prot), .awqos_i(REQ.aw.qos), .awregion_i(REQ.aw.region), \
    .wvalid_i(REQ.w_valid), .wready_i(RSP.w_ready), .wdata_i(REQ.w.data), .wstrb_i(REQ.w.strb), \
    .wlast_i(REQ.w.last), \
    .bvalid_i(RSP.b_valid), .bready_i(REQ.b_ready), .bid_i(RSP.b.id), .bresp_i(RSP.b.resp), \
    .arvalid_i(REQ.ar_valid), .arready_i(RSP.ar_ready), .arid_i(REQ.ar.id), .araddr_i(REQ.ar.addr), \
    .arlen_i(REQ.ar.len), .arsize_i(REQ.ar.size), .arburst_i(REQ.ar.burst), .arlock_i(REQ.ar.lock), \
    .arcache_i(REQ.ar.cache), .arprot_i(REQ.ar.prot), .arqos_i(REQ.ar.qos), .arregion_i(REQ.ar.region), \
    .rvalid_i(RSP.r_valid), .rready_i(REQ.r_ready), .rid_i(RSP.r.id), .rdata_i(RSP.r.data), \
    .rresp_i(RSP.r.resp), .rlast_i(RSP.r.last) \
  );

module interconnect_bench (
  input logic clk,
  input logic rst_n,
  `INTERFACE_PORTS(s0_axi, input, output, 3, 64),
  `INTERFACE_PORTS(s1_axi, input, output, 3, 64),
  `INTERFACE_PORTS(m0_axi, output, input, 4, 64),
  `INTERFACE_PORTS(m1_axi, output, input, 4, 32)
);

  typedef logic [31:0] addr_t;
  `AXI_TYPEDEF_ALL(manager, addr_t, logic [2:0], logic [63:0], logic [7:0], logic)
  `AXI_TYPEDEF_ALL(wide, addr_t, logic [3:0], logic [63:0], logic [7:0], logic)
  `AXI_TYPEDEF_ALL(narrow, addr_t, logic [3:0], logic [31:0], logic [3:0], logic)

  manager_req_t [1:0] managers_req;
  manager_resp_t [1:0] managers_rsp;
  wide_req_t [1:0] ports_req;
  wide_resp_t [1:0] ports_rsp;
  wide_req_t delayed_req;
  wide_resp_t delayed_rsp;
  narrow_req_t narrow_req;
  narrow_resp_t narrow_rsp;
  `FROM_MANAGER(s0_axi, managers_req[0], managers_rsp[0])
  `FROM_MANAGER(s1_axi, managers_req[1], managers_rsp[1])
  `TO_MEMORY(m0_axi, delayed_req, delayed_rsp)
  `TO_MEMORY(m1_axi, narrow_req, narrow_rsp)

  localparam axi_pkg::xbar_cfg_t Crossbar = '{
    NoSlvPorts: 2, NoMstPorts: 2, MaxMstTrans: 8, MaxSlvTrans: 8, FallThrough: 1'b0,
    LatencyMode: axi_pkg::CUT_ALL_AX, AxiIdWidthSlvPorts: 3, AxiIdUsedSlvPorts: 3, UniqueIds: 1'b0,
    AxiAddrWidth: 32, AxiDataWidth: 64, NoAddrRules: 2
  };
  axi_xbar #(
    .Cfg(Crossbar),
    .ATOPs(1'b0),
    .slv_aw_chan_t(manager_aw_chan_t),
    .mst_aw_chan_t(wide_aw_chan_t),
    .w_chan_t(wide_w_chan_t),
    .slv_b_chan_t(manager_b_chan_t),
    .mst_b_chan_t(wide_b_chan_t),
    .slv_ar_chan_t(manager_ar_chan_t),
    .mst_ar_chan_t(wide_ar_chan_t),
    .slv_r_chan_t(manager_r_chan_t),
    .mst_r_chan_t(wide_r_chan_t),
    .slv_req_t(manager_req_t),
    .slv_resp_t(manager_resp_t),
    .mst_req_t(wide_req_t),
    .mst_resp_t(wide_resp_t),
    .rule_t(axi_pkg::xbar_rule_32_t)
  ) u_crossbar (
    .clk_i(clk),
    .rst_ni(rst_n),
    .test_i(1'b0),
    .slv_ports_req_i(managers_req),
    .slv_ports_resp_o(managers_rsp),
    .mst_ports_req_o(ports_req),
    .mst_ports_resp_i(ports_rsp),
    .addr_map_i({
      axi_pkg::xbar_rule_32_t'{idx: 1, start_addr: 32'h1_0000, end_addr: 32'h2_0000},
      axi_pkg::xbar_rule_32_t'{idx: 0, start_addr: 32'h0_0000, end_addr: 32'h1_0000}
    }),
    .en_default_mst_port_i('0),
    .default_mst_port_i('0)
  );

  axi_delayer #(
    .aw_chan_t(wide_aw_chan_t),
    .w_chan_t(wide_w_chan_t),
    .b_chan_t(wide_b_chan_t),
    .ar_chan_t(wide_ar_chan_t),
    .r_chan_t(wide_r_chan_t),
    .req_t(wide_req_t),
    .resp_t(wide_resp_t),
    .StallRandomInput(1'b1),
    .StallRandomOutput(1'b1)
  ) u_delayer (
    .clk_i(clk),
    .rst_ni(rst_n),
    .slv_req_i(ports_req[0]),
    .slv_resp_o(ports_rsp[0]),
    .mst_req_o(delayed_req),
    .mst_resp_i(delayed_rsp)
  );

  axi_dw_converter #(
    .AxiMaxReads(4),
    .AxiSlvPortDataWidth(64),
    .AxiMstPortDataWidth(32),
    .AxiAddrWidth(32),
    .AxiIdWidth(4),
    .aw_chan_t(wide_aw_chan_t),
    .mst_w_chan_t(narrow_w_chan_t),
    .slv_w_chan_t(wide_w_chan_t),
    .b_chan_t(wide_b_chan_t),
    .ar_chan_t(wide_ar_chan_t),
    .mst_r_chan_t(narrow_r_chan_t),
    .slv_r_chan_t(wide_r_chan_t),
    .axi_mst_req_t(narrow_req_t),
    .axi_mst_resp_t(narrow_resp_t),
    .axi_slv_req_t(wide_req_t),
    .axi_slv_resp_t(wide_resp_t)
  ) u_converter (
    .clk_i(clk),
    .rst_ni(rst_n),
    .slv_req_i(ports_req[1]),
    .slv_resp_o(ports_rsp[1]),
    .mst_req_o(narrow_req),
    .mst_resp_i(narrow_rsp)
  );

  `CHECKER(u_manager0, managers_req[0], managers_rsp[0], 3, 64)
  `CHECKER(u_manager1, managers_req[1], managers_rsp[1], 3, 64)
  `CHECKER(u_port0, ports_req[0], ports_rsp[0], 4, 64)
  `CHECKER(u_port1, ports_req[1], ports_rsp[1], 4, 64)
  `CHECKER(u_delayed, delayed_req, delayed_rsp, 4, 64)
  `CHECKER(u_narrow, narrow_req, narrow_rsp, 4, 32)

endmodule
