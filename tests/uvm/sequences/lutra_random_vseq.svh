// Random legal programs on random memories under random host traffic.

class lutra_random_vseq extends lutra_base_vseq;

  lutra_script program_words;
  lutra_random_config cfg;

  `uvm_object_utils(lutra_random_vseq)

  function new(string name = "lutra_random_vseq");
    super.new(name);
  endfunction

  virtual task body();
    fill_all();
    write_image(program_words);
    for (int unsigned i = 0; i < cfg.jobs; i++) begin
      if (cfg.new_tables[i]) fill($urandom_range(1) ? SpaceBank0 : SpaceBank1);
      job(cfg.entries[i], cfg.cycles[i], cfg.mid_cycle[i]);
    end
    for (int unsigned code = 0; code < 6; code++) read_back(space_e'(code), MemoryRows);
  endtask

  task job(addr_t entry, int unsigned cycles, bit mid_cycle);
    lutra_traffic_vseq traffic = lutra_traffic_vseq::type_id::create("traffic");
    traffic.cfg = cfg.traffic;
    start_at(entry);
    fork
      begin
        if (cfg.traffic.enabled) traffic.start(p_sequencer, this, -1, 0);
      end
      begin
        watch(cycles);
        traffic.stop = 1;
      end
    join
    if (status.state == StateRunning) reset($urandom_range(2, 1), mid_cycle);
  endtask

  // Clears the interrupt of each notify. Short waits, so that the traffic has its turn.
  task watch(int unsigned cycles);
    longint unsigned used = 0;
    do begin
      wait_for_interrupt(cfg.traffic.enabled ? $urandom_range(20, 1) : cycles);
      if (status.irq) clear_interrupt();
      used = status.cycles;
    end while (status.state == StateRunning && used < cycles);
  endtask

endclass
