// The environment: both agents, the scoreboard over the simulator, the virtual sequencer.

package lutra_env_pkg;

  import uvm_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_host_agent_pkg::*;
  import lutra_retire_agent_pkg::*;
  import lutra_reference_pkg::*;

  `include "lutra_env_config.svh"
  `include "lutra_scoreboard.svh"
  `include "lutra_virtual_sequencer.svh"
  `include "lutra_env.svh"

endpackage
