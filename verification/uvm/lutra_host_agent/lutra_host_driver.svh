// Drives items in sequence, with no idle cycles between them unless requested.

class lutra_host_driver extends uvm_driver #(lutra_host_item);

  // The core yields within a few cycles or never: no program uses a data memory endlessly.
  localparam int unsigned Patience = 100_000;

  lutra_host_config cfg;

  `uvm_component_utils(lutra_host_driver)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual task run_phase(uvm_phase phase);
    cfg.vif.driver_cb.request <= '0;
    cfg.vif.rst_n = 1'b0;
    repeat (2) @(cfg.vif.driver_cb);
    cfg.vif.rst_n = 1'b1;
    forever begin
      seq_item_port.get_next_item(req);
      idle(req.gap);
      case (req.kind)
        HostReset: reset(req);
        HostWait: wait_for_interrupt(req);
        default: beat(req);
      endcase
      req.status = cfg.vif.driver_cb.status;
      seq_item_port.item_done();
    end
  endtask

  task idle(int unsigned cycles);
    repeat (cycles) @(cfg.vif.driver_cb);
  endtask

  task reset(lutra_host_item item);
    if (item.mid_cycle) @(negedge cfg.vif.clk_i);
    cfg.vif.rst_n = 1'b0;
    repeat (item.cycles) @(cfg.vif.driver_cb);
    if (item.mid_cycle) @(negedge cfg.vif.clk_i);
    cfg.vif.rst_n = 1'b1;
    @(cfg.vif.driver_cb);
  endtask

  task wait_for_interrupt(lutra_host_item item);
    for (int unsigned i = 0; i < item.cycles; i++) begin
      @(cfg.vif.driver_cb);
      if (cfg.vif.driver_cb.status.irq) break;
    end
  endtask

  task beat(lutra_host_item item);
    host_request_t held = item.request;
    for (int unsigned i = 0;; i++) begin
      cfg.vif.driver_cb.request <= held;
      @(cfg.vif.driver_cb);
      if (!held.req || cfg.vif.driver_cb.reply.gnt) break;
      {held.start, held.resume, held.irq_clear, held.wipe} = '0;  // pulses
      if (i == Patience) begin
        `uvm_error("GRANT", {"no grant for ", item.convert2string()})
        break;
      end
    end
    cfg.vif.driver_cb.request <= '0;
    if (held.req && !held.we && !item.posted) begin
      @(cfg.vif.driver_cb);
      item.rdata = cfg.vif.driver_cb.reply.rdata;
    end
  endtask

endclass
