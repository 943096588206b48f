// Observes handshakes. A beat of a write is reported when its address is known too.

class lutra_axi_monitor extends uvm_component;

  lutra_axi_config cfg;
  uvm_analysis_port #(lutra_axi_item) ap;

  int unsigned waited[Channels];
  int unsigned reads_of[4], writes_of[2];   // outstanding bursts by id
  lutra_axi_item writes[$];                 // whose beats are not complete; `beats` counts what is missing
  lutra_axi_item ahead[$];                  // beats that wait for their address
  lutra_axi_item unanswered[$];

  `uvm_component_utils(lutra_axi_monitor)

  function new(string name, uvm_component parent);
    super.new(name, parent);
    ap = new("ap", this);
  endfunction

  virtual task run_phase(uvm_phase phase);
    forever begin
      @(cfg.vif.monitor_cb);
      if (cfg.vif.rst_ni) observe(cfg.vif.monitor_cb.manager, cfg.vif.monitor_cb.subordinate);
      else clear();
    end
  endtask

  function void clear();
    foreach (waited[i]) waited[i] = 0;
    foreach (reads_of[i]) reads_of[i] = 0;
    foreach (writes_of[i]) writes_of[i] = 0;
    writes.delete();
    ahead.delete();
    unanswered.delete();
  endfunction

  function lutra_axi_item taken(axi_channel_e channel, logic valid, logic ready);
    lutra_axi_item item;
    if (!valid) return null;
    if (!ready) begin
      waited[channel]++;
      return null;
    end
    item = new("item");
    item.channel = channel;
    item.waited = waited[channel];
    waited[channel] = 0;
    return item;
  endfunction

  function void observe(axi_manager_t m, axi_subordinate_t s);
    lutra_axi_item item = taken(AxiAr, m.arvalid, s.arready);
    if (item != null) begin
      item.id = m.arid;
      item.address = m.araddr;
      item.beats = int'(m.arlen) + 1;
      reads_of[item.id[1:0]]++;
      ap.write(item);
    end
    item = taken(AxiR, s.rvalid, m.rready);
    if (item != null) begin
      item.id = s.rid;
      item.response = s.rresp;
      if (s.rlast) reads_of[item.id[1:0]]--;
      ap.write(item);
    end
    item = taken(AxiW, m.wvalid, s.wready);
    if (item != null) begin
      item.strobes = m.wstrb;
      ahead.push_back(item);
    end
    item = taken(AxiAw, m.awvalid, s.awready);
    if (item != null) begin
      lutra_axi_item left = new("left");
      item.id = m.awid;
      item.address = m.awaddr;
      item.beats = int'(m.awlen) + 1;
      left.copy_of(item);
      writes.push_back(left);
      writes_of[item.id[0]]++;
      ap.write(item);
    end
    while (ahead.size() != 0 && writes.size() != 0) beat(ahead.pop_front());
    item = taken(AxiB, s.bvalid, m.bready);
    if (item != null) begin
      item.id = s.bid;
      item.response = s.bresp;
      answer(item);
    end
  endfunction

  function void beat(lutra_axi_item item);
    lutra_axi_item of = writes[0];
    item.id = of.id;
    item.address = of.address & ~AddressBits'(Lanes - 1);
    of.address = item.address + AddressBits'(Lanes);
    of.beats--;
    if (of.beats == 0) unanswered.push_back(writes.pop_front());
    ap.write(item);
  endfunction

  function void answer(lutra_axi_item item);
    writes_of[item.id[0]]--;
    foreach (unanswered[i])
      if (unanswered[i].id == item.id) begin
        item.address = unanswered[i].address - AddressBits'(Lanes);  // its last beat
        unanswered.delete(i);
        break;
      end
    ap.write(item);
  endfunction

endclass
