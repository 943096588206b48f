// The core's host port, reset, control and status, with the clock that they belong to.

interface lutra_host_if
  import lutra_isa_pkg::*;
  import lutra_host_agent_pkg::*;
(
  input logic clk_i
);

  logic rst_n = 1'b1;
  host_request_t request;
  host_reply_t reply;
  host_status_t status;

  clocking driver_cb @(posedge clk_i);
    output request;
    input reply, status;
  endclocking

  clocking monitor_cb @(posedge clk_i);
    input rst_n, request, reply, status;
  endclocking

endinterface
