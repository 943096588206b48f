class lutra_axil_agent extends uvm_agent;

  virtual lutra_axil_if vif;
  uvm_sequencer #(lutra_axil_item) sequencer;
  lutra_axil_driver driver;

  `uvm_component_utils(lutra_axil_agent)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function void build_phase(uvm_phase phase);
    super.build_phase(phase);
    if (!uvm_config_db#(virtual lutra_axil_if)::get(this, "", "vif", vif))
      `uvm_fatal("CONFIG", "no virtual interface \"vif\"")
    sequencer = new("sequencer", this);
    driver = lutra_axil_driver::type_id::create("driver", this);
    driver.vif = vif;
  endfunction

  virtual function void connect_phase(uvm_phase phase);
    driver.seq_item_port.connect(sequencer.seq_item_export);
  endfunction

endclass
