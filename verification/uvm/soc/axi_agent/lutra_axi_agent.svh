// The memory's end of the port: a responder, which needs no sequencer, and a monitor.

class lutra_axi_agent extends uvm_agent;

  lutra_axi_config cfg;
  lutra_axi_responder responder;
  lutra_axi_monitor monitor;

  `uvm_component_utils(lutra_axi_agent)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function void build_phase(uvm_phase phase);
    super.build_phase(phase);
    cfg = lutra_axi_config::type_id::create("cfg");
    cfg.memory = lutra_axi_memory::type_id::create("memory");
    if (!uvm_config_db#(virtual lutra_axi_if)::get(this, "", "vif", cfg.vif))
      `uvm_fatal("CONFIG", "no virtual interface \"vif\"")
    monitor = lutra_axi_monitor::type_id::create("monitor", this);
    monitor.cfg = cfg;
    if (get_is_active() == UVM_ACTIVE) begin
      responder = lutra_axi_responder::type_id::create("responder", this);
      responder.cfg = cfg;
    end
  endfunction

endclass
