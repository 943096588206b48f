// Effects of the host's control pulses, and the stops of a program.

class lutra_control_test extends lutra_base_test;

  `uvm_component_utils(lutra_control_test)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function lutra_base_vseq make_sequence();
    lutra_control_vseq made = lutra_control_vseq::type_id::create("control");
    made.image = script();
    return made;
  endfunction

endclass
