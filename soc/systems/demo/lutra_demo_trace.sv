// Notes what the system does between two marks of its program (8 and 9 of the console), for the picture and the trace
// of `make soc-demo`: an event per line, in the file of `+trace=FILE`:
//
//   CYCLE r ID ADDRESS BEATS      the address of a read burst; ID: who asks (read_client_e of lutra_soc_pkg)
//   CYCLE R ID                    its last beat
//   CYCLE w ID ADDRESS            the address of a write burst; ID: data or completions
//   CYCLE W                       the last beat of the oldest one
//   CYCLE b ID                    its response
//   CYCLE core|irq|sleep 0|1      the core runs, the device's interrupt, the host waits for it
//   CYCLE put ADDRESS VALUE       the host writes a register of the device
//   CYCLE on|off                  the marks
//
// Bound to lutra_system; nothing of the system depends on it.

module lutra_demo_trace
  import lutra_isa_pkg::*;
  import lutra_system_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input request_t    console_i,
  input request_t    registers_i,
  input logic        registers_gnt_i,
  input logic        awvalid_i,
  input logic        awready_i,
  input logic [2:0]  awid_i,
  input logic [31:0] awaddr_i,
  input logic        wvalid_i,
  input logic        wready_i,
  input logic        wlast_i,
  input logic        bvalid_i,
  input logic        bready_i,
  input logic [2:0]  bid_i,
  input logic        arvalid_i,
  input logic        arready_i,
  input logic [2:0]  arid_i,
  input logic [31:0] araddr_i,
  input logic [7:0]  arlen_i,
  input logic        rvalid_i,
  input logic        rready_i,
  input logic        rlast_i,
  input logic [2:0]  rid_i,
  input state_e      core_i,
  input logic        irq_i,
  input logic        sleep_i
);
  localparam logic [5:0] Mark = 6'd4;  // of the console
  localparam logic [31:0] On = 32'd8, Off = 32'd9;

  int file;
  string name;
  logic on_q, core_q, irq_q, sleep_q, core;
  logic [63:0] cycle_q;
  initial begin
    file = 0;
    if ($value$plusargs("trace=%s", name)) file = $fopen(name, "w");
  end
  final if (file != 0) $fclose(file);

  assign core = core_i == StateRunning;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {on_q, core_q, irq_q, sleep_q} <= '0;
      cycle_q <= '0;
    end else begin
      cycle_q <= cycle_q + 1;
      {core_q, irq_q, sleep_q} <= {core, irq_i, sleep_i};
      if (file != 0 && console_i.req && console_i.we && console_i.addr[7:2] == Mark) begin
        if (console_i.wdata == On) begin
          on_q <= 1'b1;
          $fwrite(file, "%0d on\n%0d core %0d\n%0d irq %0d\n%0d sleep %0d\n", cycle_q, cycle_q, core, cycle_q, irq_i,
                  cycle_q, sleep_i);
        end
        if (console_i.wdata == Off) begin
          on_q <= 1'b0;
          $fwrite(file, "%0d off\n", cycle_q);
        end
      end
      if (on_q) begin
        if (registers_i.req && registers_i.we && registers_gnt_i)
          $fwrite(file, "%0d put %0d %0d\n", cycle_q, registers_i.addr[13:0], registers_i.wdata);
        if (arvalid_i && arready_i) $fwrite(file, "%0d r %0d %0d %0d\n", cycle_q, arid_i, araddr_i, arlen_i + 9'd1);
        if (rvalid_i && rready_i && rlast_i) $fwrite(file, "%0d R %0d\n", cycle_q, rid_i);
        if (awvalid_i && awready_i) $fwrite(file, "%0d w %0d %0d\n", cycle_q, awid_i, awaddr_i);
        if (wvalid_i && wready_i && wlast_i) $fwrite(file, "%0d W\n", cycle_q);
        if (bvalid_i && bready_i) $fwrite(file, "%0d b %0d\n", cycle_q, bid_i);
        if (core != core_q) $fwrite(file, "%0d core %0d\n", cycle_q, core);
        if (irq_i != irq_q) $fwrite(file, "%0d irq %0d\n", cycle_q, irq_i);
        if (sleep_i != sleep_q) $fwrite(file, "%0d sleep %0d\n", cycle_q, sleep_i);
      end
    end
  end

endmodule

bind lutra_system lutra_demo_trace u_trace (
  .clk_i,
  .rst_ni,
  .console_i(device[Console]),
  .registers_i(device[Ring]),
  .registers_gnt_i(device_answer[Ring].gnt),
  .awvalid_i(gen_ring.m_awvalid),
  .awready_i(gen_ring.m_awready),
  .awid_i(gen_ring.m_awid),
  .awaddr_i(gen_ring.m_awaddr),
  .wvalid_i(gen_ring.m_wvalid),
  .wready_i(gen_ring.m_wready),
  .wlast_i(gen_ring.m_wlast),
  .bvalid_i(gen_ring.m_bvalid),
  .bready_i(gen_ring.m_bready),
  .bid_i(gen_ring.m_bid),
  .arvalid_i(gen_ring.m_arvalid),
  .arready_i(gen_ring.m_arready),
  .arid_i(gen_ring.m_arid),
  .araddr_i(gen_ring.m_araddr),
  .arlen_i(gen_ring.m_arlen),
  .rvalid_i(gen_ring.m_rvalid),
  .rready_i(gen_ring.m_rready),
  .rlast_i(gen_ring.m_rlast),
  .rid_i(gen_ring.m_rid),
  .core_i(gen_ring.u_axi.core_state),
  .irq_i(irq),
  .sleep_i(sleep)
);
