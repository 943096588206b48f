// A system with a RISC-V host, RAM and one or more attachments of the core:
//
//   0000_0000  RAM                    1000_0000  console              4000_0000  S1, the system bus
//   5000_0000  S2, the local bus      6000_0000  S5, the registers of lutra_axi
//
// The interrupt of ring 0 leads to Ibex, which may sleep until it comes.
//
// S3 and S4 are instructions; S5 has a core of its own. HOST: 0 PicoRV32, 1 Ibex (then neither S3 nor S4), 2 CV32E40X.
// ATTACHMENTS has a bit per attachment, bit 0 is S1. `+round_trip=L` sets that of the system bus, which also leads to
// lutra_axi, `+local=L` that of the local bus, `+ram_waits=N` the wait states of RAM, `+memory=N` how many cycles more
// its AXI port takes.

module lutra_system
  import lutra_isa_pkg::*;
  import lutra_system_pkg::*;
#(
  parameter int unsigned HOST = 0,
  parameter logic [4:0] ATTACHMENTS = 5'b01111,
  parameter bit GATED = 1'b0,  // the clock of S5 stops while it is idle
  parameter bit MULTIPLIES_AT_ONCE = 1'b0,  // Ibex: in one cycle
  parameter int unsigned WINDOW = 128,
  parameter int unsigned FIFO_DEPTH = 8
) (
  input logic clk_i,
  input logic rst_ni
);
  logic [7:0] ram_waits = 0, round_trip = 2, local_trip = 1, memory_latency = 0;
  initial begin
    void'($value$plusargs("ram_waits=%d", ram_waits));
    void'($value$plusargs("round_trip=%d", round_trip));
    void'($value$plusargs("local=%d", local_trip));
    void'($value$plusargs("memory=%d", memory_latency));
  end

  // ----------------------------------------------------------------- the host
  request_t insn_bus, bus;
  response_t insn_answer, answer;
  insn_request_t insn;
  insn_response_t insn_answers;
  logic trap, irq, sleep;

  if (HOST == 0) begin : gen_picorv32
    lutra_host_picorv32 u_host (
      .clk_i, .rst_ni, .bus_o(bus), .bus_i(answer), .insn_o(insn), .insn_i(insn_answers), .trap_o(trap)
    );
    assign insn_bus = '0;
    assign sleep = 1'b0;
  end else if (HOST == 1) begin : gen_ibex
    lutra_host_ibex #(.MULTIPLIES_AT_ONCE(MULTIPLIES_AT_ONCE)) u_host (
      .clk_i, .rst_ni, .insn_bus_o(insn_bus), .insn_bus_i(insn_answer), .bus_o(bus), .bus_i(answer), .irq_i(irq),
      .sleep_o(sleep), .trap_o(trap)
    );
    assign insn = '0;
  end else begin : gen_cv32e40x
    lutra_host_cv32e40x u_host (
      .clk_i, .rst_ni, .insn_bus_o(insn_bus), .insn_bus_i(insn_answer), .bus_o(bus), .bus_i(answer), .insn_o(insn),
      .insn_i(insn_answers)
    );
    assign {trap, sleep} = '0;
  end
  always_ff @(posedge clk_i) if (rst_ni && trap) begin
    $display("error: the host trapped");
    $finish;
  end

  // ---------------------------------------------------------- who is addressed
  typedef enum logic [2:0] {Ram, Console, Bus, Local, Ring} device_e;
  localparam int unsigned Devices = 5;
  request_t [Devices-1:0] device;
  response_t [Devices-1:0] device_answer;
  device_e selected;
  always_comb begin
    unique case (bus.addr[31:28])
      4'h1: selected = Console;
      4'h4: selected = Bus;
      4'h5: selected = Local;
      4'h6: selected = Ring;
      default: selected = Ram;
    endcase
    answer = '0;
    for (int d = 0; d < Devices; d++) begin
      device[d] = bus;
      device[d].req = bus.req && int'(selected) == d;
      answer.gnt |= device_answer[d].gnt && int'(selected) == d;
      answer.rvalid |= device_answer[d].rvalid;
      if (device_answer[d].rvalid) answer.rdata |= device_answer[d].rdata;
    end
  end

  // --------------------------------------------------------------- RAM, console
  wide_request_t wide, local_wide, trivium_wide;
  logic [127:0] wide_data;
  dma_request_t dma;
  logic [8*DmaBytes-1:0] dma_data;
  assign wide = local_wide.req ? local_wide : trivium_wide;
  lutra_system_ram u_ram (
    .clk_i, .rst_ni, .waits_i(ram_waits), .insn_i(insn_bus), .insn_o(insn_answer), .data_i(device[Ram]),
    .data_o(device_answer[Ram]), .wide_i(wide), .wide_o(wide_data),
    .dma_i(dma), .dma_o(dma_data)
  );

  traffic_t traffic;
  port_request_t [3:1] port;
  port_request_t core_port;
  port_response_t core_answer;
  lutra_system_console u_console (
    .clk_i, .rst_ni, .bus_i(device[Console]), .bus_o(device_answer[Console]), .data_i(device[Ram]),
    .data_gnt_i(device_answer[Ram].gnt), .wide_i(wide), .dma_i(dma), .traffic_i(traffic),
    .running_i(core_answer.state == StateRunning)
  );

  // ------------------------------------------------------------ S1: system bus
  if (ATTACHMENTS[0]) begin : gen_bus
    request_t far;
    response_t far_answer;
    logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
    logic [31:0] awaddr, wdata, araddr, rdata;
    lutra_system_delay u_delay (
      .clk_i, .rst_ni, .cycles_i(round_trip - 8'd1), .host_i(device[Bus]), .host_o(device_answer[Bus]), .device_o(far),
      .device_i(far_answer)
    );
    lutra_system_axil u_manager (
      .clk_i, .rst_ni, .bus_i(far), .bus_o(far_answer),
      .m_axil_awvalid(awvalid), .m_axil_awready(awready), .m_axil_awaddr(awaddr),
      .m_axil_wvalid(wvalid), .m_axil_wready(wready), .m_axil_wdata(wdata),
      .m_axil_bvalid(bvalid), .m_axil_bready(bready),
      .m_axil_arvalid(arvalid), .m_axil_arready(arready), .m_axil_araddr(araddr),
      .m_axil_rvalid(rvalid), .m_axil_rready(rready), .m_axil_rdata(rdata)
    );
    lutra_attach_bus u_attach (
      .clk_i, .rst_ni,
      .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr),
      .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata),
      .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(),
      .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr),
      .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(),
      .port_o(port[1]), .port_i(core_answer)
    );
  end else begin : gen_no_bus
    assign device_answer[Bus] = '{gnt: device[Bus].req, rvalid: 1'b0, rdata: '0};
    assign port[1] = '0;
  end

  // ------------------------------------------------------------- S2: local bus
  if (ATTACHMENTS[1]) begin : gen_local
    request_t near;
    response_t near_answer;
    lutra_system_delay u_delay (
      .clk_i, .rst_ni, .cycles_i(local_trip - 8'd1), .host_i(device[Local]), .host_o(device_answer[Local]),
      .device_o(near), .device_i(near_answer)
    );
    lutra_attach_local #(.WINDOW(WINDOW)) u_attach (
      .clk_i, .rst_ni, .bus_i(near), .bus_o(near_answer), .wide_o(local_wide), .wide_i(wide_data), .port_o(port[2]),
      .port_i(core_answer)
    );
  end else begin : gen_no_local
    assign device_answer[Local] = '{gnt: device[Local].req, rvalid: 1'b0, rdata: '0};
    assign local_wide = '0;
    assign port[2] = '0;
  end

  // ---------------------------------------------- S3: FIFOs; S4: instructions
  insn_response_t link_answer, trivium_answer;
  assign insn_answers = link_answer | trivium_answer;
  logic put, get;
  if (ATTACHMENTS[2] && HOST != 1) begin : gen_fifo
    logic put_valid, put_ready, get_valid, get_ready;
    logic [32:0] put_word, get_word;
    insn_response_t linked;
    lutra_link_insn u_insn (
      .insn_i(insn), .insn_o(linked), .put_valid_o(put_valid), .put_ready_i(put_ready), .put_o(put_word),
      .get_valid_i(get_valid), .get_ready_o(get_ready), .get_i(get_word)
    );
    assign link_answer = linked.claim ? linked : '0;
    lutra_attach_fifo #(.DEPTH(FIFO_DEPTH)) u_attach (
      .clk_i, .rst_ni, .put_valid_i(put_valid), .put_ready_o(put_ready), .put_i(put_word), .get_valid_o(get_valid),
      .get_ready_i(get_ready), .get_o(get_word), .port_o(port[3]), .port_i(core_answer)
    );
    assign put = put_valid && put_ready && !put_word[32];
    assign get = get_valid && get_ready && !get_word[32];
  end else begin : gen_no_fifo
    assign link_answer = '0;
    assign port[3] = '0;
    assign {put, get} = '0;
  end

  if (ATTACHMENTS[3] && HOST != 1) begin : gen_trivium
    insn_response_t answered;
    lutra_trivium_insn u_trivium (
      .clk_i, .rst_ni, .insn_i(insn), .insn_o(answered), .wide_o(trivium_wide), .wide_i(wide_data)
    );
    assign trivium_answer = answered.claim ? answered : '0;
  end else begin : gen_no_trivium
    assign trivium_answer = '0;
    assign trivium_wide = '0;
  end

  // ---------------------------------------------------- S5: descriptor rings
  logic [1:0] beats;
  if (ATTACHMENTS[4]) begin : gen_ring
    logic clk;
    if (GATED) begin : gen_gate
      logic needed, busy;
      lutra_system_busy u_busy (.busy_o(busy));
      assign needed = !rst_ni || device[Ring].req || far.req || busy;
      lutra_system_gate u_gate (.clk_i, .rst_ni, .needed_i(needed), .clk_o(clk));
    end else begin : gen_no_gate
      assign clk = clk_i;
    end

    request_t far;
    response_t far_answer;
    logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
    logic [31:0] awaddr, wdata, araddr, rdata;
    lutra_system_delay u_delay (
      .clk_i, .rst_ni, .cycles_i(round_trip - 8'd1), .host_i(device[Ring]), .host_o(device_answer[Ring]),
      .device_o(far), .device_i(far_answer)
    );
    lutra_system_axil u_manager (
      .clk_i, .rst_ni, .bus_i(far), .bus_o(far_answer),
      .m_axil_awvalid(awvalid), .m_axil_awready(awready), .m_axil_awaddr(awaddr),
      .m_axil_wvalid(wvalid), .m_axil_wready(wready), .m_axil_wdata(wdata),
      .m_axil_bvalid(bvalid), .m_axil_bready(bready),
      .m_axil_arvalid(arvalid), .m_axil_arready(arready), .m_axil_araddr(araddr),
      .m_axil_rvalid(rvalid), .m_axil_rready(rready), .m_axil_rdata(rdata)
    );

    logic m_awvalid, m_awready, m_wvalid, m_wready, m_wlast, m_bvalid, m_bready;
    logic m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
    logic [2:0] m_awid, m_bid, m_arid, m_rid;
    logic [31:0] m_awaddr, m_araddr;
    logic [7:0] m_arlen;
    logic [8*DmaBytes-1:0] m_wdata, m_rdata;
    logic [DmaBytes-1:0] m_wstrb;
    logic [1:0] ring_irq;
    assign irq = ring_irq[0];
    lutra_axi #(
      .ADDR_WIDTH(32),
      .DATA_WIDTH(8 * DmaBytes)
    ) u_axi (
      .clk_i(clk), .rst_ni, .irq_o(ring_irq), .escalate_i(1'b0), .alert_o(),
      .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr[13:0]), .s_axil_awprot('0),
      .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb('1),
      .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(),
      .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr[13:0]), .s_axil_arprot('0),
      .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(),
      .m_axi_awvalid(m_awvalid), .m_axi_awready(m_awready), .m_axi_awid(m_awid), .m_axi_awaddr(m_awaddr),
      .m_axi_awlen(), .m_axi_awsize(), .m_axi_awburst(), .m_axi_awlock(), .m_axi_awcache(), .m_axi_awprot(),
      .m_axi_wvalid(m_wvalid), .m_axi_wready(m_wready), .m_axi_wdata(m_wdata), .m_axi_wstrb(m_wstrb),
      .m_axi_wlast(m_wlast), .m_axi_bvalid(m_bvalid), .m_axi_bready(m_bready), .m_axi_bid(m_bid), .m_axi_bresp('0),
      .m_axi_arvalid(m_arvalid), .m_axi_arready(m_arready), .m_axi_arid(m_arid), .m_axi_araddr(m_araddr),
      .m_axi_arlen(m_arlen), .m_axi_arsize(), .m_axi_arburst(), .m_axi_arlock(), .m_axi_arcache(), .m_axi_arprot(),
      .m_axi_rvalid(m_rvalid), .m_axi_rready(m_rready), .m_axi_rid(m_rid), .m_axi_rdata(m_rdata), .m_axi_rresp('0),
      .m_axi_rlast(m_rlast)
    );
    lutra_system_axi #(.DATA_WIDTH(8 * DmaBytes)) u_memory (
      .clk_i(clk), .rst_ni, .latency_i(memory_latency),
      .s_axi_awvalid(m_awvalid), .s_axi_awready(m_awready), .s_axi_awid(m_awid), .s_axi_awaddr(m_awaddr),
      .s_axi_wvalid(m_wvalid), .s_axi_wready(m_wready), .s_axi_wdata(m_wdata), .s_axi_wstrb(m_wstrb),
      .s_axi_wlast(m_wlast), .s_axi_bvalid(m_bvalid), .s_axi_bready(m_bready), .s_axi_bid(m_bid),
      .s_axi_arvalid(m_arvalid), .s_axi_arready(m_arready), .s_axi_arid(m_arid), .s_axi_araddr(m_araddr),
      .s_axi_arlen(m_arlen), .s_axi_rvalid(m_rvalid), .s_axi_rready(m_rready), .s_axi_rid(m_rid),
      .s_axi_rdata(m_rdata), .s_axi_rlast(m_rlast),
      .ram_raddr_o(dma.raddr), .ram_rdata_i(dma_data), .ram_we_o(dma.we), .ram_waddr_o(dma.waddr),
      .ram_wdata_o(dma.wdata), .ram_wstrb_o(dma.wstrb)
    );
    assign beats = 2'(m_rvalid && m_rready) + 2'(m_wvalid && m_wready);
  end else begin : gen_no_ring
    assign device_answer[Ring] = '{gnt: device[Ring].req, rvalid: 1'b0, rdata: '0};
    assign dma = '0;
    assign beats = '0;
    assign irq = 1'b0;
  end

  // -------------------------------------------------------- what is counted
  // Words of data to or from an attachment, not of control; a link is busy from a request to its response.
  logic open_q, open_d, data_access;
  assign data_access = (selected == Bus || selected == Local) && bus.req && answer.gnt && !bus.addr[23];
  assign open_d = ((selected == Bus || selected == Local) && bus.req) || (open_q && !answer.rvalid);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else open_q <= open_d;
  end
  always_comb begin
    traffic.words = 3'(data_access) + 3'(put) + 3'(get);
    if (data_access && selected == Local && bus.we && bus.addr[24]) traffic.words = 3'd4;
    if (trivium_wide.req) traffic.words = 3'd4;
    else if (trivium_answer.ready) traffic.words = 3'd1;
    if (beats != 0) traffic.words = 3'(beats * (DmaBytes / 4));
    traffic.busy = open_q || put || get || trivium_answer.claim || beats != 0;
  end

  // ------------------------------------------------------------------ the core
  if (ATTACHMENTS[2:0] != 0) begin : gen_core
    // One of them is in use at a time: the host waits for each access.
    always_comb begin
      core_port = '0;
      for (int p = 1; p <= 3; p++) if (port[p].req || port[p].start) core_port |= port[p];
    end
    lutra_core #(
      .RETIREMENT_PORT(1'b0),
      .PERF_STALLS(1'b0)
    ) u_core (
      .clk_i, .rst_ni,
      .host_req_i(core_port.req), .host_we_i(core_port.we), .host_space_i(core_port.space),
      .host_row_i(core_port.row), .host_wdata_i(core_port.wdata), .host_gnt_o(core_answer.gnt),
      .host_rvalid_o(core_answer.rvalid), .host_rdata_o(core_answer.rdata),
      .start_i(core_port.start), .entry_i(core_port.entry), .resume_i(1'b0), .irq_clear_i(1'b1),
      .alert_clear_i(1'b0), .wipe_i(1'b0), .escalate_i(1'b0), .alert_o(),
      .state_o(core_answer.state), .pc_o(), .trap_o(), .notify_o(), .irq_o(), .cycles_o(), .instructions_o(),
      .stalls_o(), .retire_valid_o(), .retire_o()
    );
  end else begin : gen_no_core
    assign core_port = '0;
    assign core_answer = '0;
  end

endmodule
