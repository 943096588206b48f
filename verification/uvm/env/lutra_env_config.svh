// The core's parameters, as in the bench's top.

class lutra_env_config extends uvm_object;

  int unsigned rounds_per_instr = 2;

  `uvm_object_utils(lutra_env_config)

  function new(string name = "lutra_env_config");
    super.new(name);
  endfunction

endclass
