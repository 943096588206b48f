// lutra_axi with its core between a memory and a host. The protocol checkers are bound to both of its ports
// (soc/checker/lutra_axi_bind.sv).

module soc_top;

  timeunit 1ns;
  timeprecision 1ps;

  import uvm_pkg::*;
  import lutra_axi_agent_pkg::*;
  import lutra_axil_agent_pkg::*;
  import lutra_soc_tests_pkg::*;

  logic clk = 1'b0;
  always #5 clk = !clk;

  lutra_axil_if axil_if (.clk_i(clk));
  lutra_axi_if axi_if (.clk_i(clk), .rst_ni(axil_if.rst_n));
  assign axil_if.core_state = dut.core_state;

  lutra_axi #(
    .ADDR_WIDTH(AddressBits),
    .DATA_WIDTH(DataBits)
  ) dut (
    .clk_i(clk),
    .rst_ni(axil_if.rst_n),
    .irq_o(axil_if.irq),
    .escalate_i(1'b0),
    .alert_o(),
    .s_axil_awvalid(axil_if.manager.awvalid),
    .s_axil_awready(axil_if.subordinate.awready),
    .s_axil_awaddr(axil_if.manager.awaddr),
    .s_axil_awprot(3'd0),
    .s_axil_wvalid(axil_if.manager.wvalid),
    .s_axil_wready(axil_if.subordinate.wready),
    .s_axil_wdata(axil_if.manager.wdata),
    .s_axil_wstrb(axil_if.manager.wstrb),
    .s_axil_bvalid(axil_if.subordinate.bvalid),
    .s_axil_bready(axil_if.manager.bready),
    .s_axil_bresp(axil_if.subordinate.bresp),
    .s_axil_arvalid(axil_if.manager.arvalid),
    .s_axil_arready(axil_if.subordinate.arready),
    .s_axil_araddr(axil_if.manager.araddr),
    .s_axil_arprot(3'd0),
    .s_axil_rvalid(axil_if.subordinate.rvalid),
    .s_axil_rready(axil_if.manager.rready),
    .s_axil_rdata(axil_if.subordinate.rdata),
    .s_axil_rresp(axil_if.subordinate.rresp),
    .m_axi_awvalid(axi_if.manager.awvalid),
    .m_axi_awready(axi_if.subordinate.awready),
    .m_axi_awid(axi_if.manager.awid),
    .m_axi_awaddr(axi_if.manager.awaddr),
    .m_axi_awlen(axi_if.manager.awlen),
    .m_axi_awsize(),
    .m_axi_awburst(),
    .m_axi_awlock(),
    .m_axi_awcache(),
    .m_axi_awprot(),
    .m_axi_wvalid(axi_if.manager.wvalid),
    .m_axi_wready(axi_if.subordinate.wready),
    .m_axi_wdata(axi_if.manager.wdata),
    .m_axi_wstrb(axi_if.manager.wstrb),
    .m_axi_wlast(axi_if.manager.wlast),
    .m_axi_bvalid(axi_if.subordinate.bvalid),
    .m_axi_bready(axi_if.manager.bready),
    .m_axi_bid(axi_if.subordinate.bid),
    .m_axi_bresp(axi_if.subordinate.bresp),
    .m_axi_arvalid(axi_if.manager.arvalid),
    .m_axi_arready(axi_if.subordinate.arready),
    .m_axi_arid(axi_if.manager.arid),
    .m_axi_araddr(axi_if.manager.araddr),
    .m_axi_arlen(axi_if.manager.arlen),
    .m_axi_arsize(),
    .m_axi_arburst(),
    .m_axi_arlock(),
    .m_axi_arcache(),
    .m_axi_arprot(),
    .m_axi_rvalid(axi_if.subordinate.rvalid),
    .m_axi_rready(axi_if.manager.rready),
    .m_axi_rid(axi_if.subordinate.rid),
    .m_axi_rdata(axi_if.subordinate.rdata),
    .m_axi_rresp(axi_if.subordinate.rresp),
    .m_axi_rlast(axi_if.subordinate.rlast)
  );

  lutra_soc_disturbance disturbance (.clk_i(clk));

  initial begin
    string waves;
    if ($value$plusargs("WAVES=%s", waves)) begin
      $dumpfile(waves);
      $dumpvars(0, soc_top);
    end
  end

  initial begin
    uvm_config_db#(virtual lutra_axil_if)::set(null, "uvm_test_top.env.registers", "vif", axil_if);
    uvm_config_db#(virtual lutra_axi_if)::set(null, "uvm_test_top.env.bus", "vif", axi_if);
    run_test();
  end

endmodule
