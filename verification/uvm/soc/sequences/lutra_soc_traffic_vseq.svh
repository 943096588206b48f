// Messages of all kinds on both rings, with any back-pressure.

class lutra_soc_traffic_vseq extends lutra_soc_base_vseq;

  `uvm_object_utils(lutra_soc_traffic_vseq)

  function new(string name = "traffic");
    super.new(name);
  endfunction

  virtual task run();
    for (int batch = 0; batch < 12; batch++) begin
      make_room();
      new_pace();
      for (int unsigned ring = 0; ring < Rings; ring++) submit_some(ring, 14);
      // More before these are complete.
      if ($urandom_range(1) == 0) begin
        clocks($urandom_range(300));
        doorbell($urandom_range(1));
      end
      finish();
      if (batch % 4 == 3) rows();
    end
  endtask

  // Rows of the core's memories, there and back: of m0 and m1 those of contexts that nobody uses.
  task rows();
    bit [4:0] space = 5'($urandom_range(3));
    int unsigned bytes = 16 * $urandom_range(30, 1);
    lutra_soc_message message = maker.raw(0, 1'b0, space, 16'd150, bytes, $urandom_range(1) == 0);
    put_in(message);
    finish();
    message = maker.raw(0, 1'b1, space, message.aad, bytes, $urandom_range(1) == 0);
    put_in(message);
    put_in(maker.run(0, firmware.stream_reset, $urandom_range(1) == 0 ? 0 : 1000));
    finish();
  endtask

endclass
