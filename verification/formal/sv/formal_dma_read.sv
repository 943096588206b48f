// Strings that are read: lutra_segments, lutra_dma_read and lutra_read_port under any strings and elements, with any
// subordinate that keeps the rules of AXI. Whoever takes the rows may wait.

module formal_dma_read
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  localparam int unsigned LaneBits = 3
) (
  input logic clk_i,
  input logic rst_ni,
  input logic big_endian_i,
  input logic [Rings-1:0][63:0] window_base_i,
  input logic [Rings-1:0][63:0] window_limit_i,
  input logic string_valid_i,
  input logic [63:0] string_address_i,
  input logic [31:0] string_bytes_i,
  input logic string_list_i,
  input logic string_ring_i,
  input logic string_continue_i,
  input logic row_ready_i,
  input logic arready_i,
  input logic rvalid_i,
  input logic [IdWidth-1:0] rid_i,
  input logic [63:0] rdata_i,
  input logic [1:0] rresp_i,
  input logic rlast_i
);

  localparam int unsigned Outstanding = 2;
  typedef logic [ADDR_WIDTH+1:0] wide_t;

  // Client 1 reads the elements of lists, and client 3 the data.
  logic [ReadClients-1:0] request_valids, request_readies, response_valids, response_readies;
  logic [ReadClients-1:0][ADDR_WIDTH-1:0] request_addresses;
  logic [ReadClients-1:0][3:0] request_beats;
  logic [63:0] response_data;
  logic response_error, response_last;

  logic string_ready, burst_valid, burst_ready, burst_last, burst_empty;
  logic [ADDR_WIDTH-1:0] burst_address;
  logic [3:0] burst_beats;
  logic [LaneBits-1:0] burst_lane;
  fault_e burst_fault;
  lutra_segments #(.ADDR_WIDTH(ADDR_WIDTH)) u_segments (
    .clk_i, .rst_ni, .big_endian_i, .window_base_i, .window_limit_i, .string_valid_i,
    .string_ready_o(string_ready),
    .string_address_i, .string_bytes_i, .string_list_i, .string_ring_i, .string_continue_i,
    .request_valid_o(request_valids[ReadSources]),
    .request_ready_i(request_readies[ReadSources]),
    .request_address_o(request_addresses[ReadSources]),
    .request_beats_o(request_beats[ReadSources]),
    .response_valid_i(response_valids[ReadSources]),
    .response_data_i(response_data),
    .response_error_i(response_error),
    .response_last_i(response_last),
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_address_o(burst_address),
    .burst_beats_o(burst_beats),
    .burst_lane_o(burst_lane),
    .burst_last_o(burst_last),
    .burst_empty_o(burst_empty),
    .burst_fault_o(burst_fault)
  );

  logic row_valid, row_last;
  lutra_dma_read #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .Outstanding(Outstanding)
  ) u_read (
    .clk_i, .rst_ni,
    .burst_valid_i(burst_valid),
    .burst_ready_o(burst_ready),
    .burst_address_i(burst_address),
    .burst_beats_i(burst_beats),
    .burst_lane_i(burst_lane),
    .burst_last_i(burst_last),
    .burst_empty_i(burst_empty),
    .burst_fault_i(burst_fault),
    .request_valid_o(request_valids[ReadData]),
    .request_ready_i(request_readies[ReadData]),
    .request_address_o(request_addresses[ReadData]),
    .request_beats_o(request_beats[ReadData]),
    .response_valid_i(response_valids[ReadData]),
    .response_ready_o(response_readies[ReadData]),
    .response_data_i(response_data),
    .response_error_i(response_error),
    .response_last_i(response_last),
    .row_valid_o(row_valid),
    .row_ready_i, .row_o(),
    .row_last_o(row_last),
    .row_fault_o()
  );

  assign request_valids[ReadDescriptors] = 1'b0;
  assign request_valids[ReadDestinations] = 1'b0;
  assign request_addresses[ReadDescriptors] = '0;
  assign request_addresses[ReadDestinations] = '0;
  assign request_beats[ReadDescriptors] = '0;
  assign request_beats[ReadDestinations] = '0;
  assign response_readies[ReadDestinations:ReadDescriptors] = '1;

  logic arvalid, rready;
  logic [IdWidth-1:0] arid;
  logic [ADDR_WIDTH-1:0] araddr;
  logic [7:0] arlen;
  logic [2:0] arsize;
  logic [1:0] arburst;
  lutra_read_port #(.ADDR_WIDTH(ADDR_WIDTH)) u_port (
    .clk_i, .rst_ni,
    .request_valid_i(request_valids),
    .request_ready_o(request_readies),
    .request_address_i(request_addresses),
    .request_beats_i(request_beats),
    .response_valid_o(response_valids),
    .response_ready_i(response_readies),
    .response_data_o(response_data),
    .response_error_o(response_error),
    .response_last_o(response_last),
    .arvalid_o(arvalid),
    .arready_i,
    .arid_o(arid),
    .araddr_o(araddr),
    .arlen_o(arlen),
    .arsize_o(arsize),
    .arburst_o(arburst),
    .rvalid_i,
    .rready_o(rready),
    .rid_i, .rdata_i, .rresp_i,
    .rlast_i
  );

  lutra_axi_checker #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .ID_WIDTH(IdWidth),
    .MAX_WRITES(1),
    .MAX_READS(4),
    .MAX_AHEAD(1),
    .EXCLUSIVE(1'b0),
    .ASSUME_SUBORDINATE(1'b1)
  ) u_checker (
    .clk_i, .rst_ni, .awvalid_i(1'b0), .awready_i(1'b0), .awid_i('0), .awaddr_i('0), .awlen_i('0),
    .awsize_i('0), .awburst_i('0), .awlock_i('0), .awcache_i('0), .awprot_i('0), .awqos_i('0),
    .awregion_i('0), .wvalid_i(1'b0), .wready_i(1'b0), .wdata_i('0), .wstrb_i('0), .wlast_i(1'b0),
    .bvalid_i(1'b0), .bready_i(1'b0), .bid_i('0), .bresp_i('0),
    .arvalid_i(arvalid),
    .arready_i,
    .arid_i(arid),
    .araddr_i(araddr),
    .arlen_i(arlen),
    .arsize_i(arsize),
    .arburst_i(arburst),
    .arlock_i(1'b0), .arcache_i('0), .arprot_i('0), .arqos_i('0), .arregion_i('0), .rvalid_i,
    .rready_i(rready),
    .rid_i, .rdata_i, .rresp_i,
    .rlast_i
  );

  // ---------------------------------------------------------------- assumptions

  logic started_q = 1'b0;
  logic [Rings-1:0][63:0] window_base_q, window_limit_q;
  logic begun_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    window_base_q <= window_base_i;
    window_limit_q <= window_limit_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= 1'b0;
    else if (string_valid_i) begun_q <= 1'b1;
  end
  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    else constants: assume ({window_base_i, window_limit_i} == {window_base_q, window_limit_q});
    // A continuation follows a string, of the same ring.
    continues: assume (!string_continue_i || (begun_q && string_ring_i == u_segments.ring_q));
  end

  // ---------------------------------------------------------------- places: only the window, only the string

  function automatic logic [ADDR_WIDTH:0] place(logic [63:0] address);
    return |address[63:ADDR_WIDTH] ? {1'b1, {ADDR_WIDTH{1'b0}}} : {1'b0, address[ADDR_WIDTH-1:0]};
  endfunction
  wide_t base, limit, first, last;
  assign base = wide_t'(place(window_base_i[u_segments.ring_q]));
  assign limit = wide_t'(place(window_limit_i[u_segments.ring_q]));
  assign first = wide_t'(burst_address);
  assign last = wide_t'({burst_address[ADDR_WIDTH-1:LaneBits], burst_lane}) + wide_t'({burst_beats, 3'd0});
  logic asked;
  logic [ADDR_WIDTH-1:0] asked_address_q;
  logic [3:0] asked_beats_q;
  logic [IdWidth-1:0] asked_client_q;
  assign asked = |(request_valids & request_readies);
  always_ff @(posedge clk_i) if (asked) begin
    asked_client_q <= request_readies[ReadData] ? IdWidth'(ReadData) : IdWidth'(ReadSources);
    asked_address_q <= request_readies[ReadData] ? request_addresses[ReadData] : request_addresses[ReadSources];
    asked_beats_q <= request_readies[ReadData] ? request_beats[ReadData] : request_beats[ReadSources];
  end
  always_comb if (rst_ni) begin
    elements_in_window: assert (!request_valids[ReadSources] || (wide_t'(request_addresses[ReadSources]) >= base
        && wide_t'(request_addresses[ReadSources]) + wide_t'(16) <= limit));
    bursts_in_window: assert (!request_valids[ReadData] || (first >= base && last < limit));
    bursts_in_string: assert (!request_valids[ReadData] || last - first < wide_t'(u_segments.remaining_q));
    address_as_asked: assert (!arvalid || (araddr == {asked_address_q[ADDR_WIDTH-1:LaneBits], 3'd0}
        && arlen == 8'(asked_beats_q) && arid == asked_client_q));
    reads_list: cover (asked && asked_client_q == IdWidth'(ReadSources) && request_valids[ReadData]);
    waits_with_row: cover (row_valid && !row_ready_i && rvalid_i && !rready);
  end

  // ---------------------------------------------------------------- one last row for every string with bytes

  logic [3:0] strings_q, strings_d;
  logic taken;
  assign taken = row_valid && row_ready_i && row_last;
  assign strings_d = strings_q + 4'(string_valid_i && string_ready && string_bytes_i != '0) - 4'(taken);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) strings_q <= '0;
    else strings_q <= strings_d;
  end

  // ---------------------------------------------------------------- what the units hold, for the induction

  typedef struct packed {
    logic [LaneBits-1:0] first_lane;
    logic [LaneBits-1:0] last_lane;
    logic last;
    fault_e fault;
  } held_t;
  held_t [1:0] held;
  logic [1:0] is_held, has_access;
  logic [1:0] held_count;
  assign held_count = u_read.i_bursts.count_q;
  for (genvar i = 0; i < 2; i++) begin : gen_view
    assign held[i] = u_read.i_bursts.entries_q[u_read.i_bursts.head_q^1'(i)];
    assign is_held[i] = 2'(i) < held_count;
    assign has_access[i] = is_held[i] && held[i].fault == FaultNone;
  end
  // Which bursts are of one beat: those that are held, and the reads of data in their order.
  logic [1:0] entry_single_q, entry_single_d, held_single, access_single, read_single;
  always_comb begin
    entry_single_d = entry_single_q;
    if (u_read.i_bursts.push) entry_single_d[u_read.i_bursts.tail_q] = burst_beats == '0;
  end
  always_ff @(posedge clk_i) entry_single_q <= entry_single_d;
  assign held_single = {entry_single_q[~u_read.i_bursts.head_q], entry_single_q[u_read.i_bursts.head_q]};
  assign access_single = {held_single[1], has_access[0] ? held_single[0] : held_single[1]};

  logic [2:0] data_reads, element_reads, reads;
  assign reads = u_checker.u_reads.read_count_q;
  always_comb begin
    data_reads = '0;
    element_reads = '0;
    read_single = '0;
    for (int i = 0; i < 4; i++) begin
      if (3'(i) < reads && u_checker.u_reads.reads_q[i].id == IdWidth'(ReadData)) begin
        if (data_reads < 3'd2) read_single[data_reads[0]] = u_checker.u_reads.reads_q[i].left == '0;
        data_reads++;
      end
      if (3'(i) < reads && u_checker.u_reads.reads_q[i].id == IdWidth'(ReadSources)) element_reads++;
    end
  end
  always_comb if (rst_ni) begin
    strings_counted: assert (strings_q == 4'(u_segments.active_q && u_segments.remaining_q != '0)
        + 4'(is_held[0] && held[0].last) + 4'(is_held[1] && held[1].last) + 4'(u_read.i_pack.flush_q)
        + 4'(row_valid && row_last));
    row_has_string: assert (!taken || strings_q != '0);
    queue: assert (held_count <= 2'd2 && u_read.i_bursts.tail_q == (u_read.i_bursts.head_q ^ held_count[0]));
    data_awaited: assert (3'(has_access[0]) + 3'(has_access[1])
        == data_reads + 3'(arvalid && arid == IdWidth'(ReadData)));
    element_awaited: assert (3'(u_segments.next_q == 3'd3)
        == element_reads + 3'(arvalid && arid == IdWidth'(ReadSources)));
    first_single: assert (data_reads == '0 ||
        (u_read.started_q ? !access_single[0] : read_single[0] == access_single[0]));
    second_single: assert (data_reads < 3'd2 || read_single[1] == access_single[1]);
    asked_single: assert (!arvalid || arid != IdWidth'(ReadData)
        || (asked_beats_q == '0) == access_single[data_reads[0]]);
    started: assert (!u_read.started_q || (has_access[0] && data_reads != '0));
    no_writes: assert (u_checker.u_writes.write_count_q == '0 && u_checker.u_writes.ahead_count_q == '0);
    two_clients: assert (reads == data_reads + element_reads);
    asked_by: assert (!arvalid || arid inside {IdWidth'(ReadSources), IdWidth'(ReadData)});
    in_block: assert (!arvalid || 5'(u_port.request_q.beat[3+:4]) + 5'(asked_beats_q) <= 5'd15);

    // Segments.
    segment_in_window: assert (!begun_q || u_segments.bytes_q == '0
        || (!u_segments.address_q[ADDR_WIDTH] && wide_t'(u_segments.address_q) >= base
            && wide_t'(u_segments.address_q) + wide_t'(u_segments.bytes_q) <= limit));
    no_segment_with_fault: assert (!begun_q || u_segments.fault_q == FaultNone || u_segments.bytes_q == '0);
    element_in_window: assert (u_segments.next_q != 3'd2 || !u_segments.next_address_q[ADDR_WIDTH]);
    element_aligned: assert (!(u_segments.next_q inside {3'd1, 3'd2}) || u_segments.next_address_q[ADDR_WIDTH]
        || u_segments.next_address_q[3:0] == '0);
    string_begun: assert (begun_q || (!u_segments.active_q && u_segments.next_q == 3'd0));
    next_known: assert (u_segments.next_q <= 3'd5);
    element_bytes: assert (u_segments.next_q != 3'd1 || u_segments.next_bytes_q == 32'd16);
    element_needed: assert (!(u_segments.next_q inside {3'd2, 3'd3, 3'd5}) || (u_segments.active_q
        && u_segments.fault_q == FaultNone && u_segments.remaining_q > u_segments.bytes_q));
    between_strings: assert (u_segments.active_q || u_segments.next_q inside {3'd0, 3'd1, 3'd4});
  end

  for (genvar i = 0; i < 2; i++) begin : gen_held
    always_comb if (rst_ni && is_held[i]) begin
      fault_of_one_beat: assert (has_access[i] || held_single[i]);
      lanes_of_one_beat: assert (!held_single[i] || held[i].first_lane <= held[i].last_lane);
    end
  end

  // Packing.
  always_comb if (rst_ni) begin
    flushed_has_bytes: assert (!u_read.i_pack.flush_q || u_read.i_pack.fill_q != '0);
  end

endmodule
