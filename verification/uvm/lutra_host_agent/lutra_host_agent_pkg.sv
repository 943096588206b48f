// The agent of the host port: what a host does in a cycle, driven and observed.

package lutra_host_agent_pkg;

  import uvm_pkg::*;
  import lutra_isa_pkg::*;

  `include "lutra_host_types.svh"
  `include "lutra_host_item.svh"
  `include "lutra_host_observation.svh"
  `include "lutra_host_config.svh"
  `include "lutra_host_sequencer.svh"
  `include "lutra_host_driver.svh"
  `include "lutra_host_monitor.svh"
  `include "lutra_host_coverage.svh"
  `include "lutra_host_agent.svh"

endpackage
