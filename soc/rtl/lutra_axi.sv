// A crypto processor on AXI: registers and descriptor rings in front of the core, DMA behind it. AXI4-Lite subordinate
// of 32 bits, AXI4 manager of DATA_WIDTH bits.

module lutra_axi
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_regs_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,  // or 128
  parameter bit WIPE = CoreWipe,  // of the core; see docs/faults.md
  localparam int unsigned Lanes = DATA_WIDTH / 8,
  localparam int unsigned RegisterBits = 14
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic [Rings-1:0] irq_o,
  input  logic escalate_i,
  output logic alert_o,

  input  logic s_axil_awvalid,
  output logic s_axil_awready,
  input  logic [RegisterBits-1:0] s_axil_awaddr,
  input  logic [2:0] s_axil_awprot,
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
  input  logic [2:0] s_axil_arprot,
  output logic s_axil_rvalid,
  input  logic s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0] s_axil_rresp,

  output logic m_axi_awvalid,
  input  logic m_axi_awready,
  output logic [IdWidth-1:0] m_axi_awid,
  output logic [ADDR_WIDTH-1:0] m_axi_awaddr,
  output logic [7:0] m_axi_awlen,
  output logic [2:0] m_axi_awsize,
  output logic [1:0] m_axi_awburst,
  output logic m_axi_awlock,
  output logic [3:0] m_axi_awcache,
  output logic [2:0] m_axi_awprot,
  output logic m_axi_wvalid,
  input  logic m_axi_wready,
  output logic [DATA_WIDTH-1:0] m_axi_wdata,
  output logic [Lanes-1:0] m_axi_wstrb,
  output logic m_axi_wlast,
  input  logic m_axi_bvalid,
  output logic m_axi_bready,
  input  logic [IdWidth-1:0] m_axi_bid,
  input  logic [1:0] m_axi_bresp,
  output logic m_axi_arvalid,
  input  logic m_axi_arready,
  output logic [IdWidth-1:0] m_axi_arid,
  output logic [ADDR_WIDTH-1:0] m_axi_araddr,
  output logic [7:0] m_axi_arlen,
  output logic [2:0] m_axi_arsize,
  output logic [1:0] m_axi_arburst,
  output logic m_axi_arlock,
  output logic [3:0] m_axi_arcache,
  output logic [2:0] m_axi_arprot,
  input  logic m_axi_rvalid,
  output logic m_axi_rready,
  input  logic [IdWidth-1:0] m_axi_rid,
  input  logic [DATA_WIDTH-1:0] m_axi_rdata,
  input  logic [1:0] m_axi_rresp,
  input  logic m_axi_rlast
);

  // ------------------------------------------------------------------- registers
  lutra_axi__in_t registers_in;
  lutra_axi__out_t registers_out;
  lutra_registers #(
    .RegisterBits(RegisterBits)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .s_axil_awvalid,
    .s_axil_awready,
    .s_axil_awaddr,
    .s_axil_wvalid,
    .s_axil_wready,
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_bvalid,
    .s_axil_bready,
    .s_axil_bresp,
    .s_axil_arvalid,
    .s_axil_arready,
    .s_axil_araddr,
    .s_axil_rvalid,
    .s_axil_rready,
    .s_axil_rdata,
    .s_axil_rresp,
    .registers_i(registers_in),
    .registers_o(registers_out)
  );
  // ------------------------------------------------------------------- transfers
  string_t [Sides-1:0] strings;
  logic [Sides-1:0] string_valid, string_ready;
  place_register_t place_register;
  logic place_register_ready, entry_fault;
  logic [RowBytes-1:0][7:0] place_row;
  logic [1:0] entry_valid, entry_ring, entry_ready, entry_taken;
  logic [1:0][14:0] entry_index;
  logic [ADDR_WIDTH-1:0] entry_address, fetch_address, post_address;
  logic in_valid, in_ready, in_last, out_valid, out_ready, written_valid;
  row_t in_row, out_row;
  fault_e in_fault, written_fault;
  logic fetch_valid, fetch_ready, fetched_valid, fetched_error, fetched_last;
  logic [3:0] fetch_beats, post_beats;
  logic [DATA_WIDTH-1:0] fetched_data, post_data;
  logic post_valid, post_ready, post_beat_valid, post_beat_ready, post_last, posted_valid, posted_error;

  lutra_transfers #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_transfers (
    .clk_i,
    .rst_ni,
    .big_endian_i(registers_out.control.big_endian.value),
    .place_register_i(place_register),
    .place_register_ready_o(place_register_ready),
    .place_row_o(place_row),
    .entry_valid_i(entry_valid),
    .entry_ring_i(entry_ring),
    .entry_index_i(entry_index),
    .entry_ready_o(entry_ready),
    .entry_taken_i(entry_taken),
    .entry_address_o(entry_address),
    .entry_fault_o(entry_fault),
    .string_i(strings),
    .string_valid_i(string_valid),
    .string_ready_o(string_ready),
    .in_valid_o(in_valid),
    .in_ready_i(in_ready),
    .in_row_o(in_row),
    .in_last_o(in_last),
    .in_fault_o(in_fault),
    .out_valid_i(out_valid),
    .out_ready_o(out_ready),
    .out_row_i(out_row),
    .written_valid_o(written_valid),
    .written_fault_o(written_fault),
    .fetch_valid_i(fetch_valid),
    .fetch_ready_o(fetch_ready),
    .fetch_address_i(fetch_address),
    .fetch_beats_i(fetch_beats),
    .fetched_valid_o(fetched_valid),
    .fetched_data_o(fetched_data),
    .fetched_error_o(fetched_error),
    .fetched_last_o(fetched_last),
    .post_valid_i(post_valid),
    .post_ready_o(post_ready),
    .post_address_i(post_address),
    .post_beats_i(post_beats),
    .post_beat_valid_i(post_beat_valid),
    .post_beat_ready_o(post_beat_ready),
    .post_data_i(post_data),
    .post_last_i(post_last),
    .posted_valid_o(posted_valid),
    .posted_error_o(posted_error),
    .m_axi_awvalid,
    .m_axi_awready,
    .m_axi_awid,
    .m_axi_awaddr,
    .m_axi_awlen,
    .m_axi_awsize,
    .m_axi_awburst,
    .m_axi_awlock,
    .m_axi_awcache,
    .m_axi_awprot,
    .m_axi_wvalid,
    .m_axi_wready,
    .m_axi_wdata,
    .m_axi_wstrb,
    .m_axi_wlast,
    .m_axi_bvalid,
    .m_axi_bready,
    .m_axi_bid,
    .m_axi_bresp,
    .m_axi_arvalid,
    .m_axi_arready,
    .m_axi_arid,
    .m_axi_araddr,
    .m_axi_arlen,
    .m_axi_arsize,
    .m_axi_arburst,
    .m_axi_arlock,
    .m_axi_arcache,
    .m_axi_arprot,
    .m_axi_rvalid,
    .m_axi_rready,
    .m_axi_rid,
    .m_axi_rdata,
    .m_axi_rresp,
    .m_axi_rlast
  );

  // -------------------------------------------------------------------- the engine
  logic core_rst_n, host_req, host_we, host_gnt, start, core_event, wipe, escalate, alert, alert_clear, fault;
  space_e host_space;
  addr_t host_row, entry;
  vec_t host_wdata, host_rdata;
  state_e core_state;
  trap_e trap;
  logic [7:0] notify;

  lutra_engine #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH),
    .WIPE(WIPE)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .registers_i(registers_out),
    .registers_o(registers_in),
    .irq_o,
    .place_register_o(place_register),
    .place_register_ready_i(place_register_ready),
    .place_row_i(place_row),
    .entry_valid_o(entry_valid),
    .entry_ring_o(entry_ring),
    .entry_index_o(entry_index),
    .entry_ready_i(entry_ready),
    .entry_taken_o(entry_taken),
    .entry_address_i(entry_address),
    .entry_fault_i(entry_fault),
    .source_o(strings[Source]),
    .source_valid_o(string_valid[Source]),
    .source_ready_i(string_ready[Source]),
    .in_valid_i(in_valid),
    .in_ready_o(in_ready),
    .in_row_i(in_row),
    .in_last_i(in_last),
    .in_fault_i(in_fault),
    .destination_o(strings[Destination]),
    .destination_valid_o(string_valid[Destination]),
    .destination_ready_i(string_ready[Destination]),
    .out_valid_o(out_valid),
    .out_ready_i(out_ready),
    .out_row_o(out_row),
    .written_valid_i(written_valid),
    .written_fault_i(written_fault),
    .fetch_valid_o(fetch_valid),
    .fetch_ready_i(fetch_ready),
    .fetch_address_o(fetch_address),
    .fetch_beats_o(fetch_beats),
    .fetched_valid_i(fetched_valid),
    .fetched_data_i(fetched_data),
    .fetched_error_i(fetched_error),
    .fetched_last_i(fetched_last),
    .post_valid_o(post_valid),
    .post_ready_i(post_ready),
    .post_address_o(post_address),
    .post_beats_o(post_beats),
    .post_beat_valid_o(post_beat_valid),
    .post_beat_ready_i(post_beat_ready),
    .post_data_o(post_data),
    .post_last_o(post_last),
    .posted_valid_i(posted_valid),
    .posted_error_i(posted_error),
    .core_rst_no(core_rst_n),
    .host_req_o(host_req),
    .host_we_o(host_we),
    .host_space_o(host_space),
    .host_row_o(host_row),
    .host_wdata_o(host_wdata),
    .host_gnt_i(host_gnt),
    .host_rdata_i(host_rdata),
    .start_o(start),
    .entry_o(entry),
    .wipe_o(wipe),
    .alert_i(alert),
    .fault_i(fault),
    .core_state_i(core_state),
    .trap_i(trap),
    .notify_i(notify),
    .event_i(core_event)
  );

  lutra_axi_alert #(
    .ALERT(WIPE || CoreProtect || CoreShadowWords != 0),
    .ESCALATE(WIPE)
  ) u_alert (
    .clk_i,
    .rst_ni,
    .escalate_i,
    .alert_o,
    .escalate_value_i(registers_out.control.escalate.value),
    .raised_i(registers_out.alert.raised.value),
    .raise_o(fault),
    .core_alert_i(alert),
    .core_alert_clear_o(alert_clear),
    .core_escalate_o(escalate)
  );

  // ---------------------------------------------------------------------- the core
  // An event is a pulse: it is cleared at once.
  lutra_core #(
    .WIPE(WIPE),
    .RETIREMENT_PORT(1'b0),
    .PERF_STALLS(1'b0)
  ) u_core (
    .clk_i,
    .rst_ni(core_rst_n),
    .host_req_i(host_req),
    .host_we_i(host_we),
    .host_space_i(host_space),
    .host_row_i(host_row),
    .host_wdata_i(host_wdata),
    .host_gnt_o(host_gnt),
    .host_rvalid_o(),
    .host_rdata_o(host_rdata),
    .start_i(start),
    .entry_i(entry),
    .resume_i(1'b0),
    .irq_clear_i(1'b1),
    .alert_clear_i(alert_clear),
    .wipe_i(wipe),
    .escalate_i(escalate),
    .alert_o(alert),
    .state_o(core_state),
    .pc_o(),
    .trap_o(trap),
    .notify_o(notify),
    .irq_o(core_event),
    .cycles_o(), .instructions_o(),
    .stalls_o(),
    .retire_valid_o(),
    .retire_o()
  );

endmodule
