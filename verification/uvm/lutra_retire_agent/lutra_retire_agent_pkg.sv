// The agent of the retirement port; passive, since the port has only outputs.

package lutra_retire_agent_pkg;

  import uvm_pkg::*;
  import lutra_isa_pkg::*;

  `include "lutra_retire_item.svh"
  `include "lutra_retire_monitor.svh"
  `include "lutra_retire_agent.svh"

endpackage
