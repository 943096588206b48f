// A descriptor, and where its strings are.

class lutra_soc_message extends uvm_object;

  int unsigned ring;
  kind_e kind;
  wrong_e wrong;

  bit [7:0] operation;
  bit gather, scatter, inlined, interrupt;
  bit [4:0] context_;
  bit [10:0] generation;
  bit [3:0] control_bits;   // reserved ones
  bit [10:0] extra_bits;
  bit [31:0] cookie, length;
  bit [15:0] aad;
  bit [4:0] tag;
  byte unsigned iv[16];
  bit [63:0] source, destination, aad_address, reserved;
  byte unsigned tail[$];    // in place of the last bytes

  axi_range_t sources[$], destinations[$], lists[$];
  int unsigned index;       // in its ring, counted from the enabling
  bit [3:0] status;         // of its completion
  bit touched;              // the device has accessed one of its strings
  bit posted;               // the device has written its completion

  `uvm_object_utils(lutra_soc_message)

  function new(string name = "message");
    super.new(name);
  endfunction

  // 64 bytes in the order of the device.
  function void pack_bytes(bit big, ref byte unsigned packed_[$]);
    bit [31:0] words[DescriptorSize/4];
    descriptor_control_t control;
    descriptor_extra_t extra;
    foreach (words[i]) words[i] = '0;
    control.generation = generation;
    control.context_ = context_;
    control.reserved_15 = control_bits;
    control.interrupt = interrupt;
    control.inline_payload = inlined;
    control.scatter = scatter;
    control.gather = gather;
    control.operation = operation;
    extra.reserved_31 = extra_bits;
    extra.tag = tag;
    extra.aad = aad;
    words[DescriptorControl] = control;
    words[DescriptorCookie] = cookie;
    words[DescriptorLength] = length;
    words[DescriptorExtra] = extra;
    {words[DescriptorDestinationHigh], words[DescriptorDestinationLow]} = destination;
    {words[DescriptorSourceHigh], words[DescriptorSourceLow]} = source;
    {words[DescriptorAadHigh], words[DescriptorAadLow]} = aad_address;
    {words[DescriptorReserved+1], words[DescriptorReserved]} = reserved;
    packed_.delete();
    foreach (words[i])
      for (int b = 0; b < 4; b++) packed_.push_back(words[i][8*(big ? 3 - b : b)+:8]);
    foreach (iv[i]) packed_[4*DescriptorIv+i] = iv[i];
    foreach (tail[i]) packed_[DescriptorSize-tail.size()+i] = tail[i];
  endfunction

  function bit writes_to(axi_address_t address);
    foreach (destinations[i])
      if (address >= destinations[i].first && address - destinations[i].first < AddressBits'(destinations[i].bytes))
        return 1'b1;
    return 1'b0;
  endfunction

  virtual function string convert2string();
    return $sformatf("ring %0d, descriptor %0d: %s, operation %02x, %0d bytes, %0d of associated data, tag %0d, context %0d%s%s%s, %s",
                     ring, index, kind.name(), operation, length, aad, tag, context_, gather ? ", gather" : "",
                     scatter ? ", scatter" : "", inlined ? ", inline" : "", wrong.name());
  endfunction

endclass
