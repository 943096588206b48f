// What all sequences do: reset and set-up, batches of descriptors on both rings, their end and its check.

virtual class lutra_soc_base_vseq extends uvm_sequence;

  // Cycles in which a batch must end, whatever it meets.
  localparam int unsigned Patience = 400_000;
  localparam int unsigned WatchdogUnits = 16;  // of 256 cycles

  lutra_soc_env env;
  lutra_soc_host host;
  lutra_axi_uvm_pkg::lutra_axi regs;
  lutra_soc_maker maker;
  lutra_soc_mistakes mistakes;
  lutra_soc_firmware firmware;
  virtual lutra_axil_if vif;
  bit [Rings-1:0] expects_stop;

  `uvm_declare_p_sequencer(lutra_soc_sequencer)

  function new(string name);
    super.new(name);
  endfunction

  pure virtual task run();

  virtual task body();
    string path;
    env = p_sequencer.env;
    host = env.host;
    regs = env.regs;
    vif = env.registers.vif;
    firmware = new();
    if (!$value$plusargs("SCRIPT=%s", path)) `uvm_fatal("FIRMWARE", "+SCRIPT=FILE is missing")
    firmware.load(path);
    maker = lutra_soc_maker::type_id::create("maker");
    maker.host = host;
    maker.firmware = firmware;
    mistakes = lutra_soc_mistakes::type_id::create("mistakes");
    mistakes.maker = maker;
    boot();
    run();
  endtask

  // To the event of the clocking block, which comes after that of the clock: an access that began between the two would
  // lose its first cycle.
  task clocks(int unsigned cycles);
    repeat (cycles) @(vif.driver_cb);
  endtask

  // -------------------------------------------------------------------------------- registers
  // With `told`, the reference has the same at once.
  task set(uvm_reg register, uvm_reg_data_t value, bit told = 1'b1);
    uvm_status_e status;
    register.write(status, value);
    if (status != UVM_IS_OK) `uvm_error("REGISTER", {"cannot write ", register.get_full_name()})
    if (told) env.scoreboard.tell(register, int'(value));
  endtask

  task get(uvm_reg register, output int unsigned value);
    uvm_status_e status;
    uvm_reg_data_t data;
    register.read(status, data);
    if (status != UVM_IS_OK) `uvm_error("REGISTER", {"cannot read ", register.get_full_name()})
    value = int'(data);
  endtask

  function void new_pace();
    if (env.bus.cfg.randomize() == 0) `uvm_fatal("PACE", "the constraints cannot be solved")
    `uvm_info("PACE", env.bus.cfg.convert2string(), UVM_HIGH)
  endfunction

  // ------------------------------------------------------------------------------------ reset
  // On the edge or between two.
  task reset_device(int unsigned cycles, bit mid_cycle);
    if (mid_cycle) @(negedge vif.clk_i);
    vif.rst_n = 1'b0;
    // Once more: the core's reset comes from a register, and falls only after that has been reset.
    #1ns vif.rst_n = 1'b1;
    #1ns vif.rst_n = 1'b0;
    clocks(cycles);
    if (mid_cycle) @(negedge vif.clk_i);
    vif.rst_n = 1'b1;
    env.scoreboard.reset();
    env.bus.cfg.memory.heal();
    lutra_soc_reference_heal();
    host.take_over(MemoryBase, MemoryBytes);
    for (int unsigned ring = 0; ring < Rings; ring++) host.messages[ring].delete();
    clocks(2);
  endtask

  task boot(int unsigned cycles = 3, bit mid_cycle = 1'b0);
    reset_device(cycles, mid_cycle);
    host.big = 1'($urandom());
    set(regs.watchdog, WatchdogUnits);
    set(regs.stream_reset, firmware.stream_reset);
    for (int unsigned i = 0; i < firmware.count; i++) set(regs.operation[i], firmware.words[i]);
    set(regs.operations, firmware.count);
    for (int unsigned ring = 0; ring < Rings; ring++) set_up_ring(ring);
    maker.forget_strings();
    set(regs.control, control_word());
    load_firmware();
    set_keys();
  endtask

  function uvm_reg_data_t control_word();
    return uvm_reg_data_t'({host.big, 1'b1});
  endfunction

  task set_up_ring(int unsigned ring);
    bit [63:0] base = 64'(ring_base(ring)), limit = base + 64'(RingBytes), completions = base + 64'(CompletionsAt);
    host.log2[ring] = 1 + $urandom_range(4);
    set(regs.window[ring].base_low, base[31:0]);
    set(regs.window[ring].base_high, base[63:32]);
    set(regs.window[ring].limit_low, limit[31:0]);
    set(regs.window[ring].limit_high, limit[63:32]);
    set(regs.ring[ring].descriptors_low, base[31:0]);
    set(regs.ring[ring].descriptors_high, base[63:32]);
    set(regs.ring[ring].completions_low, completions[31:0]);
    set(regs.ring[ring].completions_high, completions[63:32]);
    set(regs.ring[ring].size, host.log2[ring]);
    set(regs.ring[ring].interrupt_enable, 3, 1'b0);
    enable_ring(ring);
  endtask

  task enable_ring(int unsigned ring);
    host.clear_ring(ring);
    set(regs.ring[ring].tail, 0);
    set(regs.ring[ring].control, 1);
  endtask

  // A ring that has stopped begins anew.
  task restart_ring(int unsigned ring);
    set(regs.ring[ring].control, 0);
    set(regs.ring[ring].interrupt, 3, 1'b0);
    expects_stop[ring] = 1'b0;
    enable_ring(ring);
  endtask

  task load_firmware();
    foreach (firmware.segments[i]) begin
      lutra_soc_message message = maker.raw(0, 1'b0, firmware.segments[i].space, firmware.segments[i].row,
                                            firmware.segments[i].bytes.size(), $urandom_range(1) == 0);
      int unsigned at = 0;
      foreach (message.sources[p])
        for (int unsigned b = 0; b < message.sources[p].bytes; b++)
          if (at < message.length) host.put(message.sources[p].first + AddressBits'(b), firmware.segments[i].bytes[at++]);
      put_in(message);
      if (host.room(0) == 0) finish();
    end
    finish();
  endtask

  task set_keys();
    for (int unsigned ring = 0; ring < Rings; ring++) begin
      lutra_soc_message messages[$];
      maker.set_all_keys(ring, messages);
      foreach (messages[i]) begin
        put_in(messages[i]);
        if (host.room(ring) == 0) finish();
      end
    end
    finish();
  endtask

  // ---------------------------------------------------------------------------------- batches
  function void put_in(lutra_soc_message message);
    host.submit(message);
    `uvm_info("SUBMIT", message.convert2string(), UVM_HIGH)
  endfunction

  task doorbell(int unsigned ring);
    env.coverage.sample_doorbell(host.messages[ring].size(), host.size(ring));
    set(regs.ring[ring].tail, host.tail[ring] & 'hffff, 1'b0);
  endtask

  // As many random messages as the ring has room for, or fewer; the doorbell now and then.
  task submit_some(int unsigned ring, int unsigned most);
    int unsigned count = $urandom_range(2) == 0 ? host.room(ring) : $urandom_range(host.room(ring));
    if (count > most) count = most;
    for (int unsigned i = 0; i < count; i++) begin
      lutra_soc_message message = next_message(ring);
      // A mistake may be one of the other ring.
      if (message == null || host.room(message.ring) == 0) continue;
      put_in(message);
      if ($urandom_range(5) == 0) doorbell(ring);
    end
    doorbell(ring);
  endtask

  virtual function lutra_soc_message next_message(int unsigned ring);
    return maker.any(ring);
  endfunction

  function void make_room();
    for (int unsigned ring = 0; ring < Rings; ring++) if (maker.room(ring) < 60_000) maker.forget_strings();
  endfunction

  // The rings' completions are there, or the ring has stopped; then nothing is in work any more.
  task wait_quiet();
    int unsigned cycles = 0, state, status;
    for (int unsigned ring = 0; ring < Rings; ring++)
      while (!expects_stop[ring] && host.completed(ring) != host.messages[ring].size()) begin
        clocks(10);
        cycles += 10;
        if (cycles > Patience)
          `uvm_fatal("HANG", $sformatf("ring %0d: %0d of %0d completions in %0d cycles", ring, host.completed(ring),
                                       host.messages[ring].size(), cycles))
      end
    do begin
      get(regs.status, status);
      for (int unsigned ring = 0; ring < Rings; ring++) begin
        get(regs.ring[ring].state, state);
        if (!state[0]) status[0] = 1'b1;
      end
      cycles += 30;
      if (cycles > Patience) `uvm_fatal("HANG", $sformatf("not idle after %0d cycles", cycles))
    end while (status[0]);
  endtask

  // Wait for what is with the device, and compare.
  task finish(bit [Rings-1:0] aborts = '0);
    for (int unsigned ring = 0; ring < Rings; ring++) doorbell(ring);
    wait_quiet();
    compare(aborts);
  endtask

  task compare(bit [Rings-1:0] aborts = '0);
    lutra_soc_message done[Rings][$];
    int unsigned value;
    for (int unsigned ring = 0; ring < Rings; ring++) done[ring] = host.messages[ring];
    check_interrupts();
    env.scoreboard.check_batch(aborts);
    for (int unsigned ring = 0; ring < Rings; ring++) begin
      get(regs.ring[ring].head, value);
      env.scoreboard.check_register(regs.ring[ring].head, value);
      get(regs.ring[ring].state, value);
      env.scoreboard.check_register(regs.ring[ring].state, value);
      foreach (done[ring][i])
        if (done[ring][i].kind == KindSeal && done[ring][i].status == StatusOk) maker.sealed.push_back(done[ring][i]);
    end
  endtask

  // A ring with a completion has an interrupt, since each completion asks for one; and so has one that has stopped.
  task check_interrupts();
    for (int unsigned ring = 0; ring < Rings; ring++) begin
      bit wanted = host.completed(ring) != 0 || expects_stop[ring];
      if (wanted && !vif.irq[ring]) `uvm_error("INTERRUPT", $sformatf("ring %0d has none", ring))
      set(regs.ring[ring].interrupt, 3, 1'b0);
      if (vif.irq[ring]) `uvm_error("INTERRUPT", $sformatf("ring %0d: it cannot be cleared", ring))
    end
  endtask

endclass
