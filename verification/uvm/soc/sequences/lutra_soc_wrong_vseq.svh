// Descriptors with every mistake among right ones; a doorbell ahead of its ring; raw operations that are locked.

class lutra_soc_wrong_vseq extends lutra_soc_base_vseq;

  int unsigned kind;

  `uvm_object_utils(lutra_soc_wrong_vseq)

  function new(string name = "wrong");
    super.new(name);
  endfunction

  virtual task run();
    kind = 1 + $urandom_range(int'(WrongBlocks) - 1);
    for (int batch = 0; batch < 8; batch++) begin
      make_room();
      new_pace();
      for (int unsigned ring = 0; ring < Rings; ring++) submit_some(ring, 12);
      finish();
    end
    ahead(1'($urandom()));
    locked();
  endtask

  // Mistakes in turn, so that each has its turn.
  virtual function lutra_soc_message next_message(int unsigned ring);
    if ($urandom_range(2) == 0) return maker.any(ring);
    kind = kind % int'(WrongBlocks) + 1;
    return mistakes.make(ring, wrong_e'(kind));
  endfunction

  task ahead(bit ring);
    env.coverage.sample_doorbell(host.size(ring) + 1, host.size(ring));
    set(regs.ring[ring].tail, (host.tail[ring] + host.size(ring) + 1) & 'hffff);
    expects_stop[ring] = 1'b1;
    clocks(20);
    compare_stop(ring);
    restart_ring(ring);
    submit_some(ring, 5);
    finish();
  endtask

  task compare_stop(bit ring);
    int unsigned value;
    wait_quiet();
    check_interrupts();
    get(regs.ring[ring].state, value);
    env.scoreboard.check_register(regs.ring[ring].state, value);
  endtask

  // No raw operation any more until a reset.
  task locked();
    make_room();
    set(regs.control, control_word() | 4);
    set(regs.control, control_word());
    put_in(maker.raw(0, 1'b0, 5'd0, 16'd210, 32));
    if (host.room(0) != 0) put_in(maker.run(0, firmware.stream_reset, 100));
    finish();
    boot();
    submit_some(0, 4);
    finish();
  endtask

endclass
