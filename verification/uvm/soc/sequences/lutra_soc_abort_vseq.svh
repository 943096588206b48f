// An abort of one ring at any time, while the other goes on. Once the ring is idle, nothing of it moves any more.

class lutra_soc_abort_vseq extends lutra_soc_base_vseq;

  `uvm_object_utils(lutra_soc_abort_vseq)

  function new(string name = "abort");
    super.new(name);
  endfunction

  virtual task run();
    for (int batch = 0; batch < 14; batch++) begin
      bit ring = 1'($urandom());
      int unsigned state, cycles = 0;
      make_room();
      new_pace();
      for (int unsigned r = 0; r < Rings; r++) submit_some(r, 10);
      clocks($urandom_range($urandom_range(1) == 0 ? 60 : 1500));
      env.coverage.sample_abort(env.activity(), env.core_runs());
      set(regs.ring[ring].control, 3, 1'b0);
      do begin
        get(regs.ring[ring].state, state);
        cycles += 10;
        if (cycles > Patience) `uvm_fatal("HANG", "the aborted ring does not become idle")
      end while (!state[0]);
      // Quiet now: completions are there, and so is all that the reference will have.
      if (host.completed(ring) != host.messages[ring].size())
        `uvm_error("ABORT", "the ring is idle and lacks completions")
      finish(Rings'(1) << ring);
      set(regs.ring[ring].control, 1, 1'b0);
    end
  endtask

  // Keys stay as they are, since whether one is set would depend on the time of the abort.
  virtual function lutra_soc_message next_message(int unsigned ring);
    return $urandom_range(4) == 0 ? maker.opening(ring) : maker.ordinary(ring);
  endfunction

endclass
