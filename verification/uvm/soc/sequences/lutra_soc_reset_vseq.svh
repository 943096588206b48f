// Resets in any cycle of any transfer; then everything is as after the first one.

class lutra_soc_reset_vseq extends lutra_soc_base_vseq;

  `uvm_object_utils(lutra_soc_reset_vseq)

  function new(string name = "reset");
    super.new(name);
  endfunction

  virtual task run();
    for (int batch = 0; batch < 10; batch++) begin
      make_room();
      new_pace();
      for (int unsigned ring = 0; ring < Rings; ring++) submit_some(ring, 10);
      clocks($urandom_range($urandom_range(1) == 0 ? 60 : 1000));
      env.coverage.sample_reset(env.activity(), env.core_runs());
      boot(1 + $urandom_range(3), 1'($urandom()));
      for (int unsigned ring = 0; ring < Rings; ring++) submit_some(ring, 3);
      finish();
    end
  endtask

endclass
