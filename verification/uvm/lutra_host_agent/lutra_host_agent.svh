class lutra_host_agent extends uvm_agent;

  lutra_host_config cfg;
  lutra_host_sequencer sequencer;
  lutra_host_driver driver;
  lutra_host_monitor monitor;
  lutra_host_coverage coverage;

  `uvm_component_utils(lutra_host_agent)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function void build_phase(uvm_phase phase);
    super.build_phase(phase);
    cfg = lutra_host_config::type_id::create("cfg");
    if (!uvm_config_db#(virtual lutra_host_if)::get(this, "", "vif", cfg.vif))
      `uvm_fatal("CONFIG", "no virtual interface \"vif\"")
    monitor = lutra_host_monitor::type_id::create("monitor", this);
    monitor.cfg = cfg;
    coverage = lutra_host_coverage::type_id::create("coverage", this);
    if (get_is_active() == UVM_ACTIVE) begin
      sequencer = lutra_host_sequencer::type_id::create("sequencer", this);
      driver = lutra_host_driver::type_id::create("driver", this);
      driver.cfg = cfg;
    end
  endfunction

  virtual function void connect_phase(uvm_phase phase);
    monitor.ap.connect(coverage.analysis_export);
    if (get_is_active() == UVM_ACTIVE) driver.seq_item_port.connect(sequencer.seq_item_export);
  endfunction

endclass
