// A recorded use of firmware: the known answers are the data of the script's reads.

class lutra_script_vseq extends lutra_base_vseq;

  lutra_script script;
  int unsigned answers;  // bytes compared

  `uvm_object_utils(lutra_script_vseq)

  function new(string name = "lutra_script_vseq");
    super.new(name);
  endfunction

  virtual task body();
    fill_all();
    foreach (script.steps[i]) begin
      case (script.steps[i].step)
        lutra_script::StepWrite: write_row(script.steps[i].space, script.steps[i].row, script.steps[i].data);
        lutra_script::StepStart: start_at(script.steps[i].row);
        lutra_script::StepStopped: stopped(script.steps[i].trap);
        lutra_script::StepRead: check_row(script.steps[i]);
      endcase
    end
    if (answers == 0) `uvm_error("ANSWER", "the script has no answers")
    `uvm_info("ANSWER", $sformatf("%0d bytes as expected", answers), UVM_LOW)
  endtask

  task stopped(trap_e trap);
    wait_for_stop();
    expect_end(trap);
    clear_interrupt();
  endtask

  task check_row(lutra_script::step_t step);
    vec_t got, mask;
    read_row(step.space, step.row, got);
    for (int i = 0; i < VectorBytes; i++) mask[8*i+:8] = {8{step.lanes[i]}};
    if ((got & mask) !== (step.data & mask))
      `uvm_error("ANSWER", $sformatf("%s row %0d: %032x, expected %032x in %04x", step.space.name(), step.row, got,
                                     step.data, step.lanes))
    answers += $countones(step.lanes);
  endtask

endclass
