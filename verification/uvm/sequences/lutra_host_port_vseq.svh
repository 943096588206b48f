// The port's claims (docs/formal.md, "Control") while a program runs: accesses during each use of a memory, what is
// closed, the clear of the interrupt around each event, a start together with a resume.

class lutra_host_port_vseq extends lutra_base_vseq;

  // More cycles than the short programs take from start to stop.
  localparam int unsigned Window = 20;

  lutra_script image;

  `uvm_object_utils(lutra_host_port_vseq)

  function new(string name = "lutra_host_port_vseq");
    super.new(name);
  endfunction

  virtual task body();
    string users[] = '{"reads_key", "reads_data", "stores_lane", "stores_tables", "stores"};
    string events[] = '{"halts", "waits", "notifies", "trap_illegal"};
    space_e memories[] = '{SpaceMem0, SpaceMem1, SpaceMem2, SpaceMem3};
    space_e closed[] = '{SpaceProgram, SpaceBank0, SpaceBank1, SpaceBankBoth};
    fill_all();
    write_image(image);
    foreach (users[i]) foreach (memories[m]) accesses_beside(users[i], memories[m]);
    foreach (closed[i]) begin
      closed_while_running(closed[i], 1'b0);
      closed_while_running(closed[i], 1'b1);
    end
    foreach (events[i]) clear_around_the_event(events[i]);
    for (int unsigned gap = 0; gap < Window; gap++) start_with_resume(gap);
  endtask

  // Reads and writes of one memory without a pause, from start to stop.
  task accesses_beside(string entry, space_e space);
    start_at(image.entry(entry));
    do begin
      lutra_host_item item = new();
      item.request = access(space, addr_t'($urandom_range(3)), 1'($urandom()), random_row());
      item.posted = 1;
      send(item);
    end while (status.state == StateRunning);
    expect_equal({"state after ", entry}, status.state, StateHalted);
    clear_interrupt();
    read_back(space, 4);
  endtask

  // An access is held until the program has stopped, and then takes place.
  task closed_while_running(space_e space, bit we);
    vec_t data = random_row(), found;
    addr_t row = addr_t'(rows_of(space) - 1);
    start_at(image.entry("stores_tables"));
    if (we) write_row(space, row, data);
    else read_row(space, row, found);
    expect_equal({"state at the grant of ", space.name()}, status.state, StateHalted);
    clear_interrupt();
    if (space != SpaceBankBoth) read_row(space, row, found);
    if (we && space inside {SpaceBank0, SpaceBank1}) expect_equal("the row that was written", found, data);
  endtask

  // One clear, in each cycle of the program in turn; the scoreboard follows the interrupt.
  task clear_around_the_event(string entry);
    for (int unsigned gap = 0; gap < Window; gap++) begin
      host_request_t request = '0;
      request.irq_clear = 1'b1;
      start_at(image.entry(entry));
      beat(request, gap);
      if (status.state == StateRunning) wait_for_stop();
      idle(2);
      clear_interrupt();
    end
  endtask

  // Both pulses in one cycle: ignored while the program runs, and a start once it waits.
  task start_with_resume(int unsigned gap);
    host_request_t request = '0;
    request.start = 1'b1;
    request.resume = 1'b1;
    request.entry = image.entry("halts");
    start_at(image.entry("waits"));
    beat(request, gap);
    wait_for_stop();
    if (!(status.state inside {StateWaiting, StateHalted}))
      `uvm_error("STOP", $sformatf("the program is %s", status.state.name()))
    clear_interrupt();
  endtask

endclass
