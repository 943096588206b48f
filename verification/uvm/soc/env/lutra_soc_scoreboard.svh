// Compares completions and the whole memory with the device model, which does a batch of descriptors after the device
// has done it; and looks at every access on the bus while the device is at work: nothing but the strings of descriptors
// in flight is read or written, and a completion is not written before its data are.

class lutra_soc_scoreboard extends uvm_subscriber #(lutra_axi_item);

  // Elements are fetched so many bytes at a time.
  localparam int unsigned LineBytes = ElementSize * lutra_soc_pkg::LineElements;

  // A batch in cycles of the model.
  localparam longint Enough = 64'd4_000_000;

  lutra_soc_host host;
  lutra_axi_uvm_pkg::lutra_axi regs;
  lutra_soc_coverage coverage;

  axi_range_t unanswered[$];  // bursts of data, in the order of their requests
  int unsigned completions, accesses, batches;

  `uvm_component_utils(lutra_soc_scoreboard)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  function void reset();
    unanswered.delete();
    lutra_soc_reference_reset();
  endfunction

  // ------------------------------------------------------------------------------ accesses
  virtual function void write(lutra_axi_item t);
    accesses++;
    case (t.channel)
      AxiAr: check_read(t);
      AxiAw: begin
        if (t.id == '0) unanswered.push_back('{t.address, span(t)});
        else check_completion(t);
      end
      AxiW: check_write(t);
      AxiB: if (t.id == '0) void'(unanswered.pop_front());
      default: ;
    endcase
  endfunction

  // Bytes from the address of a burst to the end of its last beat.
  function int unsigned span(lutra_axi_item t);
    return Lanes * t.beats - int'(t.address % AddressBits'(Lanes));
  endfunction

  function bit overlap(axi_range_t a, axi_range_t b);
    return a.first < b.first + AddressBits'(b.bytes) && b.first < a.first + AddressBits'(a.bytes);
  endfunction

  function bit inside_one(axi_range_t beat, const ref axi_range_t ranges[$]);
    foreach (ranges[i]) if (overlap(beat, ranges[i])) return 1'b1;
    return 1'b0;
  endfunction

  // Elements are read to the end of the 64 bytes that the last of them is in.
  function bit inside_line(axi_range_t beat, const ref axi_range_t lists[$]);
    foreach (lists[i]) begin
      axi_range_t read = lists[i];
      read.bytes = int'(((lists[i].first + AddressBits'(lists[i].bytes) + AddressBits'(LineBytes - 1)) &
                         ~AddressBits'(LineBytes - 1)) - lists[i].first);
      if (overlap(beat, read)) return 1'b1;
    end
    return 1'b0;
  endfunction

  // The message of a ring whose slot of so many bytes has an address.
  function lutra_soc_message at_slot(axi_address_t address, axi_address_t area, int unsigned bytes, int unsigned ring);
    foreach (host.messages[ring][i])
      if (!host.messages[ring][i].posted &&
          host.messages[ring][i].index % host.size(ring) == int'(address - area) / bytes)
        return host.messages[ring][i];
    return null;
  endfunction

  function void check_read(lutra_axi_item t);
    for (int unsigned beat = 0; beat < t.beats; beat++) begin
      axi_range_t range;
      bit known = 1'b0;
      range.first = (t.address & ~AddressBits'(Lanes - 1)) + AddressBits'(Lanes * beat);
      range.bytes = Lanes;
      for (int unsigned ring = 0; ring < Rings && !known; ring++) begin
        if (t.id == '0) begin
          known = range.first >= ring_base(ring) && range.first < ring_base(ring) + AddressBits'(CompletionsAt) &&
                  at_slot(range.first, ring_base(ring), DescriptorSize, ring) != null;
        end else begin
          foreach (host.messages[ring][i]) begin
            lutra_soc_message message = host.messages[ring][i];
            if (message.posted || known) continue;
            known = t.id == 3'd3 ? inside_one(range, message.sources) : inside_line(range, message.lists);
            if (known) message.touched = 1'b1;
          end
        end
      end
      if (!known) `uvm_error("READ", $sformatf("%010x is read, by id %0d: nobody asked for it", range.first, t.id))
    end
  endfunction

  function void check_write(lutra_axi_item t);
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      axi_address_t address = t.address + AddressBits'(lane);
      bit known = 1'b0;
      if (!t.strobes[lane]) continue;
      for (int unsigned ring = 0; ring < Rings && !known; ring++) begin
        axi_address_t area = ring_base(ring) + AddressBits'(CompletionsAt);
        if (t.id != '0) known = address >= area && address < ring_base(ring) + AddressBits'(BuffersAt);
        else begin
          foreach (host.messages[ring][i])
            if (!known && !host.messages[ring][i].posted && host.messages[ring][i].writes_to(address)) begin
              known = 1'b1;
              host.messages[ring][i].touched = 1'b1;
            end
        end
      end
      if (!known) `uvm_error("WRITE", $sformatf("%010x is written, by id %0d: it belongs to no descriptor in work", address, t.id))
    end
  endfunction

  // The data of its message are in memory. The half with the phase comes last.
  function void check_completion(lutra_axi_item t);
    lutra_soc_message message;
    for (int unsigned ring = 0; ring < Rings; ring++) begin
      axi_address_t area = ring_base(ring) + AddressBits'(CompletionsAt);
      if (t.address >= area && t.address < area + AddressBits'(CompletionSize * host.size(ring)))
        message = at_slot(t.address, area, CompletionSize, ring);
    end
    if (message == null) begin
      `uvm_error("COMPLETION", $sformatf("a completion at %010x, where none is due", t.address))
      return;
    end
    foreach (unanswered[i])
      foreach (message.destinations[j])
        if (overlap(unanswered[i], message.destinations[j]))
          `uvm_error("COMPLETION", {"written before the answer to its data: ", message.convert2string()})
    if (t.address % AddressBits'(CompletionSize) == '0) message.posted = 1'b1;
  endfunction

  // ------------------------------------------------------------------------------- batches
  function void tell(uvm_reg register, int unsigned value);
    lutra_soc_reference_write(int'(register.get_address()), int'(value));
  endfunction

  function int unsigned reference_of(uvm_reg register);
    return lutra_soc_reference_read(int'(register.get_address()));
  endfunction

  function void work();
    if (!lutra_soc_reference_run(Enough)) `uvm_error("REFERENCE", "the model does not come to an end")
  endfunction

  // Everything that is with the device. aborts: rings that were aborted; what the device completed before is what the
  // model does, the rest it aborts too.
  function void check_batch(bit [Rings-1:0] aborts);
    batches++;
    for (int unsigned ring = 0; ring < Rings; ring++)
      tell(regs.ring[ring].tail, host.tail[ring] - host.messages[ring].size() + (aborts[ring] ? done_before(ring) :
                                 host.messages[ring].size()));
    work();
    if (aborts != '0) begin
      for (int unsigned ring = 0; ring < Rings; ring++)
        if (aborts[ring]) begin
          tell(regs.ring[ring].control, 3);
          tell(regs.ring[ring].tail, host.tail[ring]);
        end
      work();
      for (int unsigned ring = 0; ring < Rings; ring++) if (aborts[ring]) tell(regs.ring[ring].control, 1);
    end
    for (int unsigned ring = 0; ring < Rings; ring++) check_ring(ring);
    check_memory();
    for (int unsigned ring = 0; ring < Rings; ring++) host.messages[ring].delete();
  endfunction

  // Descriptors in front of the first aborted one.
  function int unsigned done_before(int unsigned ring);
    foreach (host.messages[ring][i]) begin
      lutra_soc_completion found = host.completion(ring, host.messages[ring][i].index);
      if (found == null || found.result.status == StatusAborted) return i;
    end
    return host.messages[ring].size();
  endfunction

  function lutra_soc_completion expected(lutra_soc_message message);
    longint at = longint'(host.completion_at(message.ring, message.index));
    lutra_soc_completion found = new("expected");
    found.unpack_words(lutra_soc_reference_word(at), lutra_soc_reference_word(at + 8), host.big);
    return found;
  endfunction

  function void check_ring(int unsigned ring);
    bit lost = (reference_of(regs.ring[ring].state) & 2) != 0;
    foreach (host.messages[ring][i]) begin
      lutra_soc_message message = host.messages[ring][i];
      lutra_soc_completion found = host.completion(ring, message.index), wanted = expected(message);
      axi_address_t at = host.completion_at(ring, message.index);
      bit due = wanted.result.phase != ((message.index >> host.log2[ring]) & 1);
      if (!due && lost) begin
        // The ring has stopped here. What follows may have been done, and a completion after one that the bus refused
        // may be in memory, where nobody looks for it.
        if (found != null && stop_reason(ring) != StatusWriteError)
          `uvm_error("STOP", {"completed although the ring stopped before: ", message.convert2string()})
        forgive(message);
        host.take_over(at, CompletionSize);
        continue;
      end
      if (found == null) begin
        `uvm_error("MISSING", {"no completion of ", message.convert2string()})
        continue;
      end
      completions++;
      message.status = found.result.status;
      compare(message, found, wanted);
      if (is_partial(found, wanted)) begin
        // What the bus refused may be written in part, and `bytes` may count it. Chunks before one whose source has an
        // error, or whose tag is wrong, are written or not: the error may be known before their turn.
        forgive(message);
        host.take_over(at + 40'd8, 8);
      end else host.take_over(at + 40'd12, 4);  // cycles
      coverage.sample_message(message, host);
    end
  endfunction

  function bit [3:0] stop_reason(int unsigned ring);
    return 4'(reference_of(regs.ring[ring].state) >> regs.ring[ring].state.reason.get_lsb_pos());
  endfunction

  function void compare(lutra_soc_message message, lutra_soc_completion found, lutra_soc_completion wanted);
    bit [31:0] bytes = is_partial(found, wanted) ? found.bytes : wanted.bytes;
    if (found.cookie != wanted.cookie || found.result != wanted.result || found.bytes != bytes)
      `uvm_error("COMPLETION", $sformatf("%s\n  - model: %s\n  + RTL:   %s", message.convert2string(),
                                         wanted.convert2string(), found.convert2string()))
    if (message.touched &&
        found.result.status inside {StatusBadOperation, StatusBadKey, StatusBadLength, StatusNotPermitted})
      `uvm_error("TOUCHED", {"was refused, and its strings were accessed: ", message.convert2string()})
  endfunction

  function bit is_partial(lutra_soc_completion found, lutra_soc_completion wanted);
    return found.result.status inside {StatusWriteError, StatusBadAddress} ||
           (found.result.status inside {StatusReadError, StatusBadDescriptor, StatusTagMismatch} &&
            found.bytes < wanted.bytes);
  endfunction

  function void forgive(lutra_soc_message message);
    foreach (message.destinations[i]) host.take_over(message.destinations[i].first, message.destinations[i].bytes);
  endfunction

  function void check_memory();
    for (int unsigned at = 0; at < MemoryBytes; at += 8) begin
      axi_address_t address = MemoryBase + AddressBits'(at);
      bit [63:0] found = host.word_at(address), wanted = lutra_soc_reference_word(longint'(address));
      if (found == wanted) continue;
      // Byte 0 first.
      found = {<<8{found}};
      wanted = {<<8{wanted}};
      `uvm_error("MEMORY", $sformatf("%010x is %016x, not %016x; %s", address, found, wanted, owner(address)))
      return;
    end
  endfunction

  function string owner(axi_address_t address);
    for (int unsigned ring = 0; ring < Rings; ring++)
      foreach (host.messages[ring][i])
        for (int b = 0; b < 8; b++)
          if (host.messages[ring][i].writes_to(address + AddressBits'(b))) return host.messages[ring][i].convert2string();
    return "no descriptor writes there";
  endfunction

  function void check_register(uvm_reg register, int unsigned value);
    if (value != reference_of(register))
      `uvm_error("REGISTER", $sformatf("%s is %08x, not %08x", register.get_full_name(), value, reference_of(register)))
  endfunction

  virtual function void check_phase(uvm_phase phase);
    if (completions == 0) `uvm_error("EMPTY", "nothing has been compared")
  endfunction

  virtual function void report_phase(uvm_phase phase);
    `uvm_info("SCOREBOARD", $sformatf("%0d completions in %0d batches, %0d handshakes of the bus compared", completions,
                                      batches, accesses), UVM_LOW)
  endfunction

endclass
