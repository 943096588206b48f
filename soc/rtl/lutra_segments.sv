// Places in memory: strings are cut into bursts, entries of rings are found. A string is contiguous or described by a
// list of scatter-gather elements. Nothing outside of the ring's window is accessed, neither an element, nor a byte of
// a string, nor an entry of the ring.
//
// Each side, sources and destinations, has one string in work. A step of a side, or of an entry, takes the only adder
// and the only access to lutra_places; sides take turns. What the adder has found is used in the next cycle, and the
// size of a burst is found a step before it. Elements of a list are fetched up to four at a time, to the
// end of their 64 bytes, when those before them have been cut. None is on its way when the last burst of a string has
// been taken.
//
// A fault ends the accesses, not the string: its remaining bytes come as bursts of one beat with the fault, which are
// to be counted but not accessed. A string of no bytes comes as one burst with burst_empty_o.

module lutra_segments
  import lutra_layout_pkg::*;
  import lutra_segments_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned LaneBits = $clog2(DATA_WIDTH / 8)
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   big_endian_i,                           // words of elements

  input  place_register_t register_i,                    // windows, rings
  output logic   register_ready_o,
  output logic [RowBytes-1:0][7:0] register_row_o,

  // Entries of rings: descriptors, completions. One at a time, completions first.
  input  logic [1:0] entry_valid_i,
  input  logic [1:0] entry_ring_i,
  input  logic [1:0][14:0] entry_index_i,
  output logic [1:0] entry_ready_o,
  input  logic [1:0] entry_taken_i,
  output logic [ADDR_WIDTH-1:0] entry_address_o,
  output logic   entry_fault_o,                          // not to be accessed

  input  logic [Sides-1:0] string_valid_i,
  output logic [Sides-1:0] string_ready_o,
  input  logic [Sides-1:0][63:0] string_address_i,       // of its bytes or of its list; unused in a continuation
  input  logic [Sides-1:0][31:0] string_bytes_i,
  input  logic [Sides-1:0] string_list_i,                // unused in a continuation
  input  logic [Sides-1:0] string_ring_i,
  input  logic [Sides-1:0] string_continue_i,            // goes on where the string before it ended, also in its fault

  output logic [Sides-1:0] request_valid_o,              // reads of elements
  input  logic [Sides-1:0] request_ready_i,
  output logic [Sides-1:0][ADDR_WIDTH-1:0] request_address_o,
  output logic [Sides-1:0][3:0] request_beats_o,         // less one
  input  logic [Sides-1:0] response_valid_i,             // always taken
  input  logic [DATA_WIDTH-1:0] response_data_i,
  input  logic   response_error_i,
  input  logic   response_last_i,

  // Bursts, of one side in a cycle. Valid may fall before it is ready.
  output logic [Sides-1:0] burst_valid_o,
  input  logic [Sides-1:0] burst_ready_i,
  output logic [ADDR_WIDTH-1:0] burst_address_o,         // of the first byte
  output logic [3:0] burst_beats_o,                      // less one
  output logic [LaneBits-1:0] burst_lane_o,              // of the last byte, in the last beat
  output logic   burst_last_o,                           // of the string
  output logic   burst_empty_o,
  output fault_e burst_fault_o                           // not to be accessed
);

  localparam int unsigned BlockBits = LaneBits + $clog2(BurstBeats);
  localparam int unsigned BlockBytes = 1 << BlockBits;
  localparam bit Halves = DATA_WIDTH < 8 * RowBytes;  // an element is two beats
  typedef logic [ADDR_WIDTH:0] place_t;  // the first bit: beyond the address bus
  typedef logic [BlockBits:0] count_t;   // 0 to BlockBytes

  // A burst.
  typedef struct packed {
    count_t bytes;
    logic last;
    logic empty;
  } size_t;

  logic [Sides-1:0] active_q, active_d;
  state_e [Sides-1:0] state_q, state_d;
  side_t [Sides-1:0] side_q, side_d;
  logic [Sides-1:0][31:0] remaining_q, remaining_d;  // bytes of the string
  place_t [Sides-1:0] address_q, address_d;          // of the segment, or of the element that is fetched
  logic [Sides-1:0] cut_q, cut_d;                    // the size of the next burst is known
  size_t [Sides-1:0] size_q, size_d;
  logic [Sides-1:0][31:0] bytes_q, bytes_d;          // what the segment has after the string is for a continuation
  // The side whose step it is.
  logic s;
  state_e state, next_state;
  side_t now, next;
  logic [31:0] remaining, bytes;
  place_t address;

  function automatic place_t place(logic [63:0] at);
    return {|at[63:ADDR_WIDTH], at[ADDR_WIDTH-1:0]};
  endfunction

  function automatic count_t saturated(logic [31:0] count);
    return |count[31:BlockBits] ? count_t'(BlockBytes) : count_t'(count[BlockBits-1:0]);
  endfunction

  // ----------------------------------------------------------------- the memory
  logic access_valid, access_ready, access_write, received;
  place_row_t access_row, beat_row;
  place_t end_address, end_q;
  logic beat_half;
  logic [DATA_WIDTH-1:0] beat;
  logic [RowBytes-1:0][7:0] row;
  lutra_places #(.DATA_WIDTH(DATA_WIDTH)) u_places (
    .clk_i,
    .rst_ni,
    .beat_valid_i(received),
    .beat_row_i(beat_row),
    .beat_half_i(beat_half),
    .beat_i(beat),
    .access_valid_i(access_valid),
    .access_ready_o(access_ready),
    .access_write_i(access_write),
    .access_row_i(access_row),
    .access_data_i(64'(end_q)),
    .register_i,
    .register_ready_o,
    .data_o(row)
  );
  assign register_row_o = row;

  // Elements are written in the order of bytes of the rest.
  logic from;
  assign received = response_valid_i != '0;
  assign from = response_valid_i[1];
  assign beat_row = element_row(from, side_q[from].element);
  assign beat_half = side_q[from].half;
  for (genvar b = 0; b < DATA_WIDTH / 8; b++) begin : gen_beat
    assign beat[8*b+:8] = big_endian_i ? response_data_i[8*(b^3)+:8] : response_data_i[8*b+:8];
  end

  // A row as two places, and as an element, whose address is the first of them.
  place_t base, limit;
  logic [63:0] first, second;
  logic [3:0][31:0] element;
  element_flags_t flags;
  assign {second, first} = row;
  assign element = row;
  assign base = place(first);
  assign limit = place(second);
  assign flags = element_flags_t'(element[ElementFlags]);

  // ------------------------------------------------------------------ whose step
  // What a read brings is used in the next cycle, in which nothing else begins.
  logic entry_asks, entry_finds, entry_adds, entry_checks, kind;    // kind: as in entry_valid_i
  place_t entry_address;
  // What a step does. It asks for a row, writes one, or only adds; it cuts a burst, ends its string, or moves on.
  logic side_asks, side_writes, side_adds, cuts, ends, moves;
  place_row_t side_row;
  logic turn_q, turn_d, uses_q, uses_d;                // uses: of side turn_q
  logic entry_uses, entry_begins, entry_ring, steps;
  logic [Sides-1:0] works;
  assign entry_uses = entry_adds || entry_checks;
  assign entry_begins = entry_asks && !uses_q;
  assign entry_ring = entry_ring_i[kind];
  for (genvar i = 0; i < Sides; i++) begin : gen_works
    assign works[i] = active_q[i] && !(state_q[i] inside {StateRequest, StateReceive});
  end
  assign s = uses_q || works[turn_q] ? turn_q : !turn_q;
  assign steps = works[s] && !entry_uses && !entry_begins;
  assign now = side_q[s];
  assign state = state_q[s];
  assign remaining = remaining_q[s];
  assign address = address_q[s];
  assign bytes = bytes_q[s];
  assign uses_d = steps && !uses_q && (side_adds || (side_asks && access_ready));
  assign turn_d = uses_d || !steps ? s : !s;

  // ---------------------------------------------------------------- cut a burst
  // A burst ends where a block of its greatest size ends, so it crosses no 4 KB. A burst with a fault is one beat.
  logic faulted, has_burst, burst_taken;
  count_t room, wanted, available;
  size_t found, size;
  logic [BlockBits-1:0] end_offset;
  assign faulted = now.fault != FaultNone;
  always_comb begin
    room = count_t'(BlockBytes) - count_t'(address[BlockBits-1:0]);
    if (faulted) room = count_t'(DATA_WIDTH / 8) - count_t'(address[LaneBits-1:0]);
    wanted = saturated(remaining);
    available = faulted ? count_t'(BlockBytes) : saturated(bytes);
    found.empty = remaining == '0;
    found.last = remaining <= 32'(BlockBytes) && wanted <= room && wanted <= available;
    found.bytes = room < available ? room : available;
    if (wanted <= room && wanted <= available) found.bytes = wanted;
  end
  assign has_burst = faulted || bytes != '0 || remaining == '0;
  assign size = size_q[s];
  assign end_offset = address[BlockBits-1:0] + size.bytes[BlockBits-1:0] - BlockBits'(1);
  assign burst_valid_o = Sides'(steps && cut_q[s]) << s;
  assign burst_address_o = address[ADDR_WIDTH-1:0];
  assign burst_beats_o = end_offset[BlockBits-1:LaneBits] - address[BlockBits-1:LaneBits];
  assign burst_lane_o = end_offset[LaneBits-1:0];
  assign burst_last_o = size.last;
  assign burst_empty_o = size.empty;
  assign burst_fault_o = now.fault;
  assign burst_taken = (burst_valid_o & burst_ready_i) != '0;

  // -------------------------------------------------------- the adder and the window
  // The row of the window comes in the cycle after it was asked for, and with it the sum.
  place_t begin_address, addend;
  logic permitted;
  always_comb begin
    begin_address = address;
    if (entry_adds) begin_address = place(kind ? second : first);
    if (entry_begins || entry_checks) begin_address = entry_address;

    addend = place_t'(line_bytes(now.one, address[ElementBits+:2]));
    if (state == StateCut) addend = place_t'(size.bytes);
    if (state == StateCheck) addend = place_t'(bytes);
    if (entry_adds) begin
      addend = kind ? place_t'({entry_index_i[1], 4'd0}) : place_t'({entry_index_i[0], 6'd0});
    end
    if (entry_begins) addend = kind ? 'd16 : 'd64;
    end_address = begin_address + addend;

    permitted = !begin_address[ADDR_WIDTH] && !base[ADDR_WIDTH] &&
                begin_address[ADDR_WIDTH-1:0] >= base[ADDR_WIDTH-1:0];
    if (limit[ADDR_WIDTH]) permitted &= !end_q[ADDR_WIDTH] || end_q[ADDR_WIDTH-1:0] == '0;
    else permitted &= end_q <= limit;
  end

  lutra_entries #(
    .ADDR_WIDTH(ADDR_WIDTH)
  ) u_entries (
    .clk_i,
    .rst_ni,
    .valid_i(entry_valid_i),
    .ready_o(entry_ready_o),
    .taken_i(entry_taken_i),
    .fault_o(entry_fault_o),
    .kind_o(kind),
    .asks_o(entry_asks),
    .finds_o(entry_finds),
    .asks_ready_i(access_ready && !uses_q),
    .adds_o(entry_adds),
    .checks_o(entry_checks),
    .base_i(begin_address),
    .sum_i(end_address),
    .permitted_i(permitted),
    .address_o(entry_address)
  );
  assign entry_address_o = entry_address[ADDR_WIDTH-1:0];

  // -------------------------------------------------------------------- the steps
  always_comb begin
    next = now;
    next_state = state;
    ends = 1'b0;
    moves = 1'b0;
    side_asks = 1'b0;
    side_writes = 1'b0;
    side_adds = 1'b0;
    cuts = 1'b0;
    side_row = window_row(now.ring);

    unique case (state)
      StateCut: begin
        if (cut_q[s]) begin
          ends = burst_taken && burst_last_o;
          moves = burst_taken;
        end else if (has_burst) cuts = 1'b1;
        else begin
          if (now.ended) next.fault = FaultElement;
          else next_state = now.line ? StateElement : now.fresh ? StateLine : StateList;
        end
      end
      StateCheck: begin
        side_asks = !uses_q;
        if (uses_q) begin
          next_state = StateCut;
          if (bytes != '0 && !permitted) next.fault = FaultAddress;
        end
      end
      StateElement: begin
        side_asks = !uses_q;
        side_row = element_row(s, now.element);
        if (uses_q) begin
          moves = 1'b1;
          next.ended = flags.last;
          next.element = now.element + 2'd1;
          next.line = !now.one && now.element != '1;
          next_state = StateCheck;
          if (element[ElementLength] == '0 || flags.reserved_31 != '0) next.fault = FaultElement;
          if (now.error[now.element]) next.fault = FaultBus;
          if (next.fault != FaultNone) next_state = StateCut;
        end
      end
      StateList: begin
        side_asks = !uses_q;
        side_row = list_row(s);
        if (uses_q) begin
          moves = 1'b1;
          next.one = 1'b0;
          next_state = StateLine;
        end
      end
      StateLine: begin
        // Where the window ends before the line does, the elements come one at a time.
        side_asks = !uses_q;
        if (uses_q) begin
          next_state = permitted ? StateNext : now.one ? StateCut : StateLine;
          next.one = now.one || !permitted;
          next.fresh = 1'b0;
          if (!permitted && now.one) next.fault = FaultAddress;
        end
      end
      default: begin  // StateNext
        side_adds = !uses_q;
        side_asks = uses_q;
        side_writes = uses_q;
        side_row = list_row(s);
        if (uses_q && access_ready) next_state = StateRequest;
      end
    endcase
  end

  assign access_valid = entry_begins || (steps && side_asks);
  assign access_write = !entry_begins && side_writes;
  assign access_row = !entry_begins ? side_row : entry_finds ? ring_row(entry_ring) : window_row(entry_ring);

  for (genvar i = 0; i < Sides; i++) begin : gen_side
    side_t strung;  // with a new string
    logic accept, begins, keeps;
    assign begins = !string_continue_i[i];
    assign keeps = side_q[i].list && !begins;
    assign string_ready_o[i] = !active_q[i];
    assign accept = string_valid_i[i] && string_ready_o[i];
    always_comb begin
      strung = side_q[i];
      strung.ring = string_ring_i[i];
      strung.fault = begins ? FaultNone : side_q[i].fault;
      if (begins) begin
        strung.list = string_list_i[i];
        strung.fresh = 1'b1;
        strung.ended = 1'b0;
        strung.line = 1'b0;
        strung.one = 1'b0;
      end
    end

    // Where a side goes on: after a burst, at the segment of an element, or at the next elements. Its bytes are
    // without meaning after a fault, and until there is an element.
    logic step;
    assign step = steps && s == 1'(i);
    always_comb begin
      address_d[i] = address_q[i];
      if ((accept && begins) || (step && moves)) begin
        address_d[i] = state == StateCut ? end_address : place(first);
        if (accept) begin
          address_d[i] = place(string_address_i[i]);
          if (string_list_i[i] && string_address_i[i][ElementBits-1:0] != '0) address_d[i][ADDR_WIDTH] = 1'b1;
        end
      end
      bytes_d[i] = bytes_q[i];
      if ((accept && !keeps) || (step && moves)) begin
        bytes_d[i] = state == StateCut ? bytes - 32'(size.bytes) : element[ElementLength];
        if (accept) bytes_d[i] = strung.list ? '0 : string_bytes_i[i];
      end
      remaining_d[i] = remaining_q[i];
      if (accept || (step && burst_taken)) remaining_d[i] = accept ? string_bytes_i[i] : remaining - 32'(size.bytes);
      cut_d[i] = step ? cuts || (cut_q[i] && !burst_taken) : cut_q[i];
      size_d[i] = step && cuts ? found : size_q[i];
    end

    assign request_valid_o[i] = state_q[i] == StateRequest;
    assign request_address_o[i] = address_q[i][ADDR_WIDTH-1:0];
    assign request_beats_o[i] = 4'((line_bytes(side_q[i].one, address_q[i][ElementBits+:2]) >> LaneBits) - 7'd1);
    always_comb begin
      active_d[i] = active_q[i];
      state_d[i] = state_q[i];
      side_d[i] = side_q[i];
      if (accept) begin
        active_d[i] = 1'b1;
        state_d[i] = strung.list ? StateCut : StateCheck;
        side_d[i] = strung;
      end
      if (step) begin
        active_d[i] = !ends;
        state_d[i] = next_state;
        side_d[i] = next;
      end
      if (request_valid_o[i] && request_ready_i[i]) begin
        state_d[i] = StateReceive;
        side_d[i].element = address_q[i][ElementBits+:2];
        side_d[i].half = 1'b0;
        side_d[i].error = '0;
      end
      if (response_valid_i[i]) begin
        side_d[i].half = Halves && !side_q[i].half;
        if (response_error_i) side_d[i].error[side_q[i].element] = 1'b1;
        if (!side_d[i].half) side_d[i].element = side_q[i].element + 2'd1;
        if (response_last_i) begin
          side_d[i].element = address_q[i][ElementBits+:2];
          side_d[i].line = 1'b1;
          state_d[i] = StateElement;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= '0;
      state_q <= {Sides{StateCut}};
      turn_q <= 1'b0;
      uses_q <= 1'b0;
      cut_q <= '0;
    end else begin
      active_q <= active_d;
      state_q <= state_d;
      turn_q <= turn_d;
      uses_q <= uses_d;
      cut_q <= cut_d;
    end
  end
  always_ff @(posedge clk_i) begin
    side_q <= side_d;
    remaining_q <= remaining_d;
    address_q <= address_d;
    end_q <= end_address;
    size_q <= size_d;
    bytes_q <= bytes_d;
  end

`ifndef SYNTHESIS
  for (genvar i = 0; i < Sides; i++) begin : gen_assert
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        quiet_between_strings: assert (active_q[i] || state_q[i] == StateCut) else $error("work without a string");
        expected: assert (!response_valid_i[i] || state_q[i] == StateReceive)
          else $error("an element that was not asked for");
      end
    end
  end
`endif

endmodule
