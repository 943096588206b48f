// Random legal programs on random memories under random host traffic.

class lutra_random_vseq extends lutra_base_vseq;

  lutra_script image;
  lutra_random_config cfg;

  `uvm_object_utils(lutra_random_vseq)

  function new(string name = "lutra_random_vseq");
    super.new(name);
  endfunction

  virtual task body();
    write_image(image);
    first_job();
    for (int unsigned i = 0; i < cfg.jobs; i++) begin
      if (cfg.new_tables[i]) fill($urandom_range(1) ? SpaceBank0 : SpaceBank1);
      job(cfg.entries[i], cfg.cycles[i]);
      end_it(cfg.mid_cycle[i]);
    end
    for (int unsigned code = 0; code < 6; code++) read_back(space_e'(code), MemoryRows);
  endtask

  // With the registers for which it was built: its end is then known, whatever the host does to data memories.
  task first_job();
    run_program(image.entry("clear"), StateHalted);
    job(image.entry("main"), cfg.to_the_end ? limit : cfg.first_cycles);
    if (cfg.to_the_end) expect_end(image.ending());
    end_it(1'($urandom()));
  endtask

  task job(addr_t entry, int unsigned cycles);
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
  endtask

  // Clears the interrupt of each notify, resumes after each wait. Short waits, so that the traffic gets its share.
  task watch(int unsigned cycles);
    do begin
      wait_for_interrupt($urandom_range(cfg.traffic.enabled ? 20 : 200, 1));
      if (status.irq) clear_interrupt();
      if (status.state == StateWaiting) resume_it();
    end while (goes_on() && status.cycles < cycles);
  endtask

  function bit goes_on();
    return status.state inside {StateRunning, StateWaiting};
  endfunction

  task end_it(bit mid_cycle);
    if (goes_on()) reset($urandom_range(2, 1), mid_cycle);
    else if (CoreWipe && 1'($urandom())) wipe_it();
  endtask

endclass
