// A completion as it is in memory.

class lutra_soc_completion extends uvm_object;

  bit [31:0] cookie, bytes, cycles;
  completion_result_t result;

  `uvm_object_utils(lutra_soc_completion)

  function new(string name = "completion");
    super.new(name);
  endfunction

  function void unpack_words(bit [63:0] low, bit [63:0] high, bit big);
    bit [31:0] words[4];
    {words[1], words[0]} = low;
    {words[3], words[2]} = high;
    foreach (words[i]) if (big) words[i] = {<<8{words[i]}};
    cookie = words[CompletionCookie];
    result = words[CompletionResult];
    bytes = words[CompletionBytes];
    cycles = words[CompletionCycles];
  endfunction

  virtual function string convert2string();
    return $sformatf("cookie %08x, status %0d, core %0d, trap %0d, notify %0d, %0d bytes", cookie, result.status,
                     result.core, result.trap, result.notify, bytes);
  endfunction

endclass
