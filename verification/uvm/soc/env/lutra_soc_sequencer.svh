// Gives virtual sequences the environment.

typedef class lutra_soc_env;

class lutra_soc_sequencer extends uvm_sequencer;

  lutra_soc_env env;

  `uvm_component_utils(lutra_soc_sequencer)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

endclass
