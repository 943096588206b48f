// The host's view: memory, rings in it, and the descriptors that are with the device. What the host writes to memory is
// in the memory of the reference too.

class lutra_soc_host extends uvm_object;

  lutra_axi_memory memory;
  bit big;
  int unsigned log2[Rings];
  int unsigned tail[Rings];               // descriptors written since the ring was enabled
  lutra_soc_message messages[Rings][$];   // those that have not been checked, in their order
  int unsigned next_cookie = 32'h1000;

  `uvm_object_utils(lutra_soc_host)

  function new(string name = "host");
    super.new(name);
  endfunction

  function void put(axi_address_t address, byte unsigned value);
    memory.put(address, value);
    lutra_soc_reference_put(longint'(address), int'(value));
  endfunction

  function void put_word(axi_address_t address, bit [31:0] word);
    for (int i = 0; i < 4; i++) put(address + AddressBits'(i), word[8*(big ? 3 - i : i)+:8]);
  endfunction

  function void put_element(axi_address_t address, bit [63:0] first, bit [31:0] bytes, bit [31:0] flags);
    put_word(address + AddressBits'(4 * ElementAddressLow), first[31:0]);
    put_word(address + AddressBits'(4 * ElementAddressHigh), first[63:32]);
    put_word(address + AddressBits'(4 * ElementLength), bytes);
    put_word(address + AddressBits'(4 * ElementFlags), flags);
  endfunction

  function int unsigned size(int unsigned ring);
    return 1 << log2[ring];
  endfunction

  function axi_address_t descriptor_at(int unsigned ring, int unsigned index);
    return ring_base(ring) + AddressBits'(DescriptorSize * (index % size(ring)));
  endfunction

  function axi_address_t completion_at(int unsigned ring, int unsigned index);
    return ring_base(ring) + AddressBits'(CompletionsAt + CompletionSize * (index % size(ring)));
  endfunction

  // A descriptor into its ring; the doorbell is another step.
  function void submit(lutra_soc_message message);
    byte unsigned bytes[$];
    message.index = tail[message.ring]++;
    message.cookie = next_cookie++;
    message.pack_bytes(big, bytes);
    foreach (bytes[i]) put(descriptor_at(message.ring, message.index) + AddressBits'(i), bytes[i]);
    messages[message.ring].push_back(message);
  endfunction

  function int unsigned room(int unsigned ring);
    return size(ring) - messages[ring].size();
  endfunction

  function bit [63:0] word_at(axi_address_t address);
    for (int i = 0; i < 8; i++) word_at[8*i+:8] = memory.get(address + AddressBits'(i));
  endfunction

  // The completion of a descriptor; null if it is not there.
  function lutra_soc_completion completion(int unsigned ring, int unsigned index);
    axi_address_t at = completion_at(ring, index);
    lutra_soc_completion found = new("completion");
    found.unpack_words(word_at(at), word_at(at + 40'd8), big);
    return found.result.phase == ((index >> log2[ring]) & 1) ? null : found;
  endfunction

  // Completions of the descriptors that are with the device.
  function int unsigned completed(int unsigned ring);
    foreach (messages[ring][i]) if (completion(ring, messages[ring][i].index) == null) return i;
    return messages[ring].size();
  endfunction

  // A ring that begins anew.
  function void clear_ring(int unsigned ring);
    for (int unsigned i = 0; i < CompletionSize * size(ring); i++)
      put(ring_base(ring) + AddressBits'(CompletionsAt + i), 8'd0);
    tail[ring] = 0;
    messages[ring].delete();
  endfunction

  // Bytes that the device may have written in another way than the reference.
  function void take_over(axi_address_t first, int unsigned bytes);
    for (int unsigned i = 0; i < bytes; i++)
      if (memory.has(first + AddressBits'(i)))
        lutra_soc_reference_put(longint'(first) + i, int'(memory.get(first + AddressBits'(i))));
  endfunction

endclass
