// PicoRV32 as the host: one bus for instructions and data, and coprocessor instructions by its PCPI. Its look-ahead
// interface begins an access a cycle before mem_valid, so a memory that answers in the next cycle costs no wait state.

module lutra_host_picorv32
  import lutra_system_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  output request_t       bus_o,
  input  response_t      bus_i,
  output insn_request_t  insn_o,
  input  insn_response_t insn_i,
  output logic           trap_o
);
  logic valid, la_read, la_write;
  logic [3:0] wstrb, la_wstrb;
  logic [31:0] addr, wdata, la_addr, la_wdata;
  logic granted_q, granted_d, ahead;

  assign ahead = la_read || la_write;
  always_comb begin
    bus_o = '{req: valid && !granted_q, we: wstrb != 0, be: wstrb, addr: addr, wdata: wdata};
    if (ahead) bus_o = '{req: 1'b1, we: la_write, be: la_wstrb, addr: la_addr, wdata: la_wdata};
    granted_d = (granted_q || ahead || valid) && !bus_i.rvalid;
    if (bus_o.req) granted_d = bus_i.gnt;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) granted_q <= 1'b0;
    else granted_q <= granted_d;
  end

  picorv32 #(
    .ENABLE_COUNTERS(1),
    .TWO_STAGE_SHIFT(0),
    .BARREL_SHIFTER(1),
    .CATCH_MISALIGN(1),
    .CATCH_ILLINSN(1),
    .ENABLE_PCPI(1),
    .ENABLE_FAST_MUL(1),
    .ENABLE_DIV(1),
    .PROGADDR_RESET(32'h80)
  ) u_cpu (
    .clk(clk_i),
    .resetn(rst_ni),
    .trap(trap_o),
    .mem_valid(valid),
    .mem_instr(),
    .mem_ready(bus_i.rvalid),
    .mem_addr(addr),
    .mem_wdata(wdata),
    .mem_wstrb(wstrb),
    .mem_rdata(bus_i.rdata),
    .mem_la_read(la_read),
    .mem_la_write(la_write),
    .mem_la_addr(la_addr),
    .mem_la_wdata(la_wdata),
    .mem_la_wstrb(la_wstrb),
    .pcpi_valid(insn_o.valid),
    .pcpi_insn(insn_o.insn),
    .pcpi_rs1(insn_o.rs1),
    .pcpi_rs2(insn_o.rs2),
    .pcpi_wr(insn_i.write),
    .pcpi_rd(insn_i.rd),
    .pcpi_wait(insn_i.claim),
    .pcpi_ready(insn_i.ready),
    .irq('0),
    .eoi(),
    .trace_valid(),
    .trace_data()
  );

endmodule
