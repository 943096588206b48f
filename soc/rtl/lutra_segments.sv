// The place of a string in memory, cut into bursts. A string is contiguous or described by a list of scatter-gather
// elements. Nothing outside of the ring's window is accessed, neither an element nor a byte of the string.
//
// One string is in work at a time. An element is fetched when the segment before it has been cut, which is well before
// its bytes are transferred. No read of an element is outstanding when the last burst of a string has been taken.
//
// A fault ends the accesses, not the string: its remaining bytes come as bursts of one beat with the fault, which are
// to be counted but not accessed. A string of no bytes comes as one burst with burst_empty_o.

module lutra_segments
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned LaneBits = $clog2(DATA_WIDTH / 8)
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  input  logic   big_endian_i,                      // words of elements
  input  logic [Rings-1:0][63:0] window_base_i,     // the first byte
  input  logic [Rings-1:0][63:0] window_limit_i,    // the first byte after it

  input  logic   string_valid_i,
  output logic   string_ready_o,
  input  logic [63:0] string_address_i,             // of its bytes or of its list; without meaning in a continuation
  input  logic [31:0] string_bytes_i,
  input  logic   string_list_i,                     // without meaning in a continuation
  input  logic   string_ring_i,
  input  logic   string_continue_i,                 // goes on where the string before it ended, also in its fault

  output logic   request_valid_o,                   // reads of elements
  input  logic   request_ready_i,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  output logic [3:0] request_beats_o,               // less one
  input  logic   response_valid_i,                  // always taken
  input  logic [DATA_WIDTH-1:0] response_data_i,
  input  logic   response_error_i,
  input  logic   response_last_i,

  output logic   burst_valid_o,
  input  logic   burst_ready_i,
  output logic [ADDR_WIDTH-1:0] burst_address_o,    // of the first byte
  output logic [3:0] burst_beats_o,                 // less one
  output logic [LaneBits-1:0] burst_lane_o,         // of the last byte, in the last beat
  output logic   burst_last_o,                      // of the string
  output logic   burst_empty_o,
  output fault_e burst_fault_o                      // not to be accessed
);

  localparam int unsigned BlockBits = LaneBits + $clog2(BurstBeats);
  localparam int unsigned BlockBytes = 1 << BlockBits;
  localparam int unsigned ElementBytes = 16;
  localparam int unsigned ElementBits = $clog2(ElementBytes);
  typedef logic [ADDR_WIDTH:0] place_t;  // the first bit: beyond the address bus
  typedef logic [BlockBits:0] count_t;   // 0 to BlockBytes

  typedef enum logic [2:0] {
    StateCut,      // the segment is cut while it has bytes
    StatePlace,    // is the element permitted?
    StateRequest,
    StateReceive,
    StateCheck     // is the segment permitted?
  } state_e;

  state_e state_q, state_d;
  logic active_q, active_d, list_q, list_d, ring_q, ring_d;
  fault_e fault_q, fault_d;
  logic [31:0] remaining_q, remaining_d;  // bytes of the string
  place_t address_q, address_d;           // of the segment, or of the element that is fetched
  logic [31:0] bytes_q, bytes_d;          // what the segment has after the string is for a continuation
  logic [ADDR_WIDTH:ElementBits] element_q, element_d;  // the next one
  logic ended_q, ended_d;                 // there is none

  function automatic place_t place(logic [63:0] address);
    return {|address[63:ADDR_WIDTH], address[ADDR_WIDTH-1:0]};
  endfunction

  function automatic count_t saturated(logic [31:0] bytes);
    return |bytes[31:BlockBits] ? count_t'(BlockBytes) : count_t'(bytes[BlockBits-1:0]);
  endfunction

  // ---------------------------------------------------------------- cut a burst

  // A burst ends where a block of its greatest size ends, so it crosses no 4 KB. A burst with a fault is one beat.
  logic faulted, burst_taken;
  count_t room, wanted, available, taken;
  logic [BlockBits-1:0] end_offset;
  assign faulted = fault_q != FaultNone;
  always_comb begin
    room = count_t'(BlockBytes) - count_t'(address_q[BlockBits-1:0]);
    if (faulted) room = count_t'(DATA_WIDTH / 8) - count_t'(address_q[LaneBits-1:0]);
    wanted = saturated(remaining_q);
    available = faulted ? count_t'(BlockBytes) : saturated(bytes_q);
    taken = room;
    if (wanted < taken) taken = wanted;
    if (available < taken) taken = available;
    end_offset = address_q[BlockBits-1:0] + taken[BlockBits-1:0] - BlockBits'(1);
  end

  assign burst_valid_o = active_q && state_q == StateCut && (faulted || bytes_q != '0 || burst_empty_o);
  assign burst_address_o = address_q[ADDR_WIDTH-1:0];
  assign burst_beats_o = end_offset[BlockBits-1:LaneBits] - address_q[BlockBits-1:LaneBits];
  assign burst_lane_o = end_offset[LaneBits-1:0];
  assign burst_last_o = remaining_q == 32'(taken);
  assign burst_empty_o = remaining_q == '0;
  assign burst_fault_o = fault_q;
  assign burst_taken = burst_valid_o && burst_ready_i;

  // ---------------------------------------------------------------- find the next segment

  // One adder and one check serve bursts, elements and segments. No byte of a segment is left where an element is.
  place_t addend, end_address, base, limit;
  logic permitted;
  assign base = place(window_base_i[ring_q]);
  assign limit = place(window_limit_i[ring_q]);
  always_comb begin
    addend = state_q == StateCut ? place_t'(taken) : place_t'(bytes_q);
    if (state_q == StatePlace) addend |= place_t'(ElementBytes);
    end_address = address_q + addend;
    permitted = !address_q[ADDR_WIDTH] && !base[ADDR_WIDTH] && address_q[ADDR_WIDTH-1:0] >= base[ADDR_WIDTH-1:0];
    if (limit[ADDR_WIDTH]) permitted &= !end_address[ADDR_WIDTH] || end_address[ADDR_WIDTH-1:0] == '0;
    else permitted &= end_address <= limit;
  end

  logic accept;
  assign string_ready_o = !active_q;
  assign accept = string_valid_i && string_ready_o;

  assign request_valid_o = state_q == StateRequest;
  assign request_address_o = address_q[ADDR_WIDTH-1:0];
  assign request_beats_o = 4'(ElementBytes * 8 / DATA_WIDTH - 1);

  // Address in the first two words of an element, bytes and flags in the last two; a wide bus has all in one beat.
  logic [DATA_WIDTH-1:0] words;
  logic [31:0] element_bytes, element_flags;
  always_comb begin
    words = response_data_i;
    if (big_endian_i) begin
      for (int i = 0; i < DATA_WIDTH / 8; i++) words[8*i+:8] = response_data_i[8*(i^3)+:8];
    end
    {element_flags, element_bytes} = words[DATA_WIDTH-1-:64];
  end

  logic fetch, received, located;
  assign fetch = state_q == StateCut && active_q && !faulted && bytes_q == '0 && remaining_q != '0;
  assign received = state_q == StateReceive && response_valid_i;
  assign located = received && (!response_last_i || DATA_WIDTH > 64);

  always_comb begin
    state_d = state_q;
    active_d = (active_q && !(burst_taken && burst_last_o)) || accept;
    fault_d = accept && !string_continue_i ? FaultNone : fault_q;
    list_d = list_q;
    ring_d = ring_q;
    ended_d = ended_q;
    if (accept) begin
      ring_d = string_ring_i;
      if (!string_continue_i) begin
        list_d = string_list_i;
        ended_d = 1'b0;
      end
    end

    unique case (state_q)
      StatePlace: begin
        state_d = permitted ? StateRequest : StateCut;
        if (!permitted) fault_d = FaultAddress;
      end
      StateRequest: if (request_ready_i) state_d = StateReceive;
      StateReceive: begin
        if (response_valid_i) begin
          if (response_last_i) begin
            ended_d = element_flags[0];
            state_d = StateCheck;
            if (element_bytes == '0 || element_flags[31:1] != '0) fault_d = FaultElement;
          end
          if (response_error_i || faulted) fault_d = FaultBus;
          if (response_last_i && fault_d != FaultNone) state_d = StateCut;
        end
      end
      StateCheck: begin
        state_d = StateCut;
        if (bytes_q != '0 && !permitted) fault_d = FaultAddress;
      end
      default: begin
        if (accept && !list_d) state_d = StateCheck;
        if (fetch && !ended_q) state_d = StatePlace;
        if (fetch && ended_q) fault_d = FaultElement;
      end
    endcase
  end

  logic begins;
  assign begins = accept && !string_continue_i;
  always_comb begin
    remaining_d = remaining_q;
    if (accept || burst_taken) remaining_d = accept ? string_bytes_i : remaining_q - 32'(taken);

    address_d = address_q;
    if (begins || burst_taken || fetch || located) begin
      address_d = ({ADDR_WIDTH + 1{begins}} & place(string_address_i))
          | ({ADDR_WIDTH + 1{burst_taken}} & end_address)
          | ({ADDR_WIDTH + 1{fetch}} & {element_q, ElementBits'(0)})
          | ({ADDR_WIDTH + 1{located}} & place(words[63:0]));
    end

    // Without meaning after a fault.
    bytes_d = bytes_q;
    if (accept ? begins || !list_q : burst_taken || received) begin
      bytes_d = ({32{accept && !list_d}} & string_bytes_i)
          | ({32{burst_taken}} & (bytes_q - 32'(taken)))
          | ({32{received}} & element_bytes);
    end

    element_d = element_q;
    if (begins || (request_valid_o && request_ready_i)) begin
      element_d = element_q + (ADDR_WIDTH + 1 - ElementBits)'(1);
      if (begins) begin
        element_d = {string_address_i[ElementBits-1:0] != '0 || |string_address_i[63:ADDR_WIDTH],
            string_address_i[ADDR_WIDTH-1:ElementBits]};
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      state_q <= StateCut;
    end else begin
      active_q <= active_d;
      state_q <= state_d;
    end
  end
  always_ff @(posedge clk_i) begin
    list_q <= list_d;
    ring_q <= ring_d;
    fault_q <= fault_d;
    remaining_q <= remaining_d;
    address_q <= address_d;
    bytes_q <= bytes_d;
    element_q <= element_d;
    ended_q <= ended_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      quiet_between_strings: assert (active_q || state_q == StateCut) else $error("work without a string");
      expected: assert (!response_valid_i || state_q == StateReceive) else $error("an element that was not asked for");
    end
  end
`endif

endmodule
