// Every register of the model: its value after reset, and for what is written what is read.

class lutra_soc_registers_vseq extends lutra_soc_base_vseq;

  `uvm_object_utils(lutra_soc_registers_vseq)

  function new(string name = "registers");
    super.new(name);
  endfunction

  virtual task run();
    uvm_reg registers[$];
    regs.get_registers(registers, UVM_HIER);
    reset_device(2, 1'b1);
    regs.reset();
    foreach (registers[i]) expect_fields(registers[i], 1'b1);
    for (int turn = 0; turn < 3; turn++) begin
      foreach (registers[i]) if (writable(registers[i])) set(registers[i], uvm_reg_data_t'($urandom() & mask(registers[i])), 1'b0);
      foreach (registers[i]) if (writable(registers[i])) expect_fields(registers[i], 1'b0);
    end
    boot();
    submit_some(0, 3);
    finish();
  endtask

  // Writing these starts or stops something.
  function bit writable(uvm_reg register);
    string name = register.get_full_name();
    uvm_reg_field fields[$];
    if (name inside {"regs.control", "regs.ring[0].control", "regs.ring[1].control"}) return 1'b0;
    register.get_fields(fields);
    foreach (fields[i]) if (fields[i].get_access() == "RW") return 1'b1;
    return 1'b0;
  endfunction

  function int unsigned mask(uvm_reg register);
    uvm_reg_field fields[$];
    register.get_fields(fields);
    mask = 0;
    foreach (fields[i])
      if (fields[i].get_access() == "RW") mask |= ((1 << fields[i].get_n_bits()) - 1) << fields[i].get_lsb_pos();
    if (fields.size() == 1 && fields[0].get_n_bits() == 32) mask = '1;
  endfunction

  // What the hardware writes has no value in the model; the table of operations is a memory.
  task expect_fields(uvm_reg register, bit after_reset);
    int unsigned value;
    uvm_reg_field fields[$];
    if (after_reset && register.get_full_name().substr(0, 13) == "regs.operation") return;
    get(register, value);
    register.get_fields(fields);
    foreach (fields[i]) begin
      int unsigned bits = fields[i].get_n_bits() == 32 ? '1 : (1 << fields[i].get_n_bits()) - 1;
      int unsigned found = (value >> fields[i].get_lsb_pos()) & bits;
      if (!after_reset && fields[i].get_access() != "RW") continue;
      if (after_reset && !fields[i].has_reset()) continue;
      if (found != int'(fields[i].get()) && !(after_reset && fields[i].is_volatile()))
        `uvm_error("REGISTER", $sformatf("%s is %0x, not %0x", fields[i].get_full_name(), found, fields[i].get()))
    end
  endtask

endclass
