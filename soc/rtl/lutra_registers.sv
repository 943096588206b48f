// The registers of SystemRDL behind AXI4-Lite.

module lutra_registers
  import lutra_regs_pkg::*;
#(
  parameter int unsigned RegisterBits = 14
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic s_axil_awvalid,
  output logic s_axil_awready,
  input  logic [RegisterBits-1:0] s_axil_awaddr,
  input  logic s_axil_wvalid,
  output logic s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0] s_axil_wstrb,
  output logic s_axil_bvalid,
  input  logic s_axil_bready,
  output logic [1:0] s_axil_bresp,
  input  logic s_axil_arvalid,
  output logic s_axil_arready,
  input  logic [RegisterBits-1:0] s_axil_araddr,
  output logic s_axil_rvalid,
  input  logic s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0] s_axil_rresp,

  input  lutra_axi__in_t registers_i,
  output lutra_axi__out_t registers_o
);

  logic register_request, register_write, read_ack, write_ack;
  logic [RegisterBits-1:0] register_address;
  logic [31:0] register_in, register_enable, register_out;
  lutra_register_port #(
    .RegisterBits(RegisterBits)
  ) u_register_port (
    .clk_i,
    .rst_ni,
    .awvalid_i(s_axil_awvalid),
    .awready_o(s_axil_awready),
    .awaddr_i(s_axil_awaddr),
    .wvalid_i(s_axil_wvalid),
    .wready_o(s_axil_wready),
    .wdata_i(s_axil_wdata),
    .wstrb_i(s_axil_wstrb),
    .bvalid_o(s_axil_bvalid),
    .bready_i(s_axil_bready),
    .arvalid_i(s_axil_arvalid),
    .arready_o(s_axil_arready),
    .araddr_i(s_axil_araddr),
    .rvalid_o(s_axil_rvalid),
    .rready_i(s_axil_rready),
    .rdata_o(s_axil_rdata),
    .request_o(register_request),
    .write_o(register_write),
    .address_o(register_address),
    .data_o(register_in),
    .enable_o(register_enable),
    .read_ack_i(read_ack),
    .write_ack_i(write_ack),
    .data_i(register_out)
  );
  assign s_axil_bresp = 2'b00;
  assign s_axil_rresp = 2'b00;

  lutra_regs u_regs (
    .clk(clk_i),
    .arst_n(rst_ni),
    .s_cpuif_req(register_request),
    .s_cpuif_req_is_wr(register_write),
    .s_cpuif_addr(register_address),
    .s_cpuif_wr_data(register_in),
    .s_cpuif_wr_biten(register_enable),
    .s_cpuif_req_stall_wr(),
    .s_cpuif_req_stall_rd(),
    .s_cpuif_rd_ack(read_ack),
    .s_cpuif_rd_err(),
    .s_cpuif_rd_data(register_out),
    .s_cpuif_wr_ack(write_ack),
    .s_cpuif_wr_err(),
    .hwif_in(registers_i),
    .hwif_out(registers_o)
  );

endmodule
