// Errors of the bus in every phase: descriptor, list, source, destination, completion.

class lutra_soc_errors_vseq extends lutra_soc_base_vseq;

  `uvm_object_utils(lutra_soc_errors_vseq)

  function new(string name = "errors");
    super.new(name);
  endfunction

  virtual task run();
    for (int batch = 0; batch < 12; batch++) begin
      bit ring = 1'($urandom());
      make_room();
      new_pace();
      for (int unsigned r = 0; r < Rings; r++) fill_ring(r);
      // Messages may fail in any phase; a ring may stop.
      for (int i = 0; i < 3; i++) refuse_string(1'($urandom()));
      if (batch % 3 == 1) refuse_descriptor(ring);
      if (batch % 3 == 2) refuse_completion(ring);
      finish();
      heal();
      for (int unsigned r = 0; r < Rings; r++) if (expects_stop[r]) restart_ring(r);
    end
  endtask

  // Without keys that come and go: whether a key job fails must not depend on when its ring stops.
  task fill_ring(int unsigned ring);
    int unsigned count = host.room(ring) > 10 ? 10 : host.room(ring);
    for (int unsigned i = 0; i < count; i++) begin
      lutra_soc_message message = $urandom_range(3) == 0 ? maker.opening(ring) : maker.ordinary(ring);
      if (message != null) put_in(message);
    end
  endtask

  function void refuse(bit write, axi_address_t first, int unsigned bytes);
    axi_range_t range = '{first, bytes};
    if (write) host.memory.bad_writes.push_back(range);
    else host.memory.bad_reads.push_back(range);
    lutra_soc_reference_fail(write, longint'(first), int'(bytes));
  endfunction

  task heal();
    host.memory.heal();
    lutra_soc_reference_heal();
  endtask

  // A beat of a string or list of any message of a ring.
  function void refuse_string(bit ring);
    lutra_soc_message message;
    axi_range_t range;
    if (host.messages[ring].size() == 0) return;
    message = host.messages[ring][$urandom_range(host.messages[ring].size() - 1)];
    case ($urandom_range(2))
      0: if (message.sources.size() == 0) return; else range = message.sources[$urandom_range(message.sources.size() - 1)];
      1: if (message.lists.size() == 0) return; else range = message.lists[$urandom_range(message.lists.size() - 1)];
      default: begin
        if (message.destinations.size() == 0) return;
        range = message.destinations[$urandom_range(message.destinations.size() - 1)];
        range.first += AddressBits'($urandom_range(range.bytes - 1));
        refuse(1'b1, range.first & ~40'd7, 8);
        return;
      end
    endcase
    range.first += AddressBits'($urandom_range(range.bytes - 1));
    refuse(1'b0, range.first & ~40'd7, 8);
  endfunction

  function void refuse_descriptor(bit ring);
    int unsigned at;
    if (host.messages[ring].size() == 0) return;
    at = $urandom_range(host.messages[ring].size() - 1);
    refuse(1'b0, host.descriptor_at(ring, host.messages[ring][at].index) + AddressBits'(8 * $urandom_range(7)), 8);
    expects_stop[ring] = 1'b1;
  endfunction

  function void refuse_completion(bit ring);
    int unsigned at;
    if (host.messages[ring].size() == 0) return;
    at = $urandom_range(host.messages[ring].size() - 1);
    refuse(1'b1, host.completion_at(ring, host.messages[ring][at].index), 16);
    expects_stop[ring] = 1'b1;
  endfunction

endclass
