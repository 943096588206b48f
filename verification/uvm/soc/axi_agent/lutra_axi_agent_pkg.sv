// The agent of the AXI4 port: a memory with latency, back-pressure and errors, and an observer.

package lutra_axi_agent_pkg;

  import uvm_pkg::*;

  `include "lutra_axi_types.svh"
  `include "lutra_axi_memory.svh"
  `include "lutra_axi_config.svh"
  `include "lutra_axi_burst.svh"
  `include "lutra_axi_responder.svh"
  `include "lutra_axi_item.svh"
  `include "lutra_axi_monitor.svh"
  `include "lutra_axi_agent.svh"

endpackage
