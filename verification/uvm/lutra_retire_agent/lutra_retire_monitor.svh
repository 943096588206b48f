class lutra_retire_monitor extends uvm_monitor;

  virtual lutra_retire_if vif;
  uvm_analysis_port #(lutra_retire_item) ap;

  `uvm_component_utils(lutra_retire_monitor)

  function new(string name, uvm_component parent);
    super.new(name, parent);
    ap = new("ap", this);
  endfunction

  virtual task run_phase(uvm_phase phase);
    for (longint unsigned clock = 0;; clock++) begin
      @(vif.monitor_cb);
      if (vif.monitor_cb.valid) begin
        lutra_retire_item seen = new();
        seen.clock = clock;
        seen.record = vif.monitor_cb.record;
        ap.write(seen);
      end
    end
  endtask

endclass
