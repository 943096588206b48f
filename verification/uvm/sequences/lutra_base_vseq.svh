// Operations on the host port common to all virtual sequences.

class lutra_base_vseq extends uvm_sequence;

  localparam int unsigned Drain = 80;

  // Limit for a program that does not end.
  int unsigned limit = 200_000;
  host_status_t status;  // after the last item

  `uvm_object_utils(lutra_base_vseq)
  `uvm_declare_p_sequencer(lutra_virtual_sequencer)

  function new(string name = "lutra_base_vseq");
    super.new(name);
  endfunction

  // For accesses still in flight.
  virtual task post_body();
    idle(Drain);
  endtask

  task send(lutra_host_item item);
    start_item(item, -1, p_sequencer.host);
    finish_item(item);
    status = item.status;
  endtask

  task beat(host_request_t request, int unsigned gap = 0);
    lutra_host_item item = new();
    item.request = request;
    item.gap = gap;
    send(item);
  endtask

  function host_request_t access(space_e space, addr_t row, bit we, vec_t data);
    host_request_t request = '0;
    request.req = 1'b1;
    request.we = we;
    request.space = space;
    request.row = row;
    request.wdata = data;
    return request;
  endfunction

  task write_row(space_e space, addr_t row, vec_t data);
    beat(access(space, row, 1'b1, data));
  endtask

  task read_row(space_e space, addr_t row, output vec_t data);
    lutra_host_item item = new();
    item.request = access(space, row, 1'b0, '0);
    send(item);
    data = item.rdata;
  endtask

  // The scoreboard compares the data.
  task read_back(space_e space, int unsigned rows);
    for (int unsigned row = 0; row < rows; row++) begin
      lutra_host_item item = new();
      item.request = access(space, addr_t'(row), 1'b0, '0);
      item.posted = 1;
      send(item);
    end
  endtask

  task start_at(addr_t entry, int unsigned gap = 0);
    host_request_t request = '0;
    until_wiped();
    request.start = 1'b1;
    request.entry = entry;
    beat(request, gap);
  endtask

  task resume_it();
    host_request_t request = '0;
    request.resume = 1'b1;
    beat(request);
  endtask

  task clear_interrupt();
    host_request_t request = '0;
    request.irq_clear = 1'b1;
    beat(request);
  endtask

  task idle(int unsigned cycles);
    beat('0, cycles);
  endtask

  task reset(int unsigned cycles, bit mid_cycle);
    lutra_host_item item = new();
    item.kind = HostReset;
    item.cycles = cycles;
    item.mid_cycle = mid_cycle;
    send(item);
  endtask

  task wipe_it();
    host_request_t request = '0;
    request.wipe = 1'b1;
    beat(request);
  endtask

  // A core with WIPE takes no start while it wipes itself.
  task until_wiped();
    while (CoreWipe && status.state == StateWiping) idle(1);
  endtask

  task wait_for_interrupt(int unsigned cycles);
    lutra_host_item item = new();
    item.kind = HostWait;
    item.cycles = cycles;
    send(item);
  endtask

  // Waits until the core has stopped; an interrupt before that is a notify.
  task wait_for_stop();
    wait_for_interrupt(limit);
    while (status.irq && status.state == StateRunning) begin
      clear_interrupt();
      // The clear may have coincided with the interrupt of the stop.
      if (status.state == StateRunning) wait_for_interrupt(limit);
    end
  endtask

  task run_program(addr_t entry, state_e expected);
    start_at(entry);
    wait_for_stop();
    if (status.state != expected)
      `uvm_error("STOP", $sformatf("the program at %04x is %s, expected %s", entry, status.state.name(), expected.name()))
    clear_interrupt();
  endtask

  function void expect_end(trap_e trap);
    state_e state = trap == TrapNone ? StateHalted : StateTrapped;
    if (status.state != state || status.trap != trap)
      `uvm_error("STOP", $sformatf("the program is %s, %s; expected %s, %s", status.state.name(), status.trap.name(),
                                   state.name(), trap.name()))
  endfunction

  function int unsigned rows_of(space_e space);
    if (space == SpaceProgram) return ProgramWords;
    return space inside {SpaceBank0, SpaceBank1, SpaceBankBoth} ? TableRows : MemoryRows;
  endfunction

  task fill(space_e space);
    for (int unsigned row = 0; row < rows_of(space); row++) write_row(space, addr_t'(row), random_row());
  endtask

  // Memories begin with unknown contents, those of the simulator with zero.
  task fill_all();
    space_e spaces[] = '{SpaceMem0, SpaceMem1, SpaceMem2, SpaceMem3, SpaceBank0, SpaceBank1, SpaceProgram};
    foreach (spaces[i]) fill(spaces[i]);
  endtask

  task write_image(lutra_script image);
    foreach (image.steps[i])
      if (image.steps[i].step == lutra_script::StepWrite)
        write_row(image.steps[i].space, image.steps[i].row, image.steps[i].data);
  endtask

  function vec_t random_row();
    return {$urandom(), $urandom(), $urandom(), $urandom()};
  endfunction

  function void expect_equal(string what, logic [VectorBits-1:0] got, logic [VectorBits-1:0] expected);
    if (got !== expected) `uvm_error("EXPECT", $sformatf("%s: %0x, expected %0x", what, got, expected))
  endfunction

endclass
