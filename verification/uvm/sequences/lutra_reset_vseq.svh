// A reset in every phase of a job, of any length, on a clock edge or between two.

class lutra_reset_vseq extends lutra_base_vseq;

  lutra_script image;

  `uvm_object_utils(lutra_reset_vseq)

  function new(string name = "lutra_reset_vseq");
    super.new(name);
  endfunction

  virtual task body();
    fill_all();
    write_image(image);
    for (int unsigned at = 0; at < 40; at++) begin
      start_at(image.entry("stores"));
      idle(at);
      reset($urandom_range(3, 1), at[0]);
      read_back(SpaceMem3, 8);
      expect_equal("state", status.state, StateIdle);
      expect_equal("interrupt", status.irq, 1'b0);
    end
    foreach_state();
    run_program(image.entry("halts"), StateHalted);
  endtask

  task foreach_state();
    string entries[] = '{"halts", "waits", "trap_illegal"};
    foreach (entries[i]) begin
      start_at(image.entry(entries[i]));
      wait_for_stop();
      reset(1, 1'($urandom()));
      until_wiped();
      expect_equal("state", status.state, StateIdle);
      resume_it();  // there is no waiting program any more
      idle(4);
      expect_equal("state", status.state, StateIdle);
    end
  endtask

endclass
