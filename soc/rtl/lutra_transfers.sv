// The manager side of lutra_axi: strings of sources to rows and rows to strings of destinations, descriptors and
// completions, over the two ports of the bus.

module lutra_transfers
  import lutra_engine_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned Lanes = DATA_WIDTH / 8
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic big_endian_i,

  // Registers that are in the memory of places.
  input  place_register_t place_register_i,
  output logic place_register_ready_o,
  output logic [RowBytes-1:0][7:0] place_row_o,

  // Entries of rings: descriptors, completions.
  input  logic [1:0] entry_valid_i,
  input  logic [1:0] entry_ring_i,
  input  logic [1:0][14:0] entry_index_i,
  output logic [1:0] entry_ready_o,
  input  logic [1:0] entry_taken_i,
  output logic [ADDR_WIDTH-1:0] entry_address_o,
  output logic entry_fault_o,

  // Strings, and their rows.
  input  string_t [Sides-1:0] string_i,
  input  logic [Sides-1:0] string_valid_i,
  output logic [Sides-1:0] string_ready_o,
  output logic in_valid_o,
  input  logic in_ready_i,
  output row_t in_row_o,
  output logic in_last_o,
  output fault_e in_fault_o,
  input  logic out_valid_i,
  output logic out_ready_o,
  input  row_t out_row_i,
  output logic written_valid_o,
  output fault_e written_fault_o,

  // Reads of descriptors.
  input  logic fetch_valid_i,
  output logic fetch_ready_o,
  input  logic [ADDR_WIDTH-1:0] fetch_address_i,
  input  logic [3:0] fetch_beats_i,
  output logic fetched_valid_o,
  output logic [DATA_WIDTH-1:0] fetched_data_o,
  output logic fetched_error_o,
  output logic fetched_last_o,

  // Writes of completions.
  input  logic post_valid_i,
  output logic post_ready_o,
  input  logic [ADDR_WIDTH-1:0] post_address_i,
  input  logic [3:0] post_beats_i,
  input  logic post_beat_valid_i,
  output logic post_beat_ready_o,
  input  logic [DATA_WIDTH-1:0] post_data_i,
  input  logic post_last_i,
  output logic posted_valid_o,
  output logic posted_error_o,

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
  logic [Sides-1:0][63:0] string_address;
  logic [Sides-1:0][31:0] string_bytes;
  logic [Sides-1:0] string_list, string_ring, string_continues;
  logic [Sides-1:0] burst_valid, burst_ready;
  logic burst_last, burst_empty;
  address_t burst_address;
  logic [3:0] burst_beats;
  logic [LaneBits-1:0] burst_lane;
  fault_e burst_fault;
  for (genvar s = 0; s < Sides; s++) begin : gen_string
    assign string_address[s] = string_i[s].address;
    assign string_bytes[s] = string_i[s].bytes;
    assign string_list[s] = string_i[s].list;
    assign string_ring[s] = string_i[s].ring;
    assign string_continues[s] = string_i[s].continues;
  end
  assign answer_ready[ReadSources] = 1'b1;
  assign answer_ready[ReadDestinations] = 1'b1;

  lutra_segments #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_segments (
    .clk_i,
    .rst_ni,
    .big_endian_i(big_endian_i),
    .register_i(place_register_i),
    .register_ready_o(place_register_ready_o),
    .register_row_o(place_row_o),
    .entry_valid_i,
    .entry_ring_i,
    .entry_index_i,
    .entry_ready_o,
    .entry_taken_i,
    .entry_address_o,
    .entry_fault_o,
    .string_valid_i,
    .string_ready_o,
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
    .row_valid_o(in_valid_o),
    .row_ready_i(in_ready_i),
    .row_o(in_row_o),
    .row_last_o(in_last_o),
    .row_fault_o(in_fault_o)
  );

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
    .row_valid_i(out_valid_i),
    .row_ready_o(out_ready_o),
    .row_i(out_row_i),
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
    .done_valid_o(written_valid_o),
    .done_fault_o(written_fault_o)
  );

  // ------------------------------------------------------- descriptors and completions
  assign read_valid[ReadDescriptors] = fetch_valid_i;
  assign fetch_ready_o = read_ready[ReadDescriptors];
  assign read_address[ReadDescriptors] = fetch_address_i;
  assign read_beats[ReadDescriptors] = fetch_beats_i;
  assign fetched_valid_o = answer_valid[ReadDescriptors];
  assign answer_ready[ReadDescriptors] = 1'b1;
  assign fetched_data_o = answer_data;
  assign fetched_error_o = answer_error;
  assign fetched_last_o = answer_last;
  assign write_valid[WriteCompletions] = post_valid_i;
  assign post_ready_o = write_ready[WriteCompletions];
  assign write_address[WriteCompletions] = post_address_i;
  assign write_beats[WriteCompletions] = post_beats_i;
  assign beat_valid[WriteCompletions] = post_beat_valid_i;
  assign post_beat_ready_o = beat_ready[WriteCompletions];
  assign beat_data[WriteCompletions] = post_data_i;
  assign beat_strobe[WriteCompletions] = '1;
  assign beat_last[WriteCompletions] = post_last_i;
  assign posted_valid_o = written_valid[WriteCompletions];
  assign written_ready[WriteCompletions] = 1'b1;
  assign posted_error_o = written_error;

endmodule
