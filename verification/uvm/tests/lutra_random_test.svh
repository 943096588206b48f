// A random program, +SCRIPT=FILE, under constrained random jobs and host traffic.

class lutra_random_test extends lutra_base_test;

  `uvm_component_utils(lutra_random_test)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function lutra_base_vseq make_sequence();
    lutra_random_vseq made = lutra_random_vseq::type_id::create("random");
    made.image = script();
    made.cfg = lutra_random_config::type_id::create("cfg");
    made.cfg.first = made.image.entry("main");
    made.cfg.last = made.image.entry("end") - 1;
    if (!made.cfg.randomize()) `uvm_fatal("RANDOM", "the constraints have no solution")
    `uvm_info("RANDOM", $sformatf("%0d jobs; traffic: %s", 1 + made.cfg.jobs, made.cfg.traffic.convert2string()), UVM_LOW)
    return made;
  endfunction

endclass
