class lutra_host_sequencer extends uvm_sequencer #(lutra_host_item);

  `uvm_component_utils(lutra_host_sequencer)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

endclass
