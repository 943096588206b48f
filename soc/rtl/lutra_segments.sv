// The place of a string in memory, cut into bursts. A string is contiguous or described by a list of scatter-gather
// elements. Nothing outside of the ring's window is accessed, neither an element nor a byte of the string.
//
// One string is in work at a time; while its segment is cut, the next element is fetched. No read of an element is
// outstanding when the last burst of a string has been taken.
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
  typedef logic [ADDR_WIDTH:0] place_t;      // the first bit: beyond the address bus
  typedef logic [BlockBits:0] count_t;       // 0 to BlockBytes

  // The string in work, and the segment that is being cut: what it has after the string is for a continuation.
  logic active_q, active_d, list_q, list_d, ring_q, ring_d;
  fault_e fault_q, fault_d;
  logic [31:0] remaining_q, remaining_d, bytes_q, bytes_d;
  place_t address_q, address_d;

  // What comes next: the place of an element, then the segment in it, or a segment at once.
  typedef enum logic [2:0] {NextNone, NextPlace, NextRequest, NextReceive, NextSegment, NextFault} next_e;
  next_e next_q, next_d;
  place_t next_address_q, next_address_d;
  logic [31:0] next_bytes_q, next_bytes_d;
  fault_e next_fault_q, next_fault_d;
  logic [ADDR_WIDTH-1:ElementBits] element_q, element_d;  // behind the last one that was asked for
  logic ended_q, ended_d;                                 // that was the last one of its list

  function automatic place_t place(logic [63:0] address);
    return |address[63:ADDR_WIDTH] ? {1'b1, {ADDR_WIDTH{1'b0}}} : {1'b0, address[ADDR_WIDTH-1:0]};
  endfunction

  function automatic count_t saturated(logic [31:0] bytes);
    return |bytes[31:BlockBits] ? count_t'(BlockBytes) : count_t'(bytes[BlockBits-1:0]);
  endfunction

  // One check serves elements and segments.
  logic permitted;
  assign permitted = !next_address_q[ADDR_WIDTH] && next_address_q >= place(window_base_i[ring_q])
      && next_address_q + place_t'(next_bytes_q) <= place(window_limit_i[ring_q]);

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

  assign burst_valid_o = active_q && (faulted || bytes_q != '0 || burst_empty_o);
  assign burst_address_o = address_q[ADDR_WIDTH-1:0];
  assign burst_beats_o = end_offset[BlockBits-1:LaneBits] - address_q[BlockBits-1:LaneBits];
  assign burst_lane_o = end_offset[LaneBits-1:0];
  assign burst_last_o = remaining_q == 32'(taken);
  assign burst_empty_o = remaining_q == '0;
  assign burst_fault_o = fault_q;
  assign burst_taken = burst_valid_o && burst_ready_i;

  // ---------------------------------------------------------------- find the next segment

  logic accept, needed, load;
  assign string_ready_o = !active_q;
  assign accept = string_valid_i && string_ready_o;
  // Both sides lose what a burst takes: once needed, a segment is needed until it is loaded.
  assign needed = active_q && !faulted && remaining_q > bytes_q;
  assign load = needed && bytes_q == '0;

  assign request_valid_o = next_q == NextRequest;
  assign request_address_o = next_address_q[ADDR_WIDTH-1:0];
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

  always_comb begin
    active_d = active_q;
    list_d = list_q;
    ring_d = ring_q;
    fault_d = fault_q;
    remaining_d = remaining_q;
    bytes_d = bytes_q;
    address_d = address_q;
    next_d = next_q;
    next_address_d = next_address_q;
    next_bytes_d = next_bytes_q;
    next_fault_d = next_fault_q;
    element_d = element_q;
    ended_d = ended_q;

    if (burst_taken) begin
      active_d = !burst_last_o;
      address_d = address_q + place_t'(taken);
      remaining_d = remaining_q - 32'(taken);
      if (!faulted) bytes_d = bytes_q - 32'(taken);
    end

    unique case (next_q)
      NextNone: begin
        next_address_d = {1'b0, element_q, ElementBits'(0)};
        next_bytes_d = ElementBytes;
        if (needed && !ended_q) next_d = NextPlace;
        if (load && ended_q) fault_d = FaultElement;
      end
      NextPlace: begin
        next_fault_d = FaultAddress;
        if (needed) next_d = permitted ? NextRequest : NextFault;
      end
      NextRequest: begin
        next_fault_d = FaultNone;
        if (request_ready_i) begin
          next_d = NextReceive;
          element_d = element_q + (ADDR_WIDTH - ElementBits)'(1);
        end
      end
      NextReceive: begin
        if (response_valid_i) begin
          if (!response_last_i || DATA_WIDTH > 64) next_address_d = place(words[63:0]);
          if (response_last_i) begin
            next_bytes_d = element_bytes;
            ended_d = element_flags[0];
            next_d = NextSegment;
            if (element_bytes == '0 || element_flags[31:1] != '0) begin
              next_fault_d = FaultElement;
              next_d = NextFault;
            end
          end
          if (response_error_i || next_fault_q != FaultNone) begin
            next_fault_d = FaultBus;
            if (response_last_i) next_d = NextFault;
          end
        end
      end
      NextSegment: begin
        if (load) begin
          next_d = NextNone;
          address_d = next_address_q;
          bytes_d = next_bytes_q;
          if (!permitted) begin
            fault_d = FaultAddress;
            bytes_d = '0;
          end
        end
      end
      NextFault: begin
        if (load) begin
          next_d = NextNone;
          fault_d = next_fault_q;
        end
      end
      default: ;
    endcase

    if (accept) begin
      active_d = 1'b1;
      ring_d = string_ring_i;
      remaining_d = string_bytes_i;
      if (!string_continue_i) begin
        list_d = string_list_i;
        fault_d = FaultNone;
        bytes_d = '0;
        ended_d = 1'b0;
        element_d = string_address_i[ADDR_WIDTH-1:ElementBits];
        next_address_d = place(string_address_i);
        if (string_list_i && string_address_i[ElementBits-1:0] != '0) next_address_d[ADDR_WIDTH] = 1'b1;
        next_bytes_d = string_list_i ? ElementBytes : string_bytes_i;
        next_d = string_list_i ? NextPlace : NextSegment;
      end else if (!list_q) begin
        next_address_d = address_q;
        next_bytes_d = string_bytes_i;
        next_d = NextSegment;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      next_q <= NextNone;
    end else begin
      active_q <= active_d;
      next_q <= next_d;
    end
  end
  always_ff @(posedge clk_i) begin
    list_q <= list_d;
    ring_q <= ring_d;
    fault_q <= fault_d;
    remaining_q <= remaining_d;
    bytes_q <= bytes_d;
    address_q <= address_d;
    next_address_q <= next_address_d;
    next_bytes_q <= next_bytes_d;
    next_fault_q <= next_fault_d;
    element_q <= element_d;
    ended_q <= ended_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      quiet_between_strings: assert (active_q || next_q inside {NextNone, NextPlace, NextSegment})
        else $error("an element is asked for without a string");
      expected: assert (!response_valid_i || next_q == NextReceive) else $error("an element that was not asked for");
    end
  end
`endif

endmodule
