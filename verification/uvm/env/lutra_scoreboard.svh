// Compares every cycle of the host port and every retirement with the simulator, which it steps at each retirement.

`uvm_analysis_imp_decl(_host)
`uvm_analysis_imp_decl(_retire)

class lutra_scoreboard extends uvm_scoreboard;

  // As in verification/lockstep/lockstep.hpp.
  localparam int unsigned Silence = 64;

  // Cycles of a wipe: a row of zeros in each, then those of the pipeline (docs/microarchitecture.md).
  localparam int unsigned WipeCycles = (MemoryRows > TableRows ? MemoryRows : TableRows) + StageWB[1] + 1;

  uvm_analysis_imp_host #(lutra_host_observation, lutra_scoreboard) host_imp;
  uvm_analysis_imp_retire #(lutra_retire_item, lutra_scoreboard) retire_imp;

  lutra_env_config cfg;
  chandle reference;

  // A cycle is checked when the next one begins: both monitors have seen it by then.
  lutra_host_observation cycle;
  lutra_retire_item retired[$];

  // Expected view of the host.
  state_e state = StateIdle;
  trap_e trap = TrapNone;
  logic [7:0] notify = '0;
  logic irq = 1'b0;
  host_status_t stood;     // the status that must not change while the core is stopped
  bit just_stopped;
  bit read_due;
  vec_t rdata;

  int unsigned wiping;     // cycles of a wipe that are left
  bit closed;              // a program has closed the memories to the host
  int unsigned silence;
  bit lost;                // after a divergence nothing more can be compared
  int unsigned instructions, accesses, starts, resets, wipes;

  `uvm_component_utils(lutra_scoreboard)

  function new(string name, uvm_component parent);
    super.new(name, parent);
    host_imp = new("host_imp", this);
    retire_imp = new("retire_imp", this);
  endfunction

  virtual function void build_phase(uvm_phase phase);
    super.build_phase(phase);
    reference = lutra_reference_new(cfg.rounds_per_instr, StageWB[cfg.rounds_per_instr-1] - StageAG[cfg.rounds_per_instr-1]);
  endfunction

  virtual function void write_retire(lutra_retire_item t);
    retired.push_back(t);
  endfunction

  virtual function void write_host(lutra_host_observation t);
    lutra_retire_item previous = null;
    if (retired.size() != 0 && retired[0].clock < t.clock) previous = retired.pop_front();
    if (cycle != null && !lost) check_cycle(cycle, previous);
    cycle = t;
  endfunction

  // The order within a cycle: contents of the registers, retirement, host actions that take effect after the edge.
  function void check_cycle(lutra_host_observation seen, lutra_retire_item item);
    if (seen.in_reset) reset();
    closed = lutra_reference_closed(reference);
    check_read_data(seen);
    check_status(seen);
    if (item != null) check_retirement(item);
    else check_silence(seen);
    check_access(seen);
    if (seen.request.irq_clear && !seen.in_reset && !raises(item)) irq = 1'b0;
    if (seen.starts() && !closed) start(seen);
    else if (seen.resumes()) resume_model();
    else if (seen.wipes()) wipe();
    else if (state == StateWiping) wipes_on(seen);
  endfunction

  function bit raises(lutra_retire_item item);
    return item != null &&
           (item.record.notify_en || item.record.halt_en || item.record.wait_en || item.record.trap != TrapNone);
  endfunction

  function void reset();
    lutra_reference_reset(reference);
    if (state == StateRunning) resets++;
    trap = TrapNone;
    irq = 1'b0;
    read_due = 1'b0;
    begin_idle();
  endfunction

  function void wipe();
    lutra_reference_wipe(reference);
    wipes++;
    begin_idle();
  endfunction

  // The trap of a program is gone from the second cycle on.
  function void wipes_on(lutra_host_observation seen);
    trap = TrapNone;
    if (!seen.in_reset) wiping--;
    if (wiping == 0) state = StateIdle;
  endfunction

  // Nothing is left of a program but its trap; with WIPE the core wipes itself first.
  function void begin_idle();
    state = CoreWipe ? StateWiping : StateIdle;
    wiping = WipeCycles;
    notify = '0;
    just_stopped = 1'b0;
    stood = '0;
  endfunction

  function void start(lutra_host_observation seen);
    lutra_reference_start(reference, int'(seen.request.entry));
    state = StateRunning;
    trap = TrapNone;
    silence = 0;
    starts++;
  endfunction

  function void resume_model();
    lutra_reference_resume(reference);
    state = StateRunning;
    silence = 0;
  endfunction

  function void check_status(lutra_host_observation seen);
    if (seen.status.state != state) difference($sformatf("state %s, expected %s", seen.status.state.name(), state.name()));
    if (seen.status.trap != trap) difference($sformatf("trap %s, expected %s", seen.status.trap.name(), trap.name()));
    if (seen.status.notify != notify) difference($sformatf("notify %0d, expected %0d", seen.status.notify, notify));
    if (seen.status.alert) difference("an alert without a fault");
    if (seen.status.irq != irq) difference($sformatf("interrupt %b, expected %b", seen.status.irq, irq));
    if (state == StateRunning) return;
    if (just_stopped) begin
      if (!lutra_reference_stopped(reference, int'(seen.status.state), int'(seen.status.trap), int'(seen.status.pc),
                                   seen.status.cycles, seen.status.instructions, seen.status.stalls))
        divergence();
      stood = seen.status;
      just_stopped = 1'b0;
    end
    if ({seen.status.pc, seen.status.cycles, seen.status.instructions, seen.status.stalls} !=
        {stood.pc, stood.cycles, stood.instructions, stood.stalls})
      difference("pc or counters of a core that stands have changed");
  endfunction

  function void check_retirement(lutra_retire_item item);
    retire_t record = item.record;
    silence = 0;
    instructions++;
    if (!lutra_reference_retired(reference, item.clock, record)) divergence();
    if (record.notify_en) notify = record.notify;
    if (raises(item)) irq = 1'b1;
    if (record.trap != TrapNone) begin
      state = StateTrapped;
      trap = record.trap;
    end else if (record.halt_en) state = StateHalted;
    else if (record.wait_en) state = StateWaiting;
    just_stopped = state != StateRunning;
  endfunction

  function void check_silence(lutra_host_observation seen);
    if (state != StateRunning) return;
    silence++;
    if (silence > Silence) begin
      lutra_reference_silent(reference);
      divergence();
    end
  endfunction

  function void check_access(lutra_host_observation seen);
    bit taken = seen.running() && !(seen.request.space inside {SpaceMem0, SpaceMem1, SpaceMem2, SpaceMem3});
    vec_bits_t expected;
    if (seen.reply.gnt && !seen.request.req) difference("a grant without a request");
    if (!seen.request.req) return;
    if (seen.reply.gnt && taken) difference("program memory or tables granted while running");
    if (seen.reply.gnt && state == StateWiping) difference("a grant while the core wipes itself");
    if (!seen.reply.gnt && !seen.running() && state != StateWiping) difference("no grant although the core stands");
    if (!seen.reply.gnt) return;
    accesses++;
    if (seen.request.we) begin
      if (!hidden(seen)) lutra_reference_write(reference, seen.clock, int'(seen.request.space), int'(seen.request.row), seen.request.wdata);
    end else if (!seen.in_reset) begin
      lutra_reference_read(reference, int'(seen.request.space), int'(seen.request.row), expected);
      read_due = 1'b1;
      rdata = hidden(seen) || key_row(seen) ? '0 : expected;
    end
  endfunction

  function bit hidden(lutra_host_observation seen);
    return closed && seen.request.space != SpaceProgram;
  endfunction

  function bit key_row(lutra_host_observation seen);
    return seen.request.space == SpaceMem0 && int'(seen.request.row) < CoreKeyRows;
  endfunction

  function void check_read_data(lutra_host_observation seen);
    if (seen.reply.rvalid != read_due) difference($sformatf("read data valid %b, expected %b", seen.reply.rvalid, read_due));
    if (read_due && seen.reply.rdata != rdata)
      difference($sformatf("read data %032x, expected %032x", seen.reply.rdata, rdata));
    read_due = 1'b0;
  endfunction

  function void difference(string what);
    `uvm_error("HOST", $sformatf("cycle %0d: %s", cycle.clock, what))
    lost = 1'b1;
  endfunction

  function void divergence();
    `uvm_error("LOCKSTEP", $sformatf("cycle %0d: simulator and RTL diverge: %s", cycle.clock,
                                     lutra_reference_report(reference)))
    lost = 1'b1;
  endfunction

  virtual function void check_phase(uvm_phase phase);
    if (instructions == 0 && accesses == 0) `uvm_error("EMPTY", "nothing has been compared")
  endfunction

  virtual function void report_phase(uvm_phase phase);
    `uvm_info("SCOREBOARD", $sformatf("%0d instructions, %0d accesses, %0d starts, %0d resets while running, %0d wipes compared",
                                      instructions, accesses, starts, resets, wipes), UVM_LOW)
  endfunction

  virtual function void final_phase(uvm_phase phase);
    lutra_reference_delete(reference);
  endfunction

endclass
