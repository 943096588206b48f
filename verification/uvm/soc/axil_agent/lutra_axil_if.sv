// The AXI4-Lite port with its clock, the reset, interrupts, and the state of the core for coverage.

interface lutra_axil_if
  import lutra_axil_agent_pkg::*;
(
  input logic clk_i
);

  logic rst_n = 1'b1;  // falls at the beginning, which resets what waits for an edge
  logic [1:0] irq;
  logic [2:0] core_state;
  axil_manager_t driven, manager;
  axil_subordinate_t subordinate;
  assign manager = rst_n ? driven : '0;

  clocking driver_cb @(posedge clk_i);
    output driven;
    input subordinate;
  endclocking

endinterface
