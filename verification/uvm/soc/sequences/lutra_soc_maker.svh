// Makes messages: random ones of all operations, ones with a mistake, and strings for them in memory.
//
// A ring has key contexts of its own. Those from `Kept` on are set and dropped at random; a foreign ring tries the first
// one only, which is always set, so that what it gets does not depend on which ring is first.

class lutra_soc_maker extends uvm_object;

  localparam int unsigned Contexts = 6, Kept = 4, PerRing = 12;
  localparam int unsigned Guard = 24;

  typedef struct {
    bit set;
    bit [10:0] generation;
    bit [3:0] class_;
  } context_t;

  lutra_soc_host host;
  lutra_soc_firmware firmware;
  axi_address_t next[Rings];
  context_t contexts[Rings][Contexts];
  lutra_soc_message sealed[$];  // complete messages with a tag, for others to open
  axi_range_t pieces[$];        // of the last call of place()

  `uvm_object_utils(lutra_soc_maker)

  function new(string name = "maker");
    super.new(name);
  endfunction

  // ---------------------------------------------------------------------------------- strings
  function void forget_strings();
    for (int unsigned ring = 0; ring < Rings; ring++) next[ring] = ring_base(ring) + AddressBits'(BuffersAt);
    sealed.delete();
  endfunction

  function int unsigned room(int unsigned ring);
    return int'(ring_base(ring) + AddressBits'(RingBytes) - next[ring]);
  endfunction

  // A place that does not share a beat with another one.
  function axi_address_t take(int unsigned ring, int unsigned bytes, int unsigned alignment, int unsigned lane);
    axi_address_t at = (next[ring] + AddressBits'(Guard + alignment - 1)) / AddressBits'(alignment) * AddressBits'(alignment);
    at += AddressBits'(lane);
    next[ring] = at + AddressBits'(bytes);
    return at;
  endfunction

  // A string in one piece, or as a list whose address is returned; the pieces are in `pieces`.
  function axi_address_t place(int unsigned ring, int unsigned bytes, bit list, ref axi_range_t lists[$]);
    int unsigned left = bytes, count = 0;
    axi_address_t at;
    pieces.delete();
    if (!list) begin
      at = take(ring, bytes, 16, $urandom_range(15));
      if (bytes != 0) pieces.push_back('{at, bytes});
      return at;
    end
    while (left != 0 || count == 0) begin
      int unsigned part = left <= 1 || count == 3 || $urandom_range(2) == 0 ? left : $urandom_range(left - 1, 1);
      if (part == 0) part = 1;  // a list for nothing
      // The list may have more than its string.
      if (part == left && $urandom_range(3) == 0) part += $urandom_range(20);
      pieces.push_back('{take(ring, part, 16, $urandom_range(15)), part});
      left = part >= left ? 0 : left - part;
      count++;
    end
    at = take(ring, ElementSize * count, 16, 0);
    lists.push_back('{at, ElementSize * count});
    foreach (pieces[i])
      host.put_element(at + AddressBits'(ElementSize * i), 64'(pieces[i].first), pieces[i].bytes, 32'(i == int'(count) - 1));
    return at;
  endfunction

  function void fill(const ref axi_range_t ranges[$]);
    foreach (ranges[i])
      for (int unsigned b = 0; b < ranges[i].bytes; b++) host.put(ranges[i].first + AddressBits'(b), 8'($urandom()));
  endfunction

  // --------------------------------------------------------------------------------- messages
  function int unsigned length_of(operation_t operation);
    int unsigned length;
    case ($urandom_range(11))
      0: length = 0;
      1: length = $urandom_range(15, 1);
      2: length = 16;
      3, 4: length = 16 * $urandom_range(12, 2);
      5: length = 1024;
      6: length = $urandom_range(2500, 1000);
      default: length = $urandom_range(200, 17);
    endcase
    return operation.whole_blocks ? length / 16 * 16 : length;
  endfunction

  // An operation that is neither for keys nor misbehaves.
  function int unsigned pick_operation(bit checks);
    int unsigned n;
    do n = $urandom_range(firmware.count - 1);
    while (firmware.operation(n).sets_key || firmware.misbehaves[n] || firmware.operation(n).checks_tag != checks);
    return n;
  endfunction

  // A context with a key for an operation; -1 without one.
  function int pick_context(int unsigned ring, bit [3:0] class_);
    int unsigned first = $urandom_range(Contexts - 1);
    for (int unsigned i = 0; i < Contexts; i++) begin
      int unsigned n = (first + i) % Contexts;
      if (contexts[ring][n].set && contexts[ring][n].class_ == class_) return n;
    end
    return -1;
  endfunction

  function lutra_soc_message fresh(int unsigned ring);
    lutra_soc_message message = new("message");
    message.ring = ring;
    message.interrupt = $urandom_range(3) == 0;
    foreach (message.iv[i]) message.iv[i] = 8'($urandom());
    return message;
  endfunction

  // Sets a key, or drops it.
  function lutra_soc_message set_key(int unsigned ring, int unsigned n, int unsigned operation, bit drop = 1'b0);
    lutra_soc_message message = fresh(ring);
    message.kind = drop ? KindDropKey : KindSetKey;
    message.operation = 8'(operation);
    message.inlined = 1'b1;
    message.context_ = 5'(PerRing * ring + n);
    message.generation = 11'($urandom());
    message.length = drop ? 0 : firmware.key_bytes[operation];
    for (int i = 0; i < 32; i++) message.tail.push_back(i < int'(message.length) ? 8'($urandom()) : 8'd0);
    contexts[ring][n] = '{!drop, message.generation, firmware.operation(operation).class_};
    return message;
  endfunction

  function int unsigned pick_key_operation();
    int unsigned n;
    do n = $urandom_range(firmware.count - 1); while (!firmware.operation(n).sets_key);
    return n;
  endfunction

  // Keys in all contexts: those that are kept are of every class.
  function void set_all_keys(int unsigned ring, ref lutra_soc_message messages[$]);
    int unsigned n = 0;
    for (int unsigned i = 0; n < Contexts; i = (i + 1) % firmware.count)
      if (firmware.operation(i).sets_key) messages.push_back(set_key(ring, n++, i));
  endfunction

  // Where an operation finds its key; 0 without a key for it.
  function bit give_key(lutra_soc_message message, operation_t operation);
    int found = pick_context(message.ring, operation.class_);
    if (operation.inline_key) begin
      int unsigned bytes = firmware.key_bytes[message.operation];
      for (int i = 0; i < 16; i++) message.tail.push_back(i < int'(bytes) ? 8'($urandom()) : 8'd0);
      // One that uses a context too overwrites it.
      if (!operation.uses_key) return 1'b1;
      found = Kept + $urandom_range(Contexts - Kept - 1);
      contexts[message.ring][found].set = 1'b0;
    end
    if (!operation.uses_key) return 1'b1;
    if (found < 0) return 1'b0;
    message.context_ = 5'(PerRing * message.ring + found);
    message.generation = contexts[message.ring][found].generation;
    return 1'b1;
  endfunction

  function bit set_strings(lutra_soc_message message, operation_t operation);
    int unsigned out_bytes, tag_in = operation.checks_tag ? int'(message.tag) : 0;
    axi_range_t aads[$];
    out_bytes = (operation.mac ? 0 : message.length) + (operation.makes_tag ? int'(message.tag) : 0);
    if (room(message.ring) < message.length + out_bytes + int'(message.aad) + 1000) return 1'b0;
    if (message.inlined) begin
      for (int i = 0; i < 24; i++) message.tail.push_back(8'($urandom()));
    end else begin
      message.source = 64'(place(message.ring, message.length + tag_in, message.gather, message.lists));
      message.sources = pieces;
    end
    if (message.aad != 0) begin
      message.aad_address = 64'(place(message.ring, int'(message.aad), 1'b0, message.lists));
      aads = pieces;
    end
    fill(message.sources);
    fill(aads);
    foreach (aads[i]) message.sources.push_back(aads[i]);
    message.destination = 64'(place(message.ring, out_bytes, message.scatter, message.lists));
    message.destinations = pieces;
    return 1'b1;
  endfunction

  // A message that is right in itself; null where there is neither memory nor key for it.
  function lutra_soc_message ordinary(int unsigned ring, int operation_wanted = -1);
    lutra_soc_message message = fresh(ring);
    int unsigned n = operation_wanted < 0 ? pick_operation(1'b0) : operation_wanted;
    operation_t operation = firmware.operation(n);
    message.operation = 8'(n);
    message.length = length_of(operation);
    message.scatter = $urandom_range(3) == 0;
    if (operation.makes_tag) message.tag = 5'($urandom_range(16, 1));
    if (!operation.inline_key && $urandom_range(4) == 0) begin
      message.inlined = 1'b1;
      message.length = operation.whole_blocks ? 16 * $urandom_range(1) : $urandom_range(24);
    end else begin
      message.gather = $urandom_range(3) == 0;
      if (operation.takes_aad)
        message.aad = 16'($urandom_range(3) == 0 ? 0 : $urandom_range(9) == 0 ? $urandom_range(1500) : $urandom_range(60));
    end
    if (operation.inline_key) message.kind = KindOnce;
    else if (operation.mac) message.kind = KindMac;
    else message.kind = operation.makes_tag ? KindSeal : KindCrypt;
    if (!give_key(message, operation) || !set_strings(message, operation)) return null;
    return message;
  endfunction

  // Opens a message that was sealed before, or fails to. `sealed` has those whose result is in memory.
  function lutra_soc_message opening(int unsigned ring);
    lutra_soc_message from, message;
    int unsigned n, at = 0;
    byte unsigned text[$];
    operation_t operation;
    foreach (sealed[i]) if (from == null && sealed[i].ring == ring && $urandom_range(1) == 0) from = sealed[i];
    if (from == null) return null;
    n = pick_operation(1'b1);
    operation = firmware.operation(n);
    if (operation.class_ != firmware.operation(int'(from.operation)).class_) return null;
    message = fresh(ring);
    message.kind = KindOpen;
    message.operation = 8'(n);
    message.context_ = from.context_;
    message.generation = from.generation;
    message.iv = from.iv;
    message.length = from.length;
    message.aad = from.inlined ? 16'd0 : from.aad;
    message.tag = from.tag;
    message.gather = $urandom_range(3) == 0;
    message.scatter = $urandom_range(3) == 0;
    if (!set_strings(message, operation)) return null;
    // Text and tag are what the other message put out, associated data are the same.
    foreach (from.destinations[i])
      for (int unsigned b = 0; b < from.destinations[i].bytes; b++)
        text.push_back(host.memory.get(from.destinations[i].first + AddressBits'(b)));
    foreach (message.sources[i])
      for (int unsigned b = 0; b < message.sources[i].bytes; b++)
        if (at < message.length + int'(message.tag)) host.put(message.sources[i].first + AddressBits'(b), text[at++]);
    if (message.aad != 0)
      for (int unsigned b = 0; b < int'(message.aad); b++)
        host.put(AddressBits'(message.aad_address) + AddressBits'(b), host.memory.get(AddressBits'(from.aad_address) + AddressBits'(b)));
    if ($urandom_range(2) == 0 && message.sources.size() != 0)
      host.put(message.sources[0].first, ~host.memory.get(message.sources[0].first));
    return message;
  endfunction

  // Rows of a memory, from memory or to it. Row 0 of m0 to m3 may be anything; the stream is reset afterwards.
  function lutra_soc_message raw(int unsigned ring, bit reads, bit [4:0] space, bit [15:0] row, int unsigned bytes,
                                 bit list = 1'b0);
    lutra_soc_message message = fresh(ring);
    message.kind = reads ? KindRead : KindWrite;
    message.operation = reads ? RawRead : RawWrite;
    message.length = bytes;
    message.aad = row;
    message.tag = space;
    message.gather = list && !reads;
    message.scatter = list && reads;
    if (room(ring) < bytes + 1000) return null;
    if (reads) begin
      message.destination = 64'(place(ring, bytes, list, message.lists));
      message.destinations = pieces;
    end else begin
      message.source = 64'(place(ring, bytes, list, message.lists));
      message.sources = pieces;
      fill(message.sources);
    end
    return message;
  endfunction

  function lutra_soc_message run(int unsigned ring, bit [15:0] entry, int unsigned cycles);
    lutra_soc_message message = fresh(ring);
    message.kind = KindRun;
    message.operation = RawRun;
    message.aad = entry;
    message.length = cycles;
    return message;
  endfunction

  // Any of them.
  function lutra_soc_message any(int unsigned ring);
    case ($urandom_range(11))
      0: begin
        int unsigned n = Kept + $urandom_range(Contexts - Kept - 1);
        return set_key(ring, n, pick_key_operation(), $urandom_range(2) == 0);
      end
      1, 2: return opening(ring);
      default: return ordinary(ring);
    endcase
  endfunction

endclass
