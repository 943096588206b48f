// Accesses of the register model as items.

class lutra_axil_adapter extends uvm_reg_adapter;

  `uvm_object_utils(lutra_axil_adapter)

  function new(string name = "lutra_axil_adapter");
    super.new(name);
    supports_byte_enable = 1'b0;
    provides_responses = 1'b0;
  endfunction

  virtual function uvm_sequence_item reg2bus(const ref uvm_reg_bus_op rw);
    lutra_axil_item item = new("item");
    item.write = rw.kind == UVM_WRITE;
    item.address = RegisterBits'(rw.addr);
    item.data = 32'(rw.data);
    item.pick_delays();
    return item;
  endfunction

  virtual function void bus2reg(uvm_sequence_item bus_item, ref uvm_reg_bus_op rw);
    lutra_axil_item item;
    if (!$cast(item, bus_item)) `uvm_fatal("ADAPTER", "not an access to a register")
    rw.kind = item.write ? UVM_WRITE : UVM_READ;
    rw.addr = uvm_reg_addr_t'(item.address);
    rw.data = uvm_reg_data_t'(item.data);
    rw.status = item.cut || item.response != '0 ? UVM_NOT_OK : UVM_IS_OK;
  endfunction

endclass
