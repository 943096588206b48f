// A reset at any time.

class lutra_reset_test extends lutra_base_test;

  `uvm_component_utils(lutra_reset_test)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function lutra_base_vseq make_sequence();
    lutra_reset_vseq made = lutra_reset_vseq::type_id::create("reset");
    made.image = script();
    return made;
  endfunction

endclass
