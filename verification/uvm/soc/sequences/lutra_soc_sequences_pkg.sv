// What the tests do: virtual sequences, and what makes their messages.

package lutra_soc_sequences_pkg;

  import uvm_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_axi_agent_pkg::*;
  import lutra_axil_agent_pkg::*;
  import lutra_soc_reference_pkg::*;
  import lutra_soc_env_pkg::*;

  `include "lutra_soc_firmware.svh"
  `include "lutra_soc_maker.svh"
  `include "lutra_soc_mistakes.svh"
  `include "lutra_soc_base_vseq.svh"
  `include "lutra_soc_traffic_vseq.svh"
  `include "lutra_soc_wrong_vseq.svh"
  `include "lutra_soc_errors_vseq.svh"
  `include "lutra_soc_abort_vseq.svh"
  `include "lutra_soc_reset_vseq.svh"
  `include "lutra_soc_trap_vseq.svh"
  `include "lutra_soc_registers_vseq.svh"

endpackage
