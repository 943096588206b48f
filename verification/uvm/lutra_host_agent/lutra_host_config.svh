// Settings shared by the agent's components.

class lutra_host_config extends uvm_object;

  virtual lutra_host_if vif;

  `uvm_object_utils(lutra_host_config)

  function new(string name = "lutra_host_config");
    super.new(name);
  endfunction

endclass
