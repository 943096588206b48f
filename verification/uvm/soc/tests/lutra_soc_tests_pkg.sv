// The tests, by +UVM_TESTNAME: each runs the sequence of its name.

package lutra_soc_tests_pkg;

  import uvm_pkg::*;
  import lutra_soc_env_pkg::*;
  import lutra_soc_sequences_pkg::*;

  `include "lutra_soc_base_test.svh"

  `define LUTRA_SOC_TEST(NAME) \
    class lutra_soc_``NAME``_test extends lutra_soc_base_test; \
      `uvm_component_utils(lutra_soc_``NAME``_test) \
      function new(string name, uvm_component parent); \
        super.new(name, parent); \
      endfunction \
      virtual function lutra_soc_base_vseq make_sequence(); \
        lutra_soc_``NAME``_vseq made = lutra_soc_``NAME``_vseq::type_id::create(`"NAME`"); \
        return made; \
      endfunction \
    endclass

  `LUTRA_SOC_TEST(traffic)
  `LUTRA_SOC_TEST(wrong)
  `LUTRA_SOC_TEST(errors)
  `LUTRA_SOC_TEST(abort)
  `LUTRA_SOC_TEST(reset)
  `LUTRA_SOC_TEST(trap)
  `LUTRA_SOC_TEST(registers)

endpackage
