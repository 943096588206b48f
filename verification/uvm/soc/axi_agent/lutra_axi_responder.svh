// The memory's side of the port. A write is in the memory when its answer is driven, so who looks there before the
// answer finds the old bytes.

class lutra_axi_responder extends uvm_component;

  // Bursts that are accepted and not answered, in each direction.
  localparam int unsigned Outstanding = 16;

  lutra_axi_config cfg;

  longint unsigned now;
  axi_subordinate_t out;
  lutra_axi_burst reads[$], writes[$], answers[$];
  logic [DataBits+Lanes-1:0] ahead[$];  // data and strobes that wait for their address
  bit reading;                          // a beat of reads[0] is driven, or the burst has begun

  `uvm_component_utils(lutra_axi_responder)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual task run_phase(uvm_phase phase);
    forever begin
      cfg.vif.responder_cb.driven <= out;
      @(cfg.vif.responder_cb);
      now++;
      if (cfg.vif.rst_ni) begin
        take(cfg.vif.responder_cb.manager);
        drive();
      end else clear();
    end
  endtask

  function void clear();
    out = '0;
    reads.delete();
    writes.delete();
    answers.delete();
    ahead.delete();
    reading = 1'b0;
  endfunction

  function bit stalls(axi_channel_e channel);
    return cfg.stalls[channel] != 0 && $urandom_range(99) < cfg.stalls[channel];
  endfunction

  function longint unsigned later();
    return now + cfg.latency + (cfg.spread == 0 ? 0 : $urandom_range(cfg.spread));
  endfunction

  function void take(axi_manager_t m);
    if (out.rvalid && m.rready) begin
      out.rvalid = 1'b0;
      reads[0].next();
      if (reads[0].beats == 0) begin
        void'(reads.pop_front());
        reading = 1'b0;
      end
    end
    if (out.bvalid && m.bready) out.bvalid = 1'b0;
    if (m.arvalid && out.arready) begin
      lutra_axi_burst burst = new();
      // Not by arguments: Verilator 5.052 passes fields of a packed struct with what is next to them.
      burst.id = m.arid;
      burst.address = m.araddr;
      burst.beats = int'(m.arlen) + 1;
      burst.ready = later();
      reads.push_back(burst);
    end
    if (m.awvalid && out.awready) begin
      lutra_axi_burst burst = new();
      burst.id = m.awid;
      burst.address = m.awaddr;
      burst.beats = int'(m.awlen) + 1;
      writes.push_back(burst);
    end
    if (m.wvalid && out.wready) ahead.push_back({m.wdata, m.wstrb});
    while (ahead.size() != 0 && writes.size() != 0) write_beat();
  endfunction

  function void write_beat();
    lutra_axi_burst burst = writes[0];
    axi_address_t beat = burst.beat();
    logic [DataBits-1:0] data;
    logic [Lanes-1:0] strobes;
    {data, strobes} = ahead.pop_front();
    for (int unsigned i = 0; i < Lanes; i++) begin
      axi_address_t address = beat + AddressBits'(i);
      if (!strobes[i]) continue;
      if (!cfg.memory.has(address)) burst.response = DecodeError;
      else if (cfg.memory.refuses_write(address)) burst.response = $urandom_range(3) == 0 ? DecodeError : SlaveError;
      else begin
        burst.addresses.push_back(address);
        burst.data.push_back(data[8*i+:8]);
      end
    end
    burst.next();
    if (burst.beats != 0) return;
    burst.ready = later();
    answers.push_back(burst);
    void'(writes.pop_front());
  endfunction

  function void drive();
    out.arready = reads.size() < Outstanding && !stalls(AxiAr);
    out.awready = writes.size() + answers.size() < Outstanding && !stalls(AxiAw);
    out.wready = !stalls(AxiW);
    if (!out.rvalid && reads.size() != 0 && !stalls(AxiR)) drive_read();
    if (!out.bvalid && answers.size() != 0 && answers[0].ready <= now && !stalls(AxiB)) drive_answer();
  endfunction

  function void drive_read();
    axi_address_t beat;
    if (!reading && cfg.reorders) choose();
    if (!reading && reads[0].ready > now) return;
    reading = 1'b1;
    beat = reads[0].beat();
    out.rvalid = 1'b1;
    out.rid = reads[0].id;
    out.rlast = reads[0].beats == 1;
    out.rresp = Okay;
    if (!cfg.memory.has(beat)) out.rresp = DecodeError;
    else if (cfg.memory.refuses_read(beat)) out.rresp = $urandom_range(3) == 0 ? DecodeError : SlaveError;
    // Data with an error have no meaning.
    out.rdata = {$urandom(), $urandom()};
    if (out.rresp == Okay)
      for (int unsigned i = 0; i < Lanes; i++) out.rdata[8*i+:8] = cfg.memory.get(beat + AddressBits'(i));
  endfunction

  // Another burst may come first, if it is the first of its id.
  function void choose();
    int unsigned at = $urandom_range(reads.size() - 1);
    if (at != 0 && is_first(at) && reads[at].ready <= now) begin
      lutra_axi_burst chosen = reads[at];
      reads.delete(at);
      reads.push_front(chosen);
    end
  endfunction

  function bit is_first(int unsigned at);
    bit first = 1'b1;
    for (int unsigned i = 0; i < at; i++) if (reads[i].id == reads[at].id) first = 1'b0;
    return first;
  endfunction

  function void drive_answer();
    lutra_axi_burst burst = answers.pop_front();
    foreach (burst.addresses[i]) cfg.memory.put(burst.addresses[i], burst.data[i]);
    out.bvalid = 1'b1;
    out.bid = burst.id;
    out.bresp = burst.response;
  endfunction

endclass
