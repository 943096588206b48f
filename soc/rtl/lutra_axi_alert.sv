// The alert of the core and its escalation: pins of the chip, and registers. A core without them costs no gate here.

module lutra_axi_alert #(
  parameter bit ALERT = 1,    // the core may raise one
  parameter bit ESCALATE = 1  // it can be locked
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Pins, in step with the clock. A pulse of one cycle locks the core, and a reset of the core does not end that.
  input  logic escalate_i,
  output logic alert_o,

  // Registers.
  input  logic escalate_value_i,  // control.escalate
  input  logic raised_i,          // alert.raised
  output logic raise_o,           // an event: the alert of the core has risen

  // The core.
  input  logic core_alert_i,
  output logic core_alert_clear_o,
  output logic core_escalate_o
);

  logic alert_q;
  assign raise_o = core_alert_i && !alert_q;
  assign core_alert_clear_o = alert_q && !raised_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) alert_q <= 1'b0;
    else alert_q <= core_alert_i;
  end
  // Two flip-flops have the alert: the register stays until the host clears it, the other as long as the core says so.
  assign alert_o = ALERT && (alert_q || raised_i);

  if (ESCALATE) begin : gen_escalate
    logic escalate_q, escalate_d;
    assign escalate_d = escalate_q || escalate_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) escalate_q <= 1'b0;
      else escalate_q <= escalate_d;
    end
    assign core_escalate_o = escalate_d || escalate_value_i;
  end else begin : gen_no_escalate
    assign core_escalate_o = 1'b0;
    logic unused;
    assign unused = &{1'b0, escalate_i, escalate_value_i};
  end

endmodule
