// Strings that are written: lutra_segments, lutra_dma_write and lutra_write_port under any strings, rows, elements and
// any subordinate that keeps the rules of AXI. An arbitrary byte of the memory is followed.

module formal_dma_write
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  localparam int unsigned Lanes = 8,
  localparam int unsigned LaneBits = 3,
  localparam int unsigned Outstanding = 2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [ADDR_WIDTH-1:0] byte_i,
  input logic big_endian_i,
  input logic [Rings-1:0][63:0] window_base_i,
  input logic [Rings-1:0][63:0] window_limit_i,
  input logic string_valid_i,
  input logic [63:0] string_address_i,
  input logic [31:0] string_bytes_i,
  input logic string_list_i,
  input logic string_ring_i,
  input logic string_continue_i,
  input logic element_ready_i,
  input logic element_valid_i,
  input logic [63:0] element_data_i,
  input logic element_error_i,
  input logic element_last_i,
  input logic row_valid_i,
  input row_t row_i,
  input logic awready_i,
  input logic wready_i,
  input logic bvalid_i,
  input logic [IdWidth-1:0] bid_i,
  input logic [1:0] bresp_i
);

  logic string_ready, element_request, burst_valid, burst_ready, burst_last, burst_empty;
  logic [ADDR_WIDTH-1:0] element_address, burst_address;
  logic [3:0] burst_beats;
  logic [LaneBits-1:0] burst_lane;
  fault_e burst_fault;
  lutra_segments #(.ADDR_WIDTH(ADDR_WIDTH)) u_segments (
    .clk_i, .rst_ni, .big_endian_i, .window_base_i, .window_limit_i, .string_valid_i,
    .string_ready_o(string_ready),
    .string_address_i, .string_bytes_i, .string_list_i, .string_ring_i, .string_continue_i,
    .request_valid_o(element_request),
    .request_ready_i(element_ready_i),
    .request_address_o(element_address),
    .request_beats_o(),
    .response_valid_i(element_valid_i),
    .response_data_i(element_data_i),
    .response_error_i(element_error_i),
    .response_last_i(element_last_i),
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_address_o(burst_address),
    .burst_beats_o(burst_beats),
    .burst_lane_o(burst_lane),
    .burst_last_o(burst_last),
    .burst_empty_o(burst_empty),
    .burst_fault_o(burst_fault)
  );

  logic request_valid, request_ready, beat_valid, beat_ready, beat_last, response_valid, response_ready, response_error;
  logic [ADDR_WIDTH-1:0] request_address;
  logic [3:0] request_beats;
  logic [63:0] beat_data;
  logic [Lanes-1:0] beat_strobe;
  logic row_ready, done;
  lutra_dma_write #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .Outstanding(Outstanding)
  ) u_write (
    .clk_i, .rst_ni,
    .burst_valid_i(burst_valid),
    .burst_ready_o(burst_ready),
    .burst_address_i(burst_address),
    .burst_beats_i(burst_beats),
    .burst_lane_i(burst_lane),
    .burst_last_i(burst_last),
    .burst_empty_i(burst_empty),
    .burst_fault_i(burst_fault),
    .row_valid_i,
    .row_ready_o(row_ready),
    .row_i,
    .request_valid_o(request_valid),
    .request_ready_i(request_ready),
    .request_address_o(request_address),
    .request_beats_o(request_beats),
    .beat_valid_o(beat_valid),
    .beat_ready_i(beat_ready),
    .beat_data_o(beat_data),
    .beat_strobe_o(beat_strobe),
    .beat_last_o(beat_last),
    .response_valid_i(response_valid),
    .response_ready_o(response_ready),
    .response_error_i(response_error),
    .done_valid_o(done),
    .done_fault_o()
  );

  // Nobody writes completions.
  logic awvalid, wvalid, wlast, bready;
  logic [IdWidth-1:0] awid;
  logic [ADDR_WIDTH-1:0] awaddr;
  logic [7:0] awlen;
  logic [2:0] awsize;
  logic [1:0] awburst;
  logic [63:0] wdata;
  logic [Lanes-1:0] wstrb;
  logic [1:0] request_readies, beat_readies, response_valids;
  assign request_ready = request_readies[WriteData];
  assign beat_ready = beat_readies[WriteData];
  assign response_valid = response_valids[WriteData];
  lutra_write_port #(.ADDR_WIDTH(ADDR_WIDTH)) u_port (
    .clk_i, .rst_ni,
    .request_valid_i({1'b0, request_valid}),
    .request_ready_o(request_readies),
    .request_address_i({ADDR_WIDTH'(0), request_address}),
    .request_beats_i({4'd0, request_beats}),
    .beat_valid_i({1'b0, beat_valid}),
    .beat_ready_o(beat_readies),
    .beat_data_i({64'd0, beat_data}),
    .beat_strobe_i({8'd0, beat_strobe}),
    .beat_last_i({1'b0, beat_last}),
    .response_valid_o(response_valids),
    .response_ready_i({1'b1, response_ready}),
    .response_error_o(response_error),
    .awvalid_o(awvalid),
    .awready_i,
    .awid_o(awid),
    .awaddr_o(awaddr),
    .awlen_o(awlen),
    .awsize_o(awsize),
    .awburst_o(awburst),
    .wvalid_o(wvalid),
    .wready_i,
    .wdata_o(wdata),
    .wstrb_o(wstrb),
    .wlast_o(wlast),
    .bvalid_i,
    .bready_o(bready),
    .bid_i,
    .bresp_i
  );

  lutra_axi_checker #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .ID_WIDTH(IdWidth),
    .MAX_WRITES(6),
    .MAX_READS(1),
    .MAX_AHEAD(16),
    .EXCLUSIVE(1'b0),
    .ASSUME_SUBORDINATE(1'b1)
  ) u_checker (
    .clk_i, .rst_ni,
    .awvalid_i(awvalid),
    .awready_i,
    .awid_i(awid), .awaddr_i(awaddr), .awlen_i(awlen), .awsize_i(awsize), .awburst_i(awburst),
    .awlock_i(1'b0), .awcache_i('0), .awprot_i('0), .awqos_i('0), .awregion_i('0),
    .wvalid_i(wvalid), .wready_i, .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast),
    .bvalid_i, .bready_i(bready),
    .bid_i, .bresp_i, .arvalid_i(1'b0), .arready_i(1'b0), .arid_i('0), .araddr_i('0), .arlen_i('0),
    .arsize_i('0), .arburst_i('0), .arlock_i('0), .arcache_i('0), .arprot_i('0), .arqos_i('0),
    .arregion_i('0), .rvalid_i(1'b0), .rready_i(1'b0), .rid_i('0), .rdata_i('0), .rresp_i('0),
    .rlast_i(1'b0)
  );

  // ---------------------------------------------------------------- assumptions

  logic started_q = 1'b0;
  logic [ADDR_WIDTH-1:0] byte_q;
  logic [Rings-1:0][63:0] window_base_q, window_limit_q;
  logic element_q, begun_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    byte_q <= byte_i;
    window_base_q <= window_base_i;
    window_limit_q <= window_limit_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= 1'b0;
    else if (string_valid_i) begun_q <= 1'b1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) element_q <= 1'b0;
    else if (element_request && element_ready_i) element_q <= 1'b1;
    else if (element_valid_i && element_last_i) element_q <= 1'b0;
  end
  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    else constants: assume ({byte_i, window_base_i, window_limit_i} == {byte_q, window_base_q, window_limit_q});
    // A continuation follows a string, of the same ring.
    continues: assume (!string_continue_i || (begun_q && string_ring_i == u_segments.ring_q));
    element_asked: assume (!element_valid_i || element_q);
  end

  // ---------------------------------------------------------------- bytes: only those of the string, within the window

  function automatic logic [ADDR_WIDTH:0] place(logic [63:0] address);
    return |address[63:ADDR_WIDTH] ? {1'b1, {ADDR_WIDTH{1'b0}}} : {1'b0, address[ADDR_WIDTH-1:0]};
  endfunction
  logic [ADDR_WIDTH:0] base, limit;
  assign base = place(window_base_i[u_segments.ring_q]);
  assign limit = place(window_limit_i[u_segments.ring_q]);

  // Bursts that were asked for and whose data are not all accepted, the oldest first; beat_q is the next beat of it.
  typedef struct packed {
    logic [ADDR_WIDTH-1:LaneBits] place;
    logic [3:0] beats;
    logic [LaneBits-1:0] first_lane;
    logic [LaneBits-1:0] last_lane;
  } burst_t;
  burst_t [3:0] bursts_q, bursts_d;
  logic [2:0] burst_count_q, burst_count_d;
  logic [3:0] beat_q, beat_d;
  logic asked, accepted;
  assign asked = request_valid && request_ready;
  assign accepted = wvalid && wready_i;
  always_comb begin
    bursts_d = bursts_q;
    burst_count_d = burst_count_q;
    beat_d = beat_q;
    if (accepted) begin
      beat_d = wlast ? '0 : beat_q + 4'd1;
      if (wlast) begin
        bursts_d = bursts_q >> $bits(burst_t);
        burst_count_d = burst_count_q - 3'd1;
      end
    end
    if (asked) begin
      bursts_d[burst_count_d[1:0]] = '{
        request_address[ADDR_WIDTH-1:LaneBits], request_beats, request_address[LaneBits-1:0], burst_lane
      };
      burst_count_d = burst_count_d + 3'd1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bursts_q <= '0;
      burst_count_q <= '0;
      beat_q <= '0;
    end else begin
      bursts_q <= bursts_d;
      burst_count_q <= burst_count_d;
      beat_q <= beat_d;
    end
  end

  // The byte is of the burst, and the beat that is shown writes it.
  typedef logic [ADDR_WIDTH+1:0] wide_t;
  function automatic wide_t first_of(burst_t b);
    return wide_t'({b.place, b.first_lane});
  endfunction
  function automatic wide_t last_of(burst_t b);
    return wide_t'({b.place, b.last_lane}) + wide_t'({b.beats, 3'd0});
  endfunction
  logic of_burst, written;
  assign of_burst = wide_t'(byte_i) >= first_of(bursts_q[0]) && wide_t'(byte_i) <= last_of(bursts_q[0]);
  assign written = wstrb[byte_i[LaneBits-1:0]]
      && byte_i[ADDR_WIDTH-1:LaneBits] == bursts_q[0].place + (ADDR_WIDTH - LaneBits)'(beat_q);

  burst_t asking;
  assign asking = '{
    request_address[ADDR_WIDTH-1:LaneBits], request_beats, request_address[LaneBits-1:0], burst_lane
  };
  logic [ADDR_WIDTH-1:0] asked_address_q;
  logic [3:0] asked_beats_q;
  always_ff @(posedge clk_i) if (asked) begin
    asked_address_q <= request_address;
    asked_beats_q <= request_beats;
  end
  always_comb if (rst_ni) begin
    elements_in_window: assert (!element_request ||
        (wide_t'(element_address) >= wide_t'(base) && wide_t'(element_address) + wide_t'(16) <= wide_t'(limit)));
    bursts_in_window: assert (!request_valid ||
        (first_of(asking) >= wide_t'(base) && last_of(asking) < wide_t'(limit)));
    bursts_in_string: assert (!request_valid ||
        last_of(asking) - first_of(asking) < wide_t'(u_segments.remaining_q));
    address_as_asked: assert (!awvalid ||
        (awaddr == {asked_address_q[ADDR_WIDTH-1:LaneBits], 3'd0} && awlen == 8'(asked_beats_q)));
    only_its_bytes: assert (!wvalid || !written || of_burst);
    all_its_bytes: assert (!wvalid || written || !of_burst
        || byte_i[ADDR_WIDTH-1:LaneBits] != bursts_q[0].place + (ADDR_WIDTH - LaneBits)'(beat_q));
    writes_byte: cover (accepted && written && beat_q == 4'd1 && byte_i[2:0] == 3'd5);
  end

  // ---------------------------------------------------------------- one done for every string

  logic [3:0] strings_q, strings_d;
  assign strings_d = strings_q + 4'(string_valid_i && string_ready) - 4'(done);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) strings_q <= '0;
    else strings_q <= strings_d;
  end

  // ---------------------------------------------------------------- what the units hold, for the induction

  typedef struct packed {
    logic [LaneBits-1:0] first_lane;
    logic [LaneBits-1:0] last_lane;
    logic [3:0] beats;
    logic last;
    logic empty;
    fault_e fault;
  } held_t;
  typedef struct packed {
    logic access;
    logic last;
    fault_e fault;
  } answer_t;
  held_t [1:0] held;
  answer_t [1:0] answers;
  logic [1:0] is_held, has_access, is_answer;
  logic [1:0] held_count, answer_count, order_count, accesses;
  assign held_count = u_write.i_bursts.count_q;
  assign answer_count = u_write.i_answers.count_q;
  assign order_count = u_port.i_order.count_q;
  for (genvar i = 0; i < 2; i++) begin : gen_view
    assign held[i] = u_write.i_bursts.entries_q[u_write.i_bursts.head_q^1'(i)];
    assign answers[i] = u_write.i_answers.entries_q[u_write.i_answers.head_q^1'(i)];
    assign is_held[i] = 2'(i) < held_count;
    assign is_answer[i] = 2'(i) < answer_count;
    assign has_access[i] = is_held[i] && !held[i].empty && held[i].fault == FaultNone;
  end
  assign accesses = 2'(has_access[0]) + 2'(has_access[1]);

  // The last beat of the oldest burst is at the bus; that of one whose address is not accepted was accepted.
  logic last_shown, whole_ahead;
  logic [4:0] ahead;
  logic [2:0] writes, done_writes, undone_writes;
  assign last_shown = wvalid && wlast;
  assign ahead = u_checker.u_writes.ahead_count_q;
  assign whole_ahead = ahead == 5'(asked_beats_q) + 5'd1;
  assign writes = u_checker.u_writes.write_count_q;
  always_comb begin
    done_writes = '0;
    for (int i = 0; i < 6; i++) if (3'(i) < writes && u_checker.u_writes.writes_q[i].done) done_writes++;
  end
  assign undone_writes = writes - done_writes;

  held_t first_access;
  assign first_access = has_access[0] ? held[0] : held[1];
  always_comb if (rst_ni) begin
    strings_counted: assert (strings_q == 4'(u_segments.active_q) + 4'(is_held[0] && held[0].last)
        + 4'(is_held[1] && held[1].last) + 4'(is_answer[0] && answers[0].last) + 4'(is_answer[1] && answers[1].last));
    done_has_string: assert (!done || strings_q != '0);

    queues: assert (held_count <= 2'd2 && answer_count <= 2'd2 && order_count <= 2'd2
        && u_write.i_bursts.tail_q == (u_write.i_bursts.head_q ^ held_count[0])
        && u_write.i_answers.tail_q == (u_write.i_answers.head_q ^ answer_count[0])
        && u_port.i_order.tail_q == (u_port.i_order.head_q ^ order_count[0]));
    data_turn: assert ((order_count == '0 || !u_port.i_order.entries_q[u_port.i_order.head_q])
        && (order_count != 2'd2 || !u_port.i_order.entries_q[~u_port.i_order.head_q]));
    as_many_turns: assert (order_count == accesses);

    // The units and the list of bursts.
    burst_count: assert (burst_count_q == 3'(accesses) + 3'(last_shown));
    if (has_access != '0) begin
      first_burst: assert (bursts_q[last_shown].beats == first_access.beats
          && bursts_q[last_shown].first_lane == first_access.first_lane
          && bursts_q[last_shown].last_lane == first_access.last_lane);
    end
    if (&has_access) begin
      second_burst: assert (bursts_q[2'(last_shown)+2'd1].beats == held[1].beats
          && bursts_q[2'(last_shown)+2'd1].first_lane == held[1].first_lane
          && bursts_q[2'(last_shown)+2'd1].last_lane == held[1].last_lane);
    end
    next_beat: assert (u_write.beat_q == (last_shown ? 4'd0 : beat_q + 4'(wvalid)));
    idle_beat: assert (has_access[0] || u_write.beat_q == '0);
    beat_of_burst: assert (burst_count_q != '0 ? beat_q <= bursts_q[0].beats : beat_q == '0);
    if (has_access[0]) beat_of_head: assert (u_write.beat_q <= held[0].beats);
    if (wvalid) begin
      last_beat: assert (burst_count_q != '0 && wlast == (beat_q == bursts_q[0].beats));
    end

    // The list of bursts and the checker.
    in_block: assert (!awvalid || 5'(u_port.request_q.beat[3+:4]) + 5'(asked_beats_q) <= 5'd15);
    beat_of_write: assert (undone_writes != '0 || u_checker.u_writes.beat_q == '0);
    few_writes: assert (writes <= 3'd5);
    no_reads: assert (u_checker.u_reads.read_count_q == '0);
    is_data: assert (!awvalid || awid == '0);
    if (ahead != '0) begin
      ahead_of_one: assert (awvalid && undone_writes == '0 && u_checker.u_writes.beat_q == '0
          && (whole_ahead ? burst_count_q == '0 : burst_count_q == 3'd1 && beat_q == ahead[3:0] && ahead < 5'd16
              && bursts_q[0].beats == asked_beats_q));
    end else begin
      same_beat: assert (u_checker.u_writes.beat_q == 8'(beat_q));
      same_bursts: assert (burst_count_q == undone_writes + 3'(awvalid));
      newest_burst: assert (!awvalid || bursts_q[undone_writes[1:0]].beats == asked_beats_q);
    end
    as_many_answers: assert (3'(is_answer[0] && answers[0].access) + 3'(is_answer[1] && answers[1].access)
        == done_writes + 3'(last_shown) + 3'(ahead != '0 && whole_ahead));

    // Segments.
    asked_for_element: assert (element_q == (u_segments.next_q == 3'd3));
    segment_in_window: assert (!begun_q || u_segments.bytes_q == '0
        || (!u_segments.address_q[ADDR_WIDTH] && u_segments.address_q >= base
            && wide_t'(u_segments.address_q) + wide_t'(u_segments.bytes_q) <= wide_t'(limit)));
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

  for (genvar i = 0; i < 2; i++) begin : gen_queue
    always_comb if (rst_ni) begin
      one_beat_of_fault: assert (!is_held[i] || has_access[i] || held[i].beats == '0 || held[i].empty);
      lanes_of_one_beat: assert (!is_held[i] || held[i].empty || held[i].beats != '0
          || held[i].first_lane <= held[i].last_lane);
      something_awaited: assert (!is_answer[i] || answers[i].access || answers[i].last);
    end
  end
  for (genvar i = 0; i < 3; i++) begin : gen_burst
    always_comb if (rst_ni && 3'(i) < burst_count_q) begin
      listed_in_block: assert (5'(bursts_q[i].place[LaneBits+:4]) + 5'(bursts_q[i].beats) <= 5'd15);
      lanes_in_order: assert (bursts_q[i].beats != '0 || bursts_q[i].first_lane <= bursts_q[i].last_lane);
    end
  end
  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    always_comb if (rst_ni && wvalid) begin
      strobes: assert (wstrb[i] == ((beat_q != '0 || LaneBits'(i) >= bursts_q[0].first_lane)
          && (!wlast || LaneBits'(i) <= bursts_q[0].last_lane)));
    end
  end
  for (genvar i = 0; i <= 16; i++) begin : gen_ahead
    always_comb if (rst_ni && 5'(i) < ahead) begin
      last_ahead: assert (u_checker.u_writes.ahead_q[i].last == (5'(i) == 5'(asked_beats_q)));
    end
  end
  for (genvar i = 0; i < 6; i++) begin : gen_write
    always_comb if (rst_ni && 3'(i) < writes) begin
      done_first: assert (u_checker.u_writes.writes_q[i].done == (3'(i) < done_writes));
      of_data: assert (u_checker.u_writes.writes_q[i].id == '0 && !u_checker.u_writes.writes_q[i].lock);
      as_listed: assert (3'(i) < done_writes || (u_checker.u_writes.writes_q[i].start == '0
          && u_checker.u_writes.writes_q[i].size == 3'd3 && u_checker.u_writes.writes_q[i].burst == 2'd1
          && u_checker.u_writes.writes_q[i].len == 8'(bursts_q[2'(3'(i)-done_writes)].beats)));
    end
  end

endmodule
