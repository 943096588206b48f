// Jobs with the next start, and the next accesses, as close to the stop as the port allows.

class lutra_back_to_back_vseq extends lutra_base_vseq;

  lutra_script image;

  `uvm_object_utils(lutra_back_to_back_vseq)

  function new(string name = "lutra_back_to_back_vseq");
    super.new(name);
  endfunction

  virtual task body();
    string entries[] = '{"halts", "waits", "stores", "trap_illegal", "notifies"};
    fill_all();
    write_image(image);
    repeat (40) begin
      host_request_t request = '0;
      request.start = 1'b1;
      request.entry = image.entry(entries[$urandom_range(entries.size() - 1)]);
      request.irq_clear = 1'b1;
      // An access in the same cycle as the start.
      if ($urandom_range(1)) begin
        request.req = 1'b1;
        request.we = 1'b1;
        request.space = space_e'($urandom_range(6));
        request.row = addr_t'($urandom_range(7));
        request.wdata = random_row();
      end
      beat(request, $urandom_range(3));
      wait_for_stop();
    end
    start_in_every_cycle();
    clear_interrupt();
    read_back(SpaceMem3, 8);
  endtask

  // A start that is held since before the stop takes effect in the first cycle in which the core is stopped.
  task start_in_every_cycle();
    start_at(image.entry("stores"));
    repeat (200) start_at(image.entry("halts"));
    wait_for_stop();
  endtask

endclass
