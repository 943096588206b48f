// Virtual sequences: what a host does with the core, from single accesses to whole jobs.

package lutra_sequences_pkg;

  import uvm_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_host_agent_pkg::*;
  import lutra_env_pkg::*;

  `include "lutra_script.svh"
  `include "lutra_base_vseq.svh"
  `include "lutra_traffic_config.svh"
  `include "lutra_traffic_vseq.svh"
  `include "lutra_script_vseq.svh"
  `include "lutra_memory_vseq.svh"
  `include "lutra_control_vseq.svh"
  `include "lutra_reset_vseq.svh"
  `include "lutra_back_to_back_vseq.svh"
  `include "lutra_host_port_vseq.svh"
  `include "lutra_table_reload_vseq.svh"
  `include "lutra_random_config.svh"
  `include "lutra_random_vseq.svh"

endpackage
