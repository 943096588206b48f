// One retired instruction.

class lutra_retire_item extends uvm_sequence_item;

  longint unsigned clock;  // number of the cycle of its WB
  retire_t record;

  `uvm_object_utils(lutra_retire_item)

  function new(string name = "lutra_retire_item");
    super.new(name);
  endfunction

endclass
