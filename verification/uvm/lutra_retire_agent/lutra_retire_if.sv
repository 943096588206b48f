// The core's retirement port.

interface lutra_retire_if
  import lutra_isa_pkg::*;
(
  input logic clk_i
);

  logic valid;
  retire_t record;

  clocking monitor_cb @(posedge clk_i);
    input valid, record;
  endclocking

endinterface
