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
  localparam int unsigned Lanes = DATA_WIDTH / 8,
  localparam int unsigned RegisterBits = 14
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic [Rings-1:0] irq_o,

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

  localparam int unsigned LaneBits = $clog2(Lanes);
  typedef logic [ADDR_WIDTH-1:0] address_t;
  typedef logic [DATA_WIDTH-1:0] data_t;

  // Ordinary accesses: not exclusive, modifiable and bufferable, privileged and not secure as others make them.
  assign m_axi_awlock = 1'b0;
  assign m_axi_arlock = 1'b0;
  assign m_axi_awcache = 4'b0011;
  assign m_axi_arcache = 4'b0011;
  assign m_axi_awprot = 3'b010;
  assign m_axi_arprot = 3'b010;

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

  // -------------------------------------------------------------------- the ports
  logic [ReadClients-1:0] read_valid, read_ready, answer_valid, answer_ready;
  logic [ReadClients-1:0][ADDR_WIDTH-1:0] read_address;
  logic [ReadClients-1:0][3:0] read_beats;
  data_t answer_data;
  logic answer_error, answer_last;
  lutra_read_port #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_read_port (
    .clk_i,
    .rst_ni,
    .request_valid_i(read_valid),
    .request_ready_o(read_ready),
    .request_address_i(read_address),
    .request_beats_i(read_beats),
    .response_valid_o(answer_valid),
    .response_ready_i(answer_ready),
    .response_data_o(answer_data),
    .response_error_o(answer_error),
    .response_last_o(answer_last),
    .arvalid_o(m_axi_arvalid),
    .arready_i(m_axi_arready),
    .arid_o(m_axi_arid),
    .araddr_o(m_axi_araddr),
    .arlen_o(m_axi_arlen),
    .arsize_o(m_axi_arsize),
    .arburst_o(m_axi_arburst),
    .rvalid_i(m_axi_rvalid),
    .rready_o(m_axi_rready),
    .rid_i(m_axi_rid),
    .rdata_i(m_axi_rdata),
    .rresp_i(m_axi_rresp),
    .rlast_i(m_axi_rlast)
  );

  logic [WriteClients-1:0] write_valid, write_ready, beat_valid, beat_ready, beat_last, written_valid, written_ready;
  logic [WriteClients-1:0][ADDR_WIDTH-1:0] write_address;
  logic [WriteClients-1:0][3:0] write_beats;
  logic [WriteClients-1:0][DATA_WIDTH-1:0] beat_data;
  logic [WriteClients-1:0][Lanes-1:0] beat_strobe;
  logic written_error;
  lutra_write_port #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_write_port (
    .clk_i,
    .rst_ni,
    .request_valid_i(write_valid),
    .request_ready_o(write_ready),
    .request_address_i(write_address),
    .request_beats_i(write_beats),
    .beat_valid_i(beat_valid),
    .beat_ready_o(beat_ready),
    .beat_data_i(beat_data),
    .beat_strobe_i(beat_strobe),
    .beat_last_i(beat_last),
    .response_valid_o(written_valid),
    .response_ready_i(written_ready),
    .response_error_o(written_error),
    .awvalid_o(m_axi_awvalid),
    .awready_i(m_axi_awready),
    .awid_o(m_axi_awid),
    .awaddr_o(m_axi_awaddr),
    .awlen_o(m_axi_awlen),
    .awsize_o(m_axi_awsize),
    .awburst_o(m_axi_awburst),
    .wvalid_o(m_axi_wvalid),
    .wready_i(m_axi_wready),
    .wdata_o(m_axi_wdata),
    .wstrb_o(m_axi_wstrb),
    .wlast_o(m_axi_wlast),
    .bvalid_i(m_axi_bvalid),
    .bready_o(m_axi_bready),
    .bid_i(m_axi_bid),
    .bresp_i(m_axi_bresp)
  );

  // --------------------------------------------------- places in memory
  typedef enum logic {Source, Destination} side_e;

  string_t [Sides-1:0] strings;
  logic [Sides-1:0] string_valid, string_ready;
  logic [Sides-1:0][63:0] string_address;
  logic [Sides-1:0][31:0] string_bytes;
  logic [Sides-1:0] string_list, string_ring, string_continues;
  logic [Sides-1:0] burst_valid, burst_ready;
  logic burst_last, burst_empty;
  address_t burst_address, entry_address;
  logic [3:0] burst_beats;
  logic [LaneBits-1:0] burst_lane;
  fault_e burst_fault;
  place_register_t place_register;
  logic place_register_ready, entry_fault;
  logic [RowBytes-1:0][7:0] place_row;
  logic [1:0] entry_valid, entry_ring, entry_ready, entry_taken;
  logic [1:0][14:0] entry_index;
  for (genvar s = 0; s < Sides; s++) begin : gen_string
    assign string_address[s] = strings[s].address;
    assign string_bytes[s] = strings[s].bytes;
    assign string_list[s] = strings[s].list;
    assign string_ring[s] = strings[s].ring;
    assign string_continues[s] = strings[s].continues;
  end
  assign answer_ready[ReadSources] = 1'b1;
  assign answer_ready[ReadDestinations] = 1'b1;

  lutra_segments #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_segments (
    .clk_i,
    .rst_ni,
    .big_endian_i(registers_out.control.big_endian.value),
    .register_i(place_register),
    .register_ready_o(place_register_ready),
    .register_row_o(place_row),
    .entry_valid_i(entry_valid),
    .entry_ring_i(entry_ring),
    .entry_index_i(entry_index),
    .entry_ready_o(entry_ready),
    .entry_taken_i(entry_taken),
    .entry_address_o(entry_address),
    .entry_fault_o(entry_fault),
    .string_valid_i(string_valid),
    .string_ready_o(string_ready),
    .string_address_i(string_address),
    .string_bytes_i(string_bytes),
    .string_list_i(string_list),
    .string_ring_i(string_ring),
    .string_continue_i(string_continues),
    .request_valid_o({read_valid[ReadDestinations], read_valid[ReadSources]}),
    .request_ready_i({read_ready[ReadDestinations], read_ready[ReadSources]}),
    .request_address_o({read_address[ReadDestinations], read_address[ReadSources]}),
    .request_beats_o({read_beats[ReadDestinations], read_beats[ReadSources]}),
    .response_valid_i({answer_valid[ReadDestinations], answer_valid[ReadSources]}),
    .response_data_i(answer_data),
    .response_error_i(answer_error),
    .response_last_i(answer_last),
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_address_o(burst_address),
    .burst_beats_o(burst_beats),
    .burst_lane_o(burst_lane),
    .burst_last_o(burst_last),
    .burst_empty_o(burst_empty),
    .burst_fault_o(burst_fault)
  );

  logic in_valid, in_ready, in_last;
  row_t in_row;
  fault_e in_fault;
  lutra_dma_read #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_dma_read (
    .clk_i,
    .rst_ni,
    .burst_valid_i(burst_valid[Source]),
    .burst_ready_o(burst_ready[Source]),
    .burst_address_i(burst_address),
    .burst_beats_i(burst_beats),
    .burst_lane_i(burst_lane),
    .burst_last_i(burst_last),
    .burst_empty_i(burst_empty),
    .burst_fault_i(burst_fault),
    .request_valid_o(read_valid[ReadData]),
    .request_ready_i(read_ready[ReadData]),
    .request_address_o(read_address[ReadData]),
    .request_beats_o(read_beats[ReadData]),
    .response_valid_i(answer_valid[ReadData]),
    .response_ready_o(answer_ready[ReadData]),
    .response_data_i(answer_data),
    .response_error_i(answer_error),
    .response_last_i(answer_last),
    .row_valid_o(in_valid),
    .row_ready_i(in_ready),
    .row_o(in_row),
    .row_last_o(in_last),
    .row_fault_o(in_fault)
  );

  logic out_valid, out_ready, done_valid;
  row_t out_row;
  fault_e done_fault;
  lutra_dma_write #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_dma_write (
    .clk_i,
    .rst_ni,
    .burst_valid_i(burst_valid[Destination]),
    .burst_ready_o(burst_ready[Destination]),
    .burst_address_i(burst_address),
    .burst_beats_i(burst_beats),
    .burst_lane_i(burst_lane),
    .burst_last_i(burst_last),
    .burst_empty_i(burst_empty),
    .burst_fault_i(burst_fault),
    .row_valid_i(out_valid),
    .row_ready_o(out_ready),
    .row_i(out_row),
    .request_valid_o(write_valid[WriteData]),
    .request_ready_i(write_ready[WriteData]),
    .request_address_o(write_address[WriteData]),
    .request_beats_o(write_beats[WriteData]),
    .beat_valid_o(beat_valid[WriteData]),
    .beat_ready_i(beat_ready[WriteData]),
    .beat_data_o(beat_data[WriteData]),
    .beat_strobe_o(beat_strobe[WriteData]),
    .beat_last_o(beat_last[WriteData]),
    .response_valid_i(written_valid[WriteData]),
    .response_ready_o(written_ready[WriteData]),
    .response_error_i(written_error),
    .done_valid_o(done_valid),
    .done_fault_o(done_fault)
  );
  assign answer_ready[ReadDescriptors] = 1'b1;
  assign written_ready[WriteCompletions] = 1'b1;
  assign beat_strobe[WriteCompletions] = '1;

  // -------------------------------------------------------------------- the engine
  logic core_rst_n, host_req, host_we, host_gnt, start, core_event;
  space_e host_space;
  addr_t host_row, entry;
  vec_t host_wdata, host_rdata;
  state_e core_state;
  trap_e trap;
  logic [7:0] notify;

  lutra_engine #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
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
    .written_valid_i(done_valid),
    .written_fault_i(done_fault),
    .fetch_valid_o(read_valid[ReadDescriptors]),
    .fetch_ready_i(read_ready[ReadDescriptors]),
    .fetch_address_o(read_address[ReadDescriptors]),
    .fetch_beats_o(read_beats[ReadDescriptors]),
    .fetched_valid_i(answer_valid[ReadDescriptors]),
    .fetched_data_i(answer_data),
    .fetched_error_i(answer_error),
    .fetched_last_i(answer_last),
    .post_valid_o(write_valid[WriteCompletions]),
    .post_ready_i(write_ready[WriteCompletions]),
    .post_address_o(write_address[WriteCompletions]),
    .post_beats_o(write_beats[WriteCompletions]),
    .post_beat_valid_o(beat_valid[WriteCompletions]),
    .post_beat_ready_i(beat_ready[WriteCompletions]),
    .post_data_o(beat_data[WriteCompletions]),
    .post_last_o(beat_last[WriteCompletions]),
    .posted_valid_i(written_valid[WriteCompletions]),
    .posted_error_i(written_error),
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
    .core_state_i(core_state),
    .trap_i(trap),
    .notify_i(notify),
    .event_i(core_event)
  );

  // ---------------------------------------------------------------------- the core
  // An event is a pulse: it is cleared at once.
  lutra_core #(
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
    .alert_clear_i(1'b0),
    .wipe_i(1'b0),
    .escalate_i(1'b0),
    .alert_o(),
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
