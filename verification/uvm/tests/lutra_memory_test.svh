// The memories behind the host port.

class lutra_memory_test extends lutra_base_test;

  `uvm_component_utils(lutra_memory_test)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function lutra_base_vseq make_sequence();
    lutra_memory_vseq made = lutra_memory_vseq::type_id::create("memory");

    return made;
  endfunction

endclass
