class lutra_retire_agent extends uvm_agent;

  lutra_retire_monitor monitor;

  `uvm_component_utils(lutra_retire_agent)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function void build_phase(uvm_phase phase);
    super.build_phase(phase);
    monitor = lutra_retire_monitor::type_id::create("monitor", this);
    if (!uvm_config_db#(virtual lutra_retire_if)::get(this, "", "vif", monitor.vif))
      `uvm_fatal("CONFIG", "no virtual interface \"vif\"")
  endfunction

endclass
