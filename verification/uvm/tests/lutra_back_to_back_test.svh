// Jobs without a pause.

class lutra_back_to_back_test extends lutra_base_test;

  `uvm_component_utils(lutra_back_to_back_test)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function lutra_base_vseq make_sequence();
    lutra_back_to_back_vseq made = lutra_back_to_back_vseq::type_id::create("back_to_back");
    made.image = script();
    return made;
  endfunction

endclass
