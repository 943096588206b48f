// Places in memory: lutra_segments under any strings, elements and entries of rings. Its memory may hold anything but
// the windows, which do not change, and the places of lists that were written to it.

module formal_segments
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned LaneBits = $clog2(DATA_WIDTH / 8)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic big_endian_i,
  input logic [Rings-1:0][63:0] base_i,
  input logic [Rings-1:0][63:0] limit_i,
  input logic [1:0] entry_valid_i,
  input logic [1:0] entry_ring_i,
  input logic [1:0][14:0] entry_index_i,
  input logic [1:0] entry_taken_i,
  input logic [Sides-1:0] string_valid_i,
  input logic [Sides-1:0][63:0] string_address_i,
  input logic [Sides-1:0][31:0] string_bytes_i,
  input logic [Sides-1:0] string_list_i,
  input logic [Sides-1:0] string_ring_i,
  input logic [Sides-1:0] string_continue_i,
  input logic [Sides-1:0] request_ready_i,
  input logic [Sides-1:0] response_valid_i,
  input logic [DATA_WIDTH-1:0] response_data_i,
  input logic response_error_i,
  input logic response_last_i,
  input logic [Sides-1:0] burst_ready_i
);

  typedef logic [65:0] wide_t;
  typedef logic [ADDR_WIDTH:0] place_t;

  logic [1:0] entry_ready;
  logic entry_fault, burst_last, burst_empty;
  logic [ADDR_WIDTH-1:0] entry_address, burst_address;
  logic [Sides-1:0] string_ready, request_valid, burst_valid;
  logic [Sides-1:0][ADDR_WIDTH-1:0] request_address;
  logic [Sides-1:0][3:0] request_beats;
  logic [3:0] burst_beats;
  logic [LaneBits-1:0] burst_lane;
  fault_e burst_fault;
  lutra_segments #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_segments (
    .clk_i, .rst_ni, .big_endian_i,
    .register_i('0),
    .register_ready_o(),
    .register_row_o(),
    .entry_valid_i, .entry_ring_i, .entry_index_i,
    .entry_ready_o(entry_ready),
    .entry_taken_i,
    .entry_address_o(entry_address),
    .entry_fault_o(entry_fault),
    .string_valid_i,
    .string_ready_o(string_ready),
    .string_address_i, .string_bytes_i, .string_list_i, .string_ring_i, .string_continue_i,
    .request_valid_o(request_valid),
    .request_ready_i,
    .request_address_o(request_address),
    .request_beats_o(request_beats),
    .response_valid_i, .response_data_i, .response_error_i, .response_last_i,
    .burst_valid_o(burst_valid),
    .burst_ready_i,
    .burst_address_o(burst_address),
    .burst_beats_o(burst_beats),
    .burst_lane_o(burst_lane),
    .burst_last_o(burst_last),
    .burst_empty_o(burst_empty),
    .burst_fault_o(burst_fault)
  );

  // ---------------------------------------------------------------- assumptions

  logic started_q = 1'b0;
  logic [Rings-1:0][63:0] base_q, limit_q;
  logic [Sides-1:0] begun_q, accept;
  assign accept = string_valid_i & string_ready;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    base_q <= base_i;
    limit_q <= limit_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= '0;
    else begun_q <= begun_q | accept;
  end

  // What a read brings: the window of a ring, or the place that was written last.
  logic window_read_q, window_ring_q, list_read_q, list_side_q, reads, writes;
  place_t [Sides-1:0] list_q;
  assign reads = u_segments.access_valid && u_segments.access_ready && !u_segments.access_write;
  assign writes = u_segments.access_valid && u_segments.access_ready && u_segments.access_write;
  always_ff @(posedge clk_i) begin
    window_read_q <= rst_ni && reads && u_segments.access_row[3:1] == 3'b000;
    window_ring_q <= u_segments.access_row[0];
    list_read_q <= rst_ni && reads && u_segments.access_row[3:1] == 3'b010;
    list_side_q <= u_segments.access_row[0];
    if (writes) list_q[u_segments.access_row[0]] <= u_segments.end_q;
  end

  // An entry that is asked for stays until it is taken.
  logic [1:0] asked_q, asked_ring_q;
  logic [1:0][14:0] asked_index_q;
  always_ff @(posedge clk_i) begin
    asked_q <= rst_ni ? entry_valid_i & ~entry_taken_i : '0;
    asked_ring_q <= entry_ring_i;
    asked_index_q <= entry_index_i;
  end

  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    else constants: assume ({base_i, limit_i} == {base_q, limit_q});
    window_row: assume (!window_read_q || u_segments.row == {limit_i[window_ring_q], base_i[window_ring_q]});
    list_row: assume (!list_read_q || u_segments.row[7:0] == 64'(list_q[list_side_q]));
    taken_when_ready: assume ((entry_taken_i & ~entry_ready) == '0);
  end
  for (genvar i = 0; i < 2; i++) begin : gen_assume
    always_comb begin
      continues: assume (!string_continue_i[i] ||
                         (begun_q[i] && string_ring_i[i] == u_segments.side_q[i].ring));
      answers: assume (!response_valid_i[i] || u_segments.state_q[i] == 3'd7);
      stays: assume (!asked_q[i] || (entry_valid_i[i] && entry_ring_i[i] == asked_ring_q[i] &&
                                     entry_index_i[i] == asked_index_q[i]));
    end
  end
  always_comb one_answer: assume (response_valid_i != '1);

  // ---------------------------------------------------------------- nothing outside of the window or the string

  function automatic logic in_window(logic ring, wide_t first, wide_t bytes);
    return first >= wide_t'(base_i[ring]) && first + bytes <= wide_t'(limit_i[ring]) &&
           first + bytes <= wide_t'(1) << ADDR_WIDTH;
  endfunction

  wide_t first, last, bytes;
  logic side;
  assign side = burst_valid[1];
  assign first = wide_t'(burst_address);
  assign last = wide_t'({burst_address[ADDR_WIDTH-1:LaneBits], burst_lane}) + (wide_t'(burst_beats) << LaneBits);
  assign bytes = last - first + wide_t'(1);
  always_comb if (rst_ni) begin
    one_burst: assert (burst_valid != '1);
    if (burst_valid != '0 && !burst_empty) begin
      burst_in_window: assert (burst_fault != FaultNone || in_window(u_segments.side_q[side].ring, first, bytes));
      burst_in_string: assert (last >= first && bytes <= wide_t'(u_segments.remaining_q[side]));
      burst_is_last: assert (burst_last == (bytes == wide_t'(u_segments.remaining_q[side])));
      burst_in_block: assert (5'(burst_address[LaneBits+:4]) + 5'(burst_beats) <= 5'd15);
      fault_of_one_beat: assert (burst_fault == FaultNone || burst_beats == '0);
    end
    descriptor_in_window: assert (!entry_ready[0] || entry_fault ||
                                  in_window(entry_ring_i[0], wide_t'(entry_address), wide_t'(64)));
    completion_in_window: assert (!entry_ready[1] || entry_fault ||
                                  in_window(entry_ring_i[1], wide_t'(entry_address), wide_t'(16)));
    finds_descriptor: cover (entry_ready[0] && !entry_fault);
    four_elements: cover (request_valid[0] && request_beats[0] == 4'd7);
    cuts_of_list: cover (burst_valid[1] && burst_fault == FaultNone && !burst_empty && u_segments.side_q[1].list);
  end

  for (genvar i = 0; i < Sides; i++) begin : gen_side
    logic [6:0] line;
    assign line = {u_segments.side_q[i].one ? 3'd1 : 3'd4 - {1'b0, u_segments.address_q[i][5:4]}, 4'd0};
    logic [2:0] state;
    place_t address;
    logic seeks;
    struct packed {
      logic [LaneBits+4:0] bytes;
      logic last;
      logic empty;
    } cut;
    assign cut = u_segments.size_q[i];
    assign state = u_segments.state_q[i];
    assign address = u_segments.address_q[i];
    assign seeks = state == 3'd4 || (state == 3'd0 && u_segments.side_q[i].fresh && u_segments.side_q[i].list &&
                   u_segments.bytes_q[i] == '0 && u_segments.side_q[i].fault == FaultNone);
    always_comb if (rst_ni) begin
      elements_in_window: assert (!request_valid[i] ||
          in_window(u_segments.side_q[i].ring, wide_t'({request_address[i][ADDR_WIDTH-1:LaneBits], LaneBits'(0)}),
                    wide_t'(request_beats[i] + 5'd1) << LaneBits));

      // What makes these inductive.
      begun: assert (begun_q[i] || (!u_segments.active_q[i] && state == 3'd0));
      waits_in_cut: assert (u_segments.active_q[i] || state == 3'd0);
      segment_permitted: assert (!begun_q[i] || state != 3'd0 || u_segments.bytes_q[i] == '0 ||
          u_segments.side_q[i].fault != FaultNone ||
          (!address[ADDR_WIDTH] && in_window(u_segments.side_q[i].ring, wide_t'(address),
                                             wide_t'(u_segments.bytes_q[i]))));
      line_permitted: assert (!(state inside {3'd5, 3'd6}) ||
          (!address[ADDR_WIDTH] && address[3:0] == '0 &&
           in_window(u_segments.side_q[i].ring, wide_t'(address), wide_t'(line))));
      line_aligned: assert (!begun_q[i] || !seeks || address[ADDR_WIDTH] || address[3:0] == '0);
      list_aligned: assert (!begun_q[i] || !u_segments.side_q[i].list || u_segments.side_q[i].fresh ||
          state inside {3'd4, 3'd5} || u_segments.side_q[i].fault != FaultNone || list_q[i][ADDR_WIDTH] ||
          list_q[i][3:0] == '0);
      fault_cuts: assert (!begun_q[i] || u_segments.side_q[i].fault == FaultNone || state inside {3'd0, 3'd1});
      one_segment: assert (!u_segments.active_q[i] || u_segments.side_q[i].list ||
          u_segments.side_q[i].fault != FaultNone || u_segments.bytes_q[i] == u_segments.remaining_q[i]);
      of_a_list: assert (state inside {3'd0, 3'd1} || u_segments.side_q[i].list);
      line_not_fresh: assert (!begun_q[i] || !u_segments.side_q[i].line || !u_segments.side_q[i].fresh);
      fresh_without_bytes: assert (!begun_q[i] || !u_segments.side_q[i].list || !u_segments.side_q[i].fresh
          || u_segments.side_q[i].fault != FaultNone || u_segments.bytes_q[i] == '0);
      not_fresh: assert (!(state inside {3'd2, 3'd3, 3'd5, 3'd6, 3'd7} || (state == 3'd1 && u_segments.side_q[i].list))
          || !u_segments.side_q[i].fresh);
      used: assert (!u_segments.uses_q || u_segments.turn_q != 1'(i) ||
          (u_segments.active_q[i] && state inside {3'd1, 3'd2, 3'd3, 3'd4, 3'd5}));
      sum_used: assert (!u_segments.uses_q || u_segments.turn_q != 1'(i) || !(state inside {3'd1, 3'd4, 3'd5}) ||
          u_segments.end_q == address + (state == 3'd1 ? place_t'(u_segments.bytes_q[i]) : place_t'(line)));
      if (u_segments.cut_q[i]) begin
        cut_in_work: assert (u_segments.active_q[i] && state == 3'd0);
        cut_in_string: assert (32'(cut.bytes) <= u_segments.remaining_q[i]);
        cut_in_segment: assert (u_segments.side_q[i].fault != FaultNone || 32'(cut.bytes) <= u_segments.bytes_q[i]);
        cut_in_block: assert (9'(address[LaneBits+3:0]) + 9'(cut.bytes) <= 9'd16 << LaneBits);
        cut_of_one_beat: assert (u_segments.side_q[i].fault == FaultNone ||
                                 9'(address[LaneBits-1:0]) + 9'(cut.bytes) <= 9'd1 << LaneBits);
        cut_is_last: assert (cut.last == (32'(cut.bytes) == u_segments.remaining_q[i]));
        cut_is_empty: assert (cut.empty == (u_segments.remaining_q[i] == '0) && cut.empty == (cut.bytes == '0));
      end
      window_used: assert (!u_segments.uses_q || u_segments.turn_q != 1'(i) || !(state inside {3'd1, 3'd4}) ||
          (window_read_q && window_ring_q == u_segments.side_q[i].ring));
      list_used: assert (!u_segments.uses_q || u_segments.turn_q != 1'(i) || state != 3'd3 ||
          (list_read_q && list_side_q == 1'(i)));
    end
  end
  always_comb if (rst_ni) begin
    one_use: assert (!u_segments.uses_q || !u_segments.entry_uses);
    entry_window_used: assert (!u_segments.entry_checks ||
                               (window_read_q && window_ring_q == entry_ring_i[u_segments.kind]));
    entry_sum_used: assert (!u_segments.entry_checks ||
        u_segments.end_q == u_segments.entry_address + (u_segments.kind ? place_t'(16) : place_t'(64)));
    entry_asked: assert (u_segments.u_entries.state_q == 3'd0 || asked_q[u_segments.kind]);
    entry_known: assert (u_segments.u_entries.state_q <= 3'd4);
    entry_on_bus: assert (!(u_segments.u_entries.state_q inside {3'd2, 3'd3, 3'd4}) || entry_fault ||
                          !u_segments.entry_address[ADDR_WIDTH]);
  end

endmodule
