// The DMA units as the engine wires them: sources to rows, rows to destinations, a client that reads and one that
// writes next to them. Buses are as wide as the widest; a narrow one uses the low lanes.

// verilator lint_off UNUSEDSIGNAL
// verilator lint_off PINCONNECTEMPTY
module dma_bench
  import lutra_soc_pkg::*;
#(
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned ADDR_WIDTH = 40,
  localparam int unsigned Lanes = DATA_WIDTH / 8,
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [7:0] fault_i,  // which one tests have put into the units
  input  logic big_endian_i,
  // Windows are written here.
  input  logic register_valid_i,
  input  logic [3:0] register_word_i,
  input  logic [31:0] register_data_i,
  output logic register_ready_o,

  // Strings and rows: [0] source, [1] destination.
  input  logic [1:0] string_valid_i,
  output logic [1:0] string_ready_o,
  input  logic [1:0][63:0] string_address_i,
  input  logic [1:0][31:0] string_bytes_i,
  input  logic [1:0] string_list_i,
  input  logic [1:0] string_ring_i,
  input  logic [1:0] string_continue_i,
  output logic row_valid_o,
  input  logic row_ready_i,
  output logic [127:0] row_o,
  output logic row_last_o,
  output logic [1:0] row_fault_o,
  input  logic row_valid_i,
  output logic row_ready_o,
  input  logic [127:0] row_i,
  output logic done_valid_o,
  output logic [1:0] done_fault_o,

  // Descriptors and completions.
  input  logic fetch_valid_i,
  output logic fetch_ready_o,
  input  logic [ADDR_WIDTH-1:0] fetch_address_i,
  input  logic [3:0] fetch_beats_i,
  output logic fetched_valid_o,
  output logic [127:0] fetched_o,
  output logic fetched_error_o,
  output logic fetched_last_o,
  input  logic post_valid_i,
  output logic post_ready_o,
  input  logic [ADDR_WIDTH-1:0] post_address_i,
  input  logic [3:0] post_beats_i,
  input  logic post_beat_valid_i,
  output logic post_beat_ready_o,
  input  logic [127:0] post_beat_i,
  input  logic post_last_i,
  output logic posted_valid_o,
  output logic posted_error_o,

  output logic arvalid_o,
  input  logic arready_i,
  output logic [IdWidth-1:0] arid_o,
  output logic [ADDR_WIDTH-1:0] araddr_o,
  output logic [7:0] arlen_o,
  output logic [2:0] arsize_o,
  output logic [1:0] arburst_o,
  input  logic rvalid_i,
  output logic rready_o,
  input  logic [IdWidth-1:0] rid_i,
  input  logic [127:0] rdata_i,
  input  logic [1:0] rresp_i,
  input  logic rlast_i,
  output logic awvalid_o,
  input  logic awready_i,
  output logic [IdWidth-1:0] awid_o,
  output logic [ADDR_WIDTH-1:0] awaddr_o,
  output logic [7:0] awlen_o,
  output logic [2:0] awsize_o,
  output logic [1:0] awburst_o,
  output logic wvalid_o,
  input  logic wready_i,
  output logic [127:0] wdata_o,
  output logic [15:0] wstrb_o,
  output logic wlast_o,
  input  logic bvalid_i,
  output logic bready_o,
  input  logic [IdWidth-1:0] bid_i,
  input  logic [1:0] bresp_i
);

  logic [1:0] burst_valid, burst_ready;
  logic burst_last, burst_empty;
  logic [ADDR_WIDTH-1:0] burst_address;
  logic [3:0] burst_beats;
  logic [LaneBits-1:0] burst_lane;
  fault_e burst_fault;

  logic [ReadClients-1:0] request_valid, request_ready, response_valid, response_ready;
  logic [ReadClients-1:0][ADDR_WIDTH-1:0] request_address;
  logic [ReadClients-1:0][3:0] request_beats;
  logic [DATA_WIDTH-1:0] response_data;
  logic response_error, response_last;

  assign response_ready[ReadSources] = 1'b1;
  assign response_ready[ReadDestinations] = 1'b1;
  lutra_segments #(.ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH)) u_segments (
    .clk_i, .rst_ni, .big_endian_i,
    .register_i('{register_valid_i, 1'b1, register_word_i, register_data_i, '1}), .register_ready_o,
    .register_row_o(),
    .entry_valid_i('0), .entry_ring_i(Rings'(0)), .entry_index_i('0), .entry_ready_o(), .entry_taken_i('0),
    .entry_address_o(), .entry_fault_o(),
    .string_valid_i, .string_ready_o, .string_address_i, .string_bytes_i, .string_list_i, .string_ring_i,
    .string_continue_i,
    .request_valid_o({request_valid[ReadDestinations], request_valid[ReadSources]}),
    .request_ready_i({request_ready[ReadDestinations], request_ready[ReadSources]}),
    .request_address_o({request_address[ReadDestinations], request_address[ReadSources]}),
    .request_beats_o({request_beats[ReadDestinations], request_beats[ReadSources]}),
    .response_valid_i({response_valid[ReadDestinations], response_valid[ReadSources]}),
    .response_data_i(response_data), .response_error_i(response_error), .response_last_i(response_last),
    .burst_valid_o(burst_valid), .burst_ready_i(burst_ready), .burst_address_o(burst_address),
    .burst_beats_o(burst_beats), .burst_lane_o(burst_lane), .burst_last_o(burst_last),
    .burst_empty_o(burst_empty), .burst_fault_o(burst_fault)
  );

  assign request_valid[ReadDescriptors] = fetch_valid_i;
  assign request_address[ReadDescriptors] = fetch_address_i;
  assign request_beats[ReadDescriptors] = fetch_beats_i;
  assign response_ready[ReadDescriptors] = 1'b1;
  assign fetch_ready_o = request_ready[ReadDescriptors];
  assign fetched_valid_o = response_valid[ReadDescriptors];
  assign fetched_o = 128'(response_data);
  assign fetched_error_o = response_error;
  assign fetched_last_o = response_last;

  lutra_read_port #(.ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH)) u_read_port (
    .clk_i, .rst_ni,
    .request_valid_i(request_valid), .request_ready_o(request_ready),
    .request_address_i(request_address), .request_beats_i(request_beats),
    .response_valid_o(response_valid), .response_ready_i(response_ready),
    .response_data_o(response_data), .response_error_o(response_error), .response_last_o(response_last),
    .arvalid_o, .arready_i, .arid_o, .araddr_o, .arlen_o, .arsize_o, .arburst_o,
    .rvalid_i, .rready_o, .rid_i, .rdata_i(rdata_i[DATA_WIDTH-1:0]), .rresp_i, .rlast_i
  );

  fault_e row_fault, done_fault;
  assign row_fault_o = row_fault;
  assign done_fault_o = done_fault;
  lutra_dma_read #(.ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH)) u_dma_read (
    .clk_i, .rst_ni,
    .burst_valid_i(burst_valid[0]), .burst_ready_o(burst_ready[0]), .burst_address_i(burst_address),
    .burst_beats_i(burst_beats), .burst_lane_i(burst_lane), .burst_last_i(burst_last),
    .burst_empty_i(burst_empty), .burst_fault_i(burst_fault),
    .request_valid_o(request_valid[ReadData]), .request_ready_i(request_ready[ReadData]),
    .request_address_o(request_address[ReadData]), .request_beats_o(request_beats[ReadData]),
    .response_valid_i(response_valid[ReadData]), .response_ready_o(response_ready[ReadData]),
    .response_data_i(response_data), .response_error_i(response_error), .response_last_i(response_last),
    .row_valid_o, .row_ready_i, .row_o, .row_last_o, .row_fault_o(row_fault)
  );

  logic [WriteClients-1:0] awrite_valid, awrite_ready, beat_valid, beat_ready, beat_last, answer_valid, answer_ready;
  logic [WriteClients-1:0][ADDR_WIDTH-1:0] awrite_address;
  logic [WriteClients-1:0][3:0] awrite_beats;
  logic [WriteClients-1:0][DATA_WIDTH-1:0] beat_data;
  logic [WriteClients-1:0][Lanes-1:0] beat_strobe;
  logic answer_error;

  lutra_dma_write #(.ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH)) u_dma_write (
    .clk_i, .rst_ni,
    .burst_valid_i(burst_valid[1]), .burst_ready_o(burst_ready[1]), .burst_address_i(burst_address),
    .burst_beats_i(burst_beats), .burst_lane_i(burst_lane), .burst_last_i(burst_last),
    .burst_empty_i(burst_empty), .burst_fault_i(burst_fault),
    .row_valid_i, .row_ready_o, .row_i,
    .request_valid_o(awrite_valid[WriteData]), .request_ready_i(awrite_ready[WriteData]),
    .request_address_o(awrite_address[WriteData]), .request_beats_o(awrite_beats[WriteData]),
    .beat_valid_o(beat_valid[WriteData]), .beat_ready_i(beat_ready[WriteData]),
    .beat_data_o(beat_data[WriteData]), .beat_strobe_o(beat_strobe[WriteData]), .beat_last_o(beat_last[WriteData]),
    .response_valid_i(answer_valid[WriteData]), .response_ready_o(answer_ready[WriteData]),
    .response_error_i(answer_error),
    .done_valid_o, .done_fault_o(done_fault)
  );

  assign awrite_valid[WriteCompletions] = post_valid_i;
  assign awrite_address[WriteCompletions] = post_address_i;
  assign awrite_beats[WriteCompletions] = post_beats_i;
  assign beat_valid[WriteCompletions] = post_beat_valid_i;
  assign beat_data[WriteCompletions] = post_beat_i[DATA_WIDTH-1:0];
  assign beat_strobe[WriteCompletions] = '1;
  assign beat_last[WriteCompletions] = post_last_i;
  assign answer_ready[WriteCompletions] = 1'b1;
  assign post_ready_o = awrite_ready[WriteCompletions];
  assign post_beat_ready_o = beat_ready[WriteCompletions];
  assign posted_valid_o = answer_valid[WriteCompletions];
  assign posted_error_o = answer_error;

  logic [DATA_WIDTH-1:0] wdata;
  logic [Lanes-1:0] wstrb;
  assign wdata_o = 128'(wdata);
  assign wstrb_o = 16'(wstrb);
  lutra_write_port #(.ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH)) u_write_port (
    .clk_i, .rst_ni,
    .request_valid_i(awrite_valid), .request_ready_o(awrite_ready),
    .request_address_i(awrite_address), .request_beats_i(awrite_beats),
    .beat_valid_i(beat_valid), .beat_ready_o(beat_ready),
    .beat_data_i(beat_data), .beat_strobe_i(beat_strobe), .beat_last_i(beat_last),
    .response_valid_o(answer_valid), .response_ready_i(answer_ready), .response_error_o(answer_error),
    .awvalid_o, .awready_i, .awid_o, .awaddr_o, .awlen_o, .awsize_o, .awburst_o,
    .wvalid_o, .wready_i, .wdata_o(wdata), .wstrb_o(wstrb), .wlast_o, .bvalid_i, .bready_o, .bid_i, .bresp_i
  );

endmodule
