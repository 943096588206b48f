// Publishes every cycle: the scoreboard compares the status with its own, even if nothing should happen.

class lutra_host_monitor extends uvm_monitor;

  lutra_host_config cfg;
  uvm_analysis_port #(lutra_host_observation) ap;

  `uvm_component_utils(lutra_host_monitor)

  function new(string name, uvm_component parent);
    super.new(name, parent);
    ap = new("ap", this);
  endfunction

  virtual task run_phase(uvm_phase phase);
    @(cfg.vif.monitor_cb);  // before the first edge nothing has been reset
    for (longint unsigned clock = 1;; clock++) begin
      lutra_host_observation seen = new();
      @(cfg.vif.monitor_cb);
      seen.clock = clock;
      seen.in_reset = !cfg.vif.monitor_cb.rst_n;
      seen.request = cfg.vif.monitor_cb.request;
      seen.reply = cfg.vif.monitor_cb.reply;
      seen.status = cfg.vif.monitor_cb.status;
      ap.write(seen);
    end
  endtask

endclass
