// The state that the host sees: whether a program runs, why it stopped, the last notify and the interrupt. Events come
// from WB; start and resume go to the sequencer.

module lutra_control
  import lutra_isa_pkg::*;
#(
  parameter bit ALERT = 0,    // faults are looked for
  parameter bit PROTECT = 0,  // in two ways
  parameter bit WIPE = 0
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   run_rst_ni,  // of what a program leaves

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
  output logic   alerted_o,  // in an earlier cycle

  output logic   running_o,
  output logic   start_o,   // only when not running
  output logic   resume_o,  // only when waiting

  input  logic   wb_valid_i,
  input  trap_e  wb_trap_i,
  input  ctl_t   wb_ctl_i,
  output logic   wb_trapped_o,

  input  logic   fault_i,       // a fault was found: the alert,
  input  trap_e  fault_trap_i,
  input  logic   wb_faulted_i,  // and the end of its instruction, after those before it
  input  logic   faultless_i,   // no fault was found, the other way

  input  logic   wiping_i,      // nothing starts then,
  input  logic   locked_i,      // nor from now on
  input  logic   closed_i       // nor while a program has left memories closed
);

  state_e state_q, state_d;
  trap_e trap_q, trap_d;
  logic irq_q, irq_d;
  logic [7:0] notify_q, notify_d;
  assign running_o = state_q == StateRunning;
  logic stands;
  assign stands = WIPE && (wiping_i || locked_i);
  assign start_o = start_i && !running_o && !(ALERT && state_q == StateFaulted) && !stands && !closed_i;
  assign resume_o = resume_i && state_q == StateWaiting && !start_i && !stands;

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
    // A wipe leaves nothing that stopped but a fault.
    if (stands && (locked_i || state_q != StateFaulted)) state_d = StateIdle;

    trap_d = trap_q;
    if (start_o) trap_d = TrapNone;
    else if (wb_trapped_o) trap_d = wb_trap_i;
    else if (ALERT && wb_faulted_i) trap_d = fault_trap_i;
    if (stands && (locked_i || state_q != StateFaulted)) trap_d = TrapNone;

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
    end else begin
      state_q <= state_d;
      trap_q <= trap_d;
      irq_q <= irq_d;
    end
  end
  always_ff @(posedge clk_i or negedge run_rst_ni) begin
    if (!run_rst_ni) notify_q <= '0;
    else notify_q <= notify_d;
  end

  assign state_o = WIPE && wiping_i ? StateWiping : WIPE && locked_i ? StateLocked : state_q;
  assign trap_o = trap_q;
  assign notify_o = notify_q;
  assign irq_o = irq_q;

  // The alert is there in the cycle after the fault; the instructions before it still retire. In a protected core it is
  // there at once, for a host that is just reading, and a second register in the other polarity keeps it.
  if (ALERT) begin : gen_alert
    logic alert_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) alert_q <= 1'b0;
      else alert_q <= fault_i || (alert_q && !cleared);
    end
    if (PROTECT) begin : gen_second
      logic silent_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) silent_q <= 1'b1;
        else silent_q <= faultless_i && (silent_q || cleared);
      end
      assign alerted_o = alert_q || !silent_q;
      assign alert_o = alerted_o || fault_i || locked_i;
    end else begin : gen_first
      assign alert_o = alert_q || locked_i;
      assign alerted_o = alert_q;
      logic unused;
      assign unused = faultless_i;
    end
  end else begin : gen_no_alert
    assign alert_o = locked_i;
    assign alerted_o = 1'b0;
    logic unused;
    assign unused = &{1'b0, alert_clear_i, fault_i, fault_trap_i, wb_faulted_i, faultless_i, wiping_i};
  end

endmodule
