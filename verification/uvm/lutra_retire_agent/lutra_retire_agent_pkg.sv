// The agent of the retirement port; passive, as the port only tells.

package lutra_retire_agent_pkg;

  import uvm_pkg::*;
  import lutra_isa_pkg::*;

  `include "lutra_retire_item.svh"
  `include "lutra_retire_monitor.svh"
  `include "lutra_retire_agent.svh"

endpackage
