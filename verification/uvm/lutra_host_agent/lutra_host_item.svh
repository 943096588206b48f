// One action of a host. Every action is legal at any time: what the core ignores is part of its contract.

class lutra_host_item extends uvm_sequence_item;

  host_kind_e kind = HostBeat;
  host_request_t request = '0;
  int unsigned gap = 0;     // idle cycles before it
  int unsigned cycles = 1;  // of HostWait and HostReset
  bit posted = 0;           // a read whose data is not awaited: the next item may follow in the next cycle
  bit mid_cycle = 0;        // a reset between two edges of the clock

  // Its result.
  vec_t rdata;
  host_status_t status;

  `uvm_object_utils(lutra_host_item)

  function new(string name = "lutra_host_item");
    super.new(name);
  endfunction

  virtual function string convert2string();
    if (kind == HostBeat) return $sformatf("beat %p", request);
    return $sformatf("%s %0d", kind.name(), cycles);
  endfunction

endclass
