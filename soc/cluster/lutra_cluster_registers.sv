// Registers of the cluster and of its cores behind AXI4-Lite, and the doorbells.

module lutra_cluster_registers
  import lutra_cluster_pkg::*;
  import lutra_cluster_regs_pkg::*;
  import lutra_layout_pkg::*;
#(
  parameter int unsigned CORES = 4,
  parameter int unsigned RegisterBits = AddressBits,
  parameter int unsigned CoreRegisterBits = CoreAddressBits
) (
  input  logic clk_i,
  input  logic rst_ni,

  // The host's registers.
  input  logic s_axil_awvalid,
  output logic s_axil_awready,
  input  logic [RegisterBits-1:0] s_axil_awaddr,
  input  logic s_axil_wvalid,
  output logic s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0] s_axil_wstrb,
  output logic s_axil_bvalid,
  input  logic s_axil_bready,
  input  logic s_axil_arvalid,
  output logic s_axil_arready,
  input  logic [RegisterBits-1:0] s_axil_araddr,
  output logic s_axil_rvalid,
  input  logic s_axil_rready,
  output logic [31:0] s_axil_rdata,

  // The cores' registers.
  output logic [CORES-1:0] core_awvalid_o,
  input  logic [CORES-1:0] core_awready_i,
  output logic [CORES-1:0] core_arvalid_o,
  input  logic [CORES-1:0] core_arready_i,
  output logic [CoreRegisterBits-1:0] core_address_o,
  output logic [31:0] core_data_o,
  output logic [3:0] core_strobe_o,
  input  logic [CORES-1:0] core_bvalid_i,
  input  logic [CORES-1:0] core_rvalid_i,
  input  logic [CORES-1:0][31:0] core_data_i,

  // Doorbells.
  input  logic [CORES-1:0] ring_i,
  input  logic [CORES-1:0][15:0] tail_i,
  output logic [CORES-1:0] rung_o,

  input  lutra_cluster__in_t registers_i,
  output lutra_cluster__out_t registers_o
);

  logic request, write, read_ack, write_ack, own_request, own_read_ack, own_write_ack;
  logic [RegisterBits-1:0] address;
  logic [31:0] data_in, enable, data_out, own_data;
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
    .request_o(request),
    .write_o(write),
    .address_o(address),
    .data_o(data_in),
    .enable_o(enable),
    .read_ack_i(read_ack),
    .write_ack_i(write_ack),
    .data_i(data_out)
  );

  lutra_cluster_lite #(
    .CORES(CORES),
    .RegisterBits(RegisterBits),
    .CoreRegisterBits(CoreRegisterBits),
    .Doorbell(CoreRegisterBits'(AddressDoorbell))
  ) u_lite (
    .clk_i,
    .rst_ni,
    .request_i(request),
    .write_i(write),
    .address_i(address),
    .data_i(data_in),
    .enable_i(enable),
    .read_ack_o(read_ack),
    .write_ack_o(write_ack),
    .data_o(data_out),
    .own_request_o(own_request),
    .own_read_ack_i(own_read_ack),
    .own_write_ack_i(own_write_ack),
    .own_data_i(own_data),
    .ring_i,
    .tail_i,
    .rung_o,
    .core_awvalid_o,
    .core_awready_i,
    .core_arvalid_o,
    .core_arready_i,
    .core_address_o,
    .core_data_o,
    .core_strobe_o,
    .core_bvalid_i,
    .core_rvalid_i,
    .core_data_i
  );

  lutra_cluster_regs u_regs (
    .clk(clk_i),
    .arst_n(rst_ni),
    .s_cpuif_req(own_request),
    .s_cpuif_req_is_wr(write),
    .s_cpuif_addr(LUTRA_CLUSTER_REGS_MIN_ADDR_WIDTH'(address)),
    .s_cpuif_wr_data(data_in),
    .s_cpuif_wr_biten(enable),
    .s_cpuif_req_stall_wr(),
    .s_cpuif_req_stall_rd(),
    .s_cpuif_rd_ack(own_read_ack),
    .s_cpuif_rd_err(),
    .s_cpuif_rd_data(own_data),
    .s_cpuif_wr_ack(own_write_ack),
    .s_cpuif_wr_err(),
    .hwif_in(registers_i),
    .hwif_out(registers_o)
  );

endmodule
