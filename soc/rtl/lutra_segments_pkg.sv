// Types of lutra_segments: how far a side is with its string.

package lutra_segments_pkg;

  import lutra_soc_pkg::*;

  localparam int unsigned ElementBits = $clog2(RowBytes);
  localparam int unsigned LineBits = ElementBits + $clog2(LineElements);

  typedef enum logic [2:0] {
    StateCut,      // the segment is cut while it has bytes
    StateCheck,    // is the segment permitted?
    StateElement,  // the next element that was fetched
    StateList,     // where is the next one?
    StateLine,     // are the next ones permitted?
    StateNext,     // where those after them are
    StateRequest,
    StateReceive
  } state_e;

  typedef struct packed {
    logic list;
    logic ring;
    logic fresh;                 // nothing of the list was fetched: its place is the address
    logic ended;                 // the list
    logic line;                  // elements are left of those that were fetched
    logic one;                   // only one was
    logic [1:0] element;         // the next one, or the one that is received
    logic half;
    logic [LineElements-1:0] error;
    fault_e fault;
  } side_t;

  // How many bytes the elements have that are fetched together.
  function automatic logic [LineBits:0] line_bytes(logic one, logic [1:0] element);
    return {one ? 3'd1 : 3'd4 - {1'b0, element}, ElementBits'(0)};
  endfunction

endpackage
