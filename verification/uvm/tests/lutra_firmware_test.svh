// Firmware with known answers: +SCRIPT=FILE.

class lutra_firmware_test extends lutra_base_test;

  `uvm_component_utils(lutra_firmware_test)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function lutra_base_vseq make_sequence();
    lutra_script_vseq made = lutra_script_vseq::type_id::create("script");
    made.script = script();
    return made;
  endfunction

endclass
