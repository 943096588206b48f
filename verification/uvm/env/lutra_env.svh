class lutra_env extends uvm_env;

  lutra_env_config cfg;
  lutra_host_agent host;
  lutra_retire_agent retire;
  lutra_scoreboard scoreboard;
  lutra_virtual_sequencer sequencer;

  `uvm_component_utils(lutra_env)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function void build_phase(uvm_phase phase);
    super.build_phase(phase);
    if (!uvm_config_db#(lutra_env_config)::get(this, "", "cfg", cfg)) `uvm_fatal("CONFIG", "no \"cfg\"")
    host = lutra_host_agent::type_id::create("host", this);
    retire = lutra_retire_agent::type_id::create("retire", this);
    scoreboard = lutra_scoreboard::type_id::create("scoreboard", this);
    scoreboard.cfg = cfg;
    sequencer = lutra_virtual_sequencer::type_id::create("sequencer", this);
  endfunction

  virtual function void connect_phase(uvm_phase phase);
    host.monitor.ap.connect(scoreboard.host_imp);
    retire.monitor.ap.connect(scoreboard.retire_imp);
    sequencer.host = host.sequencer;
  endfunction

endclass
