// The state that the host sees: whether a program runs, why it stopped, the last notify and the interrupt. Events come
// from WB; start and resume go to the sequencer.

module lutra_control
  import lutra_isa_pkg::*;
#(
  parameter bit ALERT = 0  // faults are looked for
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  // The host.
  input  logic   start_i,
  input  logic   resume_i,
  input  logic   irq_clear_i,
  input  logic   alert_clear_i,
  output state_e state_o,
  output trap_e  trap_o,
  output logic [7:0] notify_o,
  output logic   irq_o,
  output logic   alert_o,

  output logic   running_o,
  output logic   start_o,   // only when not running
  output logic   resume_o,  // only when waiting

  input  logic   wb_valid_i,
  input  trap_e  wb_trap_i,
  input  ctl_t   wb_ctl_i,
  output logic   wb_trapped_o,

  input  logic   x1_fault_i,    // a fault was found: the alert,
  input  logic   wb_faulted_i   // and the end of its instruction, after those before it
);

  state_e state_q, state_d;
  trap_e trap_q, trap_d;
  logic irq_q, irq_d;
  logic [7:0] notify_q, notify_d;
  assign running_o = state_q == StateRunning;
  assign start_o = start_i && !running_o && !(ALERT && state_q == StateFaulted);
  assign resume_o = resume_i && state_q == StateWaiting && !start_i;

  logic halts, waits, notifies, cleared;
  assign cleared = ALERT && state_q == StateFaulted && alert_clear_i;
  assign wb_trapped_o = wb_valid_i && wb_trap_i != TrapNone;
  assign halts = wb_valid_i && wb_ctl_i.sq == SqHalt;
  assign waits = wb_valid_i && wb_ctl_i.sq == SqWait;
  assign notifies = wb_valid_i && wb_ctl_i.sq == SqNotify;

  always_comb begin
    state_d = state_q;
    if (start_o || resume_o) state_d = StateRunning;
    else if (wb_trapped_o) state_d = StateTrapped;
    else if (halts) state_d = StateHalted;
    else if (waits) state_d = StateWaiting;
    if (ALERT && wb_faulted_i) state_d = StateFaulted;
    else if (cleared) state_d = StateIdle;

    trap_d = trap_q;
    if (start_o) trap_d = TrapNone;
    else if (wb_trapped_o) trap_d = wb_trap_i;
    else if (ALERT && wb_faulted_i) trap_d = TrapContextFault;

    notify_d = notifies ? wb_ctl_i.n[7:0] : notify_q;

    // An event in the cycle of the host's clear is not lost.
    irq_d = (irq_q && !irq_clear_i) || wb_trapped_o || halts || waits || notifies ||
        (ALERT && wb_faulted_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateIdle;
      trap_q <= TrapNone;
      irq_q <= 1'b0;
      notify_q <= '0;
    end else begin
      state_q <= state_d;
      trap_q <= trap_d;
      irq_q <= irq_d;
      notify_q <= notify_d;
    end
  end

  assign state_o = state_q;
  assign trap_o = trap_q;
  assign notify_o = notify_q;
  assign irq_o = irq_q;

  // The alert is there in the cycle after the fault; the instructions before it still retire.
  if (ALERT) begin : gen_alert
    logic alert_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) alert_q <= 1'b0;
      else alert_q <= x1_fault_i || (alert_q && !cleared);
    end
    assign alert_o = alert_q;
  end else begin : gen_no_alert
    assign alert_o = 1'b0;
    logic unused;
    assign unused = &{1'b0, alert_clear_i, x1_fault_i, wb_faulted_i};
  end

endmodule
