// Firmware that traps, does not end or stops in silence. It fails what is in flight, in bounded time, and takes all keys.

class lutra_soc_trap_vseq extends lutra_soc_base_vseq;

  `uvm_object_utils(lutra_soc_trap_vseq)

  function new(string name = "trap");
    super.new(name);
  endfunction

  virtual task run();
    for (int unsigned n = 0; n < firmware.count; n++) begin
      if (!firmware.misbehaves[n]) continue;
      for (int unsigned ring = 0; ring < Rings; ring++) begin
        new_pace();
        make_room();
        // Alone, since what else fails depends on what else is in flight.
        put_in(misbehaving(ring, n));
        finish();
        // The keys are gone.
        for (int i = 0; i < 2; i++) submit_some(ring, 1);
        finish();
        set_keys();
        for (int unsigned r = 0; r < Rings; r++) submit_some(r, 4);
        finish();
      end
    end
    for (int unsigned n = 0; n < firmware.count; n++)
      if (firmware.misbehaves[n]) begin
        put_in(maker.run(0, firmware.operation(n).entry, 300));
        finish();
        set_keys();
      end
  endtask

  function lutra_soc_message misbehaving(int unsigned ring, int unsigned n);
    lutra_soc_message message;
    do message = maker.ordinary(ring, n); while (message == null || message.length > 1000);
    return message;
  endfunction

endclass
