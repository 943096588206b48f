// Tables that change between two runs of a program.

class lutra_table_reload_test extends lutra_base_test;

  `uvm_component_utils(lutra_table_reload_test)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function lutra_base_vseq make_sequence();
    lutra_table_reload_vseq made = lutra_table_reload_vseq::type_id::create("table_reload");
    made.image = script();
    return made;
  endfunction

endclass
