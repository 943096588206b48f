// The tests, by +UVM_TESTNAME.

package lutra_tests_pkg;

  import uvm_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_host_agent_pkg::*;
  import lutra_env_pkg::*;
  import lutra_sequences_pkg::*;

  `include "lutra_base_test.svh"
  `include "lutra_firmware_test.svh"
  `include "lutra_memory_test.svh"
  `include "lutra_control_test.svh"
  `include "lutra_reset_test.svh"
  `include "lutra_back_to_back_test.svh"
  `include "lutra_host_port_test.svh"
  `include "lutra_table_reload_test.svh"
  `include "lutra_random_test.svh"

endpackage
