// Gives virtual sequences the agents' sequencers.

class lutra_virtual_sequencer extends uvm_sequencer;

  lutra_host_sequencer host;

  `uvm_component_utils(lutra_virtual_sequencer)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

endclass
