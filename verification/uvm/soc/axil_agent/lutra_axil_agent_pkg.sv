// The agent of the registers: a host on AXI4-Lite, in whose hands the reset is too, and the adapter of the register
// model.

package lutra_axil_agent_pkg;

  import uvm_pkg::*;

  localparam int unsigned RegisterBits = 14;

  typedef struct packed {
    logic awvalid;
    logic [RegisterBits-1:0] awaddr;
    logic wvalid;
    logic [31:0] wdata;
    logic [3:0] wstrb;
    logic bready;
    logic arvalid;
    logic [RegisterBits-1:0] araddr;
    logic rready;
  } axil_manager_t;

  typedef struct packed {
    logic awready;
    logic wready;
    logic bvalid;
    logic [1:0] bresp;
    logic arready;
    logic rvalid;
    logic [31:0] rdata;
    logic [1:0] rresp;
  } axil_subordinate_t;

  `include "lutra_axil_item.svh"
  `include "lutra_axil_driver.svh"
  `include "lutra_axil_adapter.svh"
  `include "lutra_axil_agent.svh"

endpackage
