// The port's pins in three groups (rtl/README.md, "Ports of lutra_core").

typedef struct packed {
  logic   req;
  logic   we;
  space_e space;
  addr_t  row;
  vec_t   wdata;
  logic   start;
  addr_t  entry;
  logic   resume;
  logic   irq_clear;
  logic   wipe;
} host_request_t;

typedef struct packed {
  logic gnt;
  logic rvalid;
  vec_t rdata;
} host_reply_t;

typedef struct packed {
  state_e state;
  trap_e  trap;
  addr_t  pc;
  logic [7:0] notify;
  logic   irq;
  logic   alert;
  logic [63:0] cycles;
  logic [63:0] instructions;
  logic [StallCauses-1:0][31:0] stalls;
} host_status_t;

typedef enum {
  HostBeat,   // control pulses, and an access held until it is granted
  HostWait,   // nothing, until the interrupt comes or `cycles` have passed
  HostReset   // reset for `cycles`
} host_kind_e;
