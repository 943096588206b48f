// The environment: agents of both ports, register model, host, scoreboard over the device model, coverage.

package lutra_soc_env_pkg;

  import uvm_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_axi_agent_pkg::*;
  import lutra_axil_agent_pkg::*;
  import lutra_soc_reference_pkg::*;

  `include "lutra_soc_types.svh"
  `include "lutra_soc_message.svh"
  `include "lutra_soc_completion.svh"
  `include "lutra_soc_host.svh"
  `include "lutra_soc_coverage.svh"
  `include "lutra_soc_scoreboard.svh"
  `include "lutra_soc_sequencer.svh"
  `include "lutra_soc_env.svh"

endpackage
