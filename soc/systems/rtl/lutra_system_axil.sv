// The host's bus as an AXI4-Lite manager of 32 bits, of one access at a time.

module lutra_system_axil
  import lutra_system_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  request_t    bus_i,
  output response_t   bus_o,
  output logic        m_axil_awvalid,
  input  logic        m_axil_awready,
  output logic [31:0] m_axil_awaddr,
  output logic        m_axil_wvalid,
  input  logic        m_axil_wready,
  output logic [31:0] m_axil_wdata,
  input  logic        m_axil_bvalid,
  output logic        m_axil_bready,
  output logic        m_axil_arvalid,
  input  logic        m_axil_arready,
  output logic [31:0] m_axil_araddr,
  input  logic        m_axil_rvalid,
  output logic        m_axil_rready,
  input  logic [31:0] m_axil_rdata
);
  // Address and data of a write may be taken in different cycles; what was taken is not offered again.
  logic aw_q, w_q, aw, w;
  assign m_axil_awvalid = bus_i.req && bus_i.we && !aw_q;
  assign m_axil_wvalid = bus_i.req && bus_i.we && !w_q;
  assign aw = aw_q || (m_axil_awvalid && m_axil_awready);
  assign w = w_q || (m_axil_wvalid && m_axil_wready);
  assign m_axil_arvalid = bus_i.req && !bus_i.we;
  assign m_axil_awaddr = bus_i.addr;
  assign m_axil_araddr = bus_i.addr;
  assign m_axil_wdata = bus_i.wdata;
  assign m_axil_bready = 1'b1;
  assign m_axil_rready = 1'b1;

  assign bus_o.gnt = bus_i.we ? aw && w : m_axil_arvalid && m_axil_arready;
  assign bus_o.rvalid = m_axil_bvalid || m_axil_rvalid;
  assign bus_o.rdata = m_axil_rdata;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {aw_q, w_q} <= '0;
    else {aw_q, w_q} <= bus_o.gnt ? '0 : {aw, w};
  end

endmodule
