// S1: rows of the core as an AXI4-Lite subordinate of 32 bits. A manager of one access at a time gets its response in
// the cycle after its request.

module lutra_attach_bus
  import lutra_system_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           s_axil_awvalid,
  output logic           s_axil_awready,
  input  logic [31:0]    s_axil_awaddr,
  input  logic           s_axil_wvalid,
  output logic           s_axil_wready,
  input  logic [31:0]    s_axil_wdata,
  output logic           s_axil_bvalid,
  input  logic           s_axil_bready,
  output logic [1:0]     s_axil_bresp,
  input  logic           s_axil_arvalid,
  output logic           s_axil_arready,
  input  logic [31:0]    s_axil_araddr,
  output logic           s_axil_rvalid,
  input  logic           s_axil_rready,
  output logic [31:0]    s_axil_rdata,
  output logic [1:0]     s_axil_rresp,
  output port_request_t  port_o,
  input  port_response_t port_i
);
  // A response that the manager does not take at once is kept; no request is accepted before it is gone.
  logic write_q, read_q, kept_q, waiting;
  logic [31:0] kept_data_q;
  request_t bus;
  response_t answer;

  assign waiting = (s_axil_bvalid && !s_axil_bready) || (s_axil_rvalid && !s_axil_rready);
  assign bus.we = s_axil_awvalid && s_axil_wvalid;
  assign bus.req = (bus.we || s_axil_arvalid) && !waiting;
  assign bus.be = '1;
  assign bus.addr = bus.we ? s_axil_awaddr : s_axil_araddr;
  assign bus.wdata = s_axil_wdata;
  assign s_axil_awready = bus.we && answer.gnt;
  assign s_axil_wready = bus.we && answer.gnt;
  assign s_axil_arready = !bus.we && answer.gnt;
  assign s_axil_bvalid = write_q;
  assign s_axil_rvalid = read_q;
  assign s_axil_rdata = kept_q ? kept_data_q : answer.rdata;
  assign s_axil_bresp = '0;
  assign s_axil_rresp = '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {write_q, read_q, kept_q} <= '0;
    else begin
      kept_q <= waiting;
      if (!waiting) {write_q, read_q} <= {answer.gnt && bus.we, answer.gnt && !bus.we};
    end
  end
  always_ff @(posedge clk_i) if (!kept_q) kept_data_q <= answer.rdata;

  lutra_rows u_rows (.clk_i, .rst_ni, .bus_i(bus), .bus_o(answer), .port_o, .port_i);

  // What the host's port of this subordinate answers is known from write_q and read_q.
  logic unused;
  assign unused = answer.rvalid;

endmodule
