// Ibex as the host: a bus for instructions and one for data, and an interrupt. It has no coprocessor interface.

module lutra_host_ibex
  import lutra_system_pkg::*;
#(
  parameter bit MULTIPLIES_AT_ONCE = 1'b0  // in one cycle instead of three or four
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  output request_t  insn_bus_o,
  input  response_t insn_bus_i,
  output request_t  bus_o,
  input  response_t bus_i,
  input  logic      irq_i,
  output logic      sleep_o,
  output logic      trap_o
);
  logic double_fault;
  assign insn_bus_o.we = 1'b0;
  assign insn_bus_o.be = '1;
  assign insn_bus_o.wdata = '0;
  assign trap_o = double_fault;

  ibex_top #(
    .RV32M(MULTIPLIES_AT_ONCE ? ibex_pkg::RV32MSingleCycle : ibex_pkg::RV32MFast),
    .WritebackStage(1'b1),
    .BranchTargetALU(1'b1)
  ) u_cpu (
    .clk_i,
    .rst_ni,
    .test_en_i(1'b0),
    .ram_cfg_i('0),
    .hart_id_i('0),
    .boot_addr_i('0),
    .instr_req_o(insn_bus_o.req),
    .instr_gnt_i(insn_bus_i.gnt),
    .instr_rvalid_i(insn_bus_i.rvalid),
    .instr_addr_o(insn_bus_o.addr),
    .instr_rdata_i(insn_bus_i.rdata),
    .instr_rdata_intg_i('0),
    .instr_err_i(1'b0),
    .data_req_o(bus_o.req),
    .data_gnt_i(bus_i.gnt),
    .data_rvalid_i(bus_i.rvalid),
    .data_we_o(bus_o.we),
    .data_be_o(bus_o.be),
    .data_addr_o(bus_o.addr),
    .data_wdata_o(bus_o.wdata),
    .data_wdata_intg_o(),
    .data_rdata_i(bus_i.rdata),
    .data_rdata_intg_i('0),
    .data_err_i(1'b0),
    .irq_software_i(1'b0),
    .irq_timer_i(1'b0),
    .irq_external_i(irq_i),
    .irq_fast_i('0),
    .irq_nm_i(1'b0),
    .scramble_key_valid_i(1'b0),
    .scramble_key_i('0),
    .scramble_nonce_i('0),
    .scramble_req_o(),
    .debug_req_i(1'b0),
    .crash_dump_o(),
    .double_fault_seen_o(double_fault),
    .fetch_enable_i(ibex_pkg::IbexMuBiOn),
    .alert_minor_o(),
    .alert_major_internal_o(),
    .alert_major_bus_o(),
    .core_sleep_o(sleep_o),
    .scan_rst_ni(rst_ni)
  );

endmodule
