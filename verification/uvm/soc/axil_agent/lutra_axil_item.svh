// An access to a register. Address, data and readiness for the answer come after so many cycles.

class lutra_axil_item extends uvm_sequence_item;

  bit write;
  logic [RegisterBits-1:0] address;
  logic [31:0] data;
  int unsigned address_after, data_after, ready_after;
  logic [1:0] response;
  bit cut;                    // a reset came before the answer

  `uvm_object_utils(lutra_axil_item)

  function new(string name = "lutra_axil_item");
    super.new(name);
  endfunction

  // Mostly at once, otherwise in any order.
  function void pick_delays();
    if ($urandom_range(2) != 0) return;
    address_after = $urandom_range(3);
    data_after = $urandom_range(3);
    ready_after = $urandom_range(6);
  endfunction

endclass
