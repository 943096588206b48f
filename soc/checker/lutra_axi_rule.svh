// How the checkers write a rule: the side that keeps it, its label, its clause of IHI 0022 issue H.c ("option": none),
// what is wrong, and what must hold.

`ifndef LUTRA_AXI_RULE
`define LUTRA_AXI_RULE(SIDE, LABEL, CLAUSE, TEXT, HOLDS) \
  if (ASSUME_``SIDE) LABEL``_assumed: assume (HOLDS) else $error("AXI rule %s: %s (%s)", `"LABEL`", TEXT, CLAUSE); \
  else LABEL: assert (HOLDS) else $error("AXI rule %s: %s (%s)", `"LABEL`", TEXT, CLAUSE);

// A valid stays until its ready, and so does a signal of the payload.
`define LUTRA_AXI_VALID_HELD(SIDE, CHANNEL) \
  `LUTRA_AXI_RULE(SIDE, CHANNEL``valid_held, "A3.2.1", "the valid falls before the ready", \
                  !CHANNEL``_waits_q || CHANNEL``valid_i)
`define LUTRA_AXI_HELD(SIDE, CHANNEL, FIELD) \
  `LUTRA_AXI_RULE(SIDE, CHANNEL``FIELD``_held, "A3.2.1", "it changes while it waits for the ready", \
                  !CHANNEL``_waits_q || !CHANNEL``valid_i || CHANNEL.FIELD == CHANNEL``_q.FIELD)

// Valid is low in reset, and that of a manager also at the edge at which the reset is over.
`define LUTRA_AXI_RESET(SIDE, CHANNEL) \
  `LUTRA_AXI_RULE(SIDE, CHANNEL``valid_reset, "A3.1.2", "the valid is high in reset", rst_ni || !CHANNEL``valid_i)
`define LUTRA_AXI_FIRST(CHANNEL) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``valid_first, "A3.1.2", "the valid is high at the edge that ends the reset", \
                  !rst_ni || !CHANNEL``valid_i)

// One side waits for the other; `TIMEOUT` cycles are the most.
`define LUTRA_AXI_TIMEOUT(SIDE, LABEL, TEXT, INDEX) \
  `LUTRA_AXI_RULE(SIDE, LABEL, "option", TEXT, !waits[INDEX] || waited_q[INDEX] < wait_t'(TIMEOUT))

// Legal requests of an address channel; ROOM says that one more transaction may be outstanding.
`define LUTRA_AXI_REQUEST(CHANNEL, ROOM) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``burst, "A3.4.1", "the burst type is reserved", CHANNEL.burst != 2'b11) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``size, "A3.4.1", "the size exceeds the data bus", 1 << CHANNEL.size <= Bytes) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``len_fixed, "A3.4.1", "a FIXED burst of more than 16 beats", \
                  CHANNEL.burst != Fixed || CHANNEL.len < 8'd16) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``len_wrap, "A3.4.1", "a WRAP burst not of 2, 4, 8 or 16 beats", \
                  CHANNEL.burst != Wrap || CHANNEL.len inside {8'd1, 8'd3, 8'd7, 8'd15}) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``addr_wrap, "A3.4.1", "a WRAP burst starts unaligned to its size", \
                  CHANNEL.burst != Wrap || aligned_to(CHANNEL.addr, 16'd1 << CHANNEL.size)) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``addr_4k, "A3.4.1", "a burst crosses an address that is a multiple of 4 KB", \
                  CHANNEL.burst != Incr || in_page(CHANNEL.addr[11:0], CHANNEL.len, CHANNEL.size)) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``cache, "A4.4", "the memory type is reserved", MemoryTypes[CHANNEL.cache]) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``len_exclusive, "A7.2.4", "an exclusive access of more than 16 beats", \
                  !CHANNEL.lock || CHANNEL.len < 8'd16) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``bytes_exclusive, "A7.2.4", "an exclusive access not of 1, 2, 4, ... 128 bytes", \
                  !CHANNEL.lock || bytes_of(CHANNEL.len, CHANNEL.size) inside {1, 2, 4, 8, 16, 32, 64, 128}) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``addr_exclusive, "A7.2.4", "an exclusive access unaligned to its bytes", \
                  !CHANNEL.lock || aligned_to(CHANNEL.addr, bytes_of(CHANNEL.len, CHANNEL.size))) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``lock_none, "option", "an exclusive access where EXCLUSIVE is 0", \
                  EXCLUSIVE || !CHANNEL.lock) \
  `LUTRA_AXI_RULE(MANAGER, CHANNEL``_limit, "option", "more transactions are outstanding than the limit", ROOM)
`endif
