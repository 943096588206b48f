// The memory behind the port, and the places in it that answer with an error.

class lutra_axi_memory extends uvm_object;

  axi_address_t base;
  byte unsigned bytes[];
  axi_range_t bad_reads[$], bad_writes[$];

  `uvm_object_utils(lutra_axi_memory)

  function new(string name = "lutra_axi_memory");
    super.new(name);
  endfunction

  // Each byte has another value than its neighbours.
  function void allocate(axi_address_t first, int unsigned size);
    base = first;
    bytes = new[size];
    foreach (bytes[i]) bytes[i] = 8'(8'ha5 ^ (i * 7));
  endfunction

  function bit has(axi_address_t address);
    return address >= base && address - base < AddressBits'(bytes.size());
  endfunction

  // The index is a variable: Verilator 5.052 does not take a cast as the index of a dynamic array.
  function byte unsigned get(axi_address_t address);
    int at = int'(address - base);
    return bytes[at];
  endfunction

  function void put(axi_address_t address, byte unsigned value);
    int at = int'(address - base);
    bytes[at] = value;
  endfunction

  function bit refuses_read(axi_address_t beat);
    foreach (bad_reads[i])
      if (beat + AddressBits'(Lanes) > bad_reads[i].first && beat < bad_reads[i].first + AddressBits'(bad_reads[i].bytes))
        return 1'b1;
    return 1'b0;
  endfunction

  function bit refuses_write(axi_address_t address);
    foreach (bad_writes[i])
      if (address >= bad_writes[i].first && address - bad_writes[i].first < AddressBits'(bad_writes[i].bytes)) return 1'b1;
    return 1'b0;
  endfunction

  function void heal();
    bad_reads.delete();
    bad_writes.delete();
  endfunction

endclass
