// Start, wait, resume, notify, halt, traps, and the interrupt of each; pulses where the core ignores them.

class lutra_control_vseq extends lutra_base_vseq;

  lutra_script image;

  `uvm_object_utils(lutra_control_vseq)

  function new(string name = "lutra_control_vseq");
    super.new(name);
  endfunction

  virtual task body();
    string traps[] = '{"trap_illegal", "trap_address", "trap_table", "trap_loop", "trap_nesting", "trap_calls", "trap_return"};
    fill_all();
    write_image(image);
    resume_it();  // nothing to resume
    run_program(image.entry("halts"), StateHalted);
    resume_it();
    wait_and_go_on();
    resume_and_start_together();
    notify_keeps_running();
    foreach (traps[i]) run_program(image.entry(traps[i]), StateTrapped);
    run_program(addr_t'(ProgramWords), StateTrapped);  // fetch out of range
    expect_equal("trap", status.trap, TrapFetchRange);
    start_where_it_is_ignored();
    closed_until_the_stop();
    if (CoreWipe) wiped();
  endtask

  task wait_and_go_on();
    start_at(image.entry("waits"));
    wait_for_stop();
    expect_equal("state", status.state, StateWaiting);
    // The host can access all memories while the core waits.
    write_row(SpaceBank0, 3, random_row());
    read_back(SpaceBank0, 8);
    clear_interrupt();
    resume_it();
    wait_for_stop();
    expect_equal("state", status.state, StateHalted);
    expect_equal("notify", status.notify, 2);
    clear_interrupt();
  endtask

  task resume_and_start_together();
    host_request_t request = '0;
    start_at(image.entry("waits"));
    wait_for_stop();
    request.start = 1'b1;
    request.resume = 1'b1;
    request.entry = image.entry("halts");
    request.irq_clear = 1'b1;
    beat(request);
    wait_for_stop();
    expect_equal("state: start goes before resume", status.state, StateHalted);
    clear_interrupt();
  endtask

  task notify_keeps_running();
    start_at(image.entry("notifies"));
    wait_for_interrupt(limit);
    expect_equal("state", status.state, StateRunning);
    expect_equal("notify", status.notify, 1);
    wait_for_stop();
    clear_interrupt();
  endtask

  task start_where_it_is_ignored();
    start_at(image.entry("long"));
    repeat (10) start_at(image.entry("halts"), 3);
    expect_equal("state", status.state, StateRunning);
    wait_for_stop();
    expect_equal("state", status.state, StateHalted);
    clear_interrupt();
  endtask

  // A wipe in each state that takes one, and pulses in the cycles of one.
  task wiped();
    string entries[] = '{"halts", "waits", "trap_illegal"};
    host_request_t request = '0;
    foreach (entries[i]) begin
      fill(SpaceMem2);
      start_at(image.entry(entries[i]));
      wait_for_stop();
      wipe_it();
      idle(i);
      wipe_it();
      resume_it();
      read_back(SpaceMem2, 8);
      expect_equal("state", status.state, StateIdle);
    end
    request.wipe = 1'b1;
    request.start = 1'b1;
    request.entry = image.entry("halts");
    beat(request);
    idle(2);
    expect_equal("state: wipe goes before start", status.state, StateWiping);
    start_at(image.entry("long"));
    wipe_it();
    idle(2);
    expect_equal("state", status.state, StateRunning);
    wait_for_stop();
    clear_interrupt();
  endtask

  // Program memory and tables wait for the end of the program.
  task closed_until_the_stop();
    space_e spaces[] = '{SpaceProgram, SpaceBank0, SpaceBank1};
    foreach (spaces[i]) begin
      vec_t data;
      start_at(image.entry("long"));
      read_row(spaces[i], 2, data);
      expect_equal("state", status.state, StateHalted);
      clear_interrupt();
    end
  endtask

endclass
