// Builds the environment, runs one virtual sequence, and ends the simulation with an exit status.

virtual class lutra_soc_base_test extends uvm_test;

  lutra_soc_env env;

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function void build_phase(uvm_phase phase);
    uvm_report_server server = uvm_report_server::get_server();
    super.build_phase(phase);
    server.set_max_quit_count(1);  // after the first error nothing more can be checked
    env = lutra_soc_env::type_id::create("env", this);
  endfunction

  pure virtual function lutra_soc_base_vseq make_sequence();

  virtual task run_phase(uvm_phase phase);
    lutra_soc_base_vseq sequence_ = make_sequence();
    phase.raise_objection(this);
    sequence_.start(env.sequencer);
    phase.drop_objection(this);
  endtask

  // An error or a fatal ends the simulation here. With Verilator only $fatal gives a non-zero exit.
  virtual function void pre_abort();
    $fatal(1, "FAILED %s", get_type_name());
  endfunction

  virtual function void final_phase(uvm_phase phase);
    $display("PASSED %s", get_type_name());
  endfunction

endclass
