// The AXI4 port with its clock and reset. In reset nothing that a subordinate drives is valid, from the moment of the
// reset on, as A3.1.2 of IHI 0022 wants it.

interface lutra_axi_if
  import lutra_axi_agent_pkg::*;
(
  input logic clk_i,
  input logic rst_ni
);

  axi_manager_t manager;
  axi_subordinate_t driven, subordinate;
  assign subordinate = rst_ni ? driven : '0;

  clocking responder_cb @(posedge clk_i);
    input manager;
    output driven;
  endclocking

  clocking monitor_cb @(posedge clk_i);
    input manager, subordinate;
  endclocking

endinterface
