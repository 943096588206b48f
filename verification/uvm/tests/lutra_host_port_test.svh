// Duties of the core at the host port, in every cycle in which it could violate them.

class lutra_host_port_test extends lutra_base_test;

  `uvm_component_utils(lutra_host_port_test)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function lutra_base_vseq make_sequence();
    lutra_host_port_vseq made = lutra_host_port_vseq::type_id::create("host_port");
    made.image = script();
    return made;
  endfunction

endclass
