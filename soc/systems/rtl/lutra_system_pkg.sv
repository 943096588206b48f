// Types of the demo systems: the host's bus, the core's host port, and what is counted.

package lutra_system_pkg;
  import lutra_isa_pkg::*;

  // A bus of one access at a time: the request is held until granted, the response comes in a later cycle.
  typedef struct packed {
    logic        req;
    logic        we;
    logic [3:0]  be;
    logic [31:0] addr;
    logic [31:0] wdata;
  } request_t;

  typedef struct packed {
    logic        gnt;
    logic        rvalid;
    logic [31:0] rdata;
  } response_t;

  // Sixteen bytes of RAM at once: the byte at the lowest address is the most significant one, as in a row. A read's
  // data comes in the next cycle.
  typedef struct packed {
    logic         req;
    logic         we;
    logic [31:0]  addr;
    logic [127:0] wdata;
  } wide_request_t;

  // Beats of a DMA: what is read comes in the same cycle.
  localparam int unsigned DmaBytes = 8;
  typedef struct packed {
    logic                  we;
    logic [31:0]           raddr;
    logic [31:0]           waddr;
    logic [8*DmaBytes-1:0] wdata;
    logic [DmaBytes-1:0]   wstrb;
  } dma_request_t;

  // The raw port of the core, and its control.
  typedef struct packed {
    logic   req;
    logic   we;
    space_e space;
    addr_t  row;
    vec_t   wdata;
    logic   start;
    addr_t  entry;
  } port_request_t;

  typedef struct packed {
    logic   gnt;
    logic   rvalid;
    vec_t   rdata;
    state_e state;
  } port_response_t;

  // A coprocessor's view of an instruction: held until `ready`. `claim` tells the host to wait.
  typedef struct packed {
    logic        valid;
    logic [31:0] insn;
    logic [31:0] rs1;
    logic [31:0] rs2;
  } insn_request_t;

  typedef struct packed {
    logic        claim;
    logic        ready;
    logic        write;
    logic [31:0] rd;
  } insn_response_t;

  // What crosses an attachment in a cycle: 32-bit words of data, and whether it is occupied.
  typedef struct packed {
    logic [2:0] words;
    logic       busy;
  } traffic_t;

  localparam logic [6:0] OpcodeLink = 7'h0b;  // custom-0
  localparam logic [6:0] OpcodeTrivium = 7'h2b;  // custom-1

  // The byte at the lowest address first.
  function automatic logic [31:0] swapped(logic [31:0] word);
    return {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

endpackage
