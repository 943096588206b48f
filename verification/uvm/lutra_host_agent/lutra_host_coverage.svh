// Coverage of the host's actions and of the core's state in which they occur.

class lutra_host_coverage extends uvm_subscriber #(lutra_host_observation);

  `uvm_component_utils(lutra_host_coverage)

  lutra_host_observation now, previous;
  int unsigned waited;       // cycles that an access has waited for its grant
  int unsigned stood;        // cycles since the core stopped

  covergroup standing_cg;
    option.per_instance = 1;
    space: coverpoint now.request.space;
    write: coverpoint now.request.we;
    each: cross space, write;
  endgroup

  // Program memory and tables are closed to the host while a program runs.
  covergroup running_cg;
    option.per_instance = 1;
    space: coverpoint now.request.space {bins memory[] = {SpaceMem0, SpaceMem1, SpaceMem2, SpaceMem3};}
    write: coverpoint now.request.we;
    each: cross space, write;
    waited: coverpoint waited {bins none = {0}; bins some = {[1:3]}; bins long_time = {[4:$]};}
  endgroup

  covergroup control_cg;
    option.per_instance = 1;
    start_in: coverpoint now.status.state iff (now.request.start);
    resume_in: coverpoint now.status.state iff (now.request.resume);
    both: coverpoint now.status.state iff (now.request.start && now.request.resume);
    clear: coverpoint now.status.irq iff (now.request.irq_clear);
    start_after: coverpoint stood iff (now.starts()) {
      bins at_once = {0}; bins soon = {[1:7]}; bins later = {[8:$]};
    }
    start_with_access: coverpoint now.request.req iff (now.starts());
  endgroup

  covergroup stop_cg;
    option.per_instance = 1;
    state: coverpoint now.status.state;
    trap: coverpoint now.status.trap iff (now.status.state == StateTrapped);
  endgroup

  covergroup reset_cg;
    option.per_instance = 1;
    state: coverpoint previous.status.state;
    irq: coverpoint previous.status.irq;
    access: coverpoint previous.request.req;
  endgroup

  function new(string name, uvm_component parent);
    super.new(name, parent);
    standing_cg = new();
    running_cg = new();
    control_cg = new();
    stop_cg = new();
    reset_cg = new();
  endfunction

  virtual function void write(lutra_host_observation t);
    now = t;
    if (previous != null) begin
      if (now.in_reset && !previous.in_reset) reset_cg.sample();
      if (previous.running() && !now.running() && !now.in_reset) stop_cg.sample();
      stood = previous.running() ? 0 : stood + 1;
    end
    if (now.request.req && !now.reply.gnt) waited++;
    else if (now.request.req) begin
      if (now.running()) running_cg.sample();
      else standing_cg.sample();
      waited = 0;
    end
    if (now.request.start || now.request.resume || now.request.irq_clear) control_cg.sample();
    previous = now;
  endfunction

  virtual function void report_phase(uvm_phase phase);
    `uvm_info("COVERAGE", $sformatf("standing %0.1f %%, running %0.1f %%, control %0.1f %%, stop %0.1f %%, reset %0.1f %%",
                                    standing_cg.get_inst_coverage(), running_cg.get_inst_coverage(),
                                    control_cg.get_inst_coverage(), stop_cg.get_inst_coverage(),
                                    reset_cg.get_inst_coverage()), UVM_LOW)
  endfunction

endclass
