// When the core is wiped: on command, before ring 0 reaches what messages have left in it, and when all rings are closed.
//
// Raw operations are how firmware is loaded and how memories are read, so the first one after messages of the table
// begins a wipe. What raw operations leave themselves is wiped when all rings are closed; firmware that was loaded and
// has not run stays.

module lutra_leftovers
  import lutra_isa_pkg::*;
#(
  parameter bit WIPE = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic command_i,
  input  logic closed_i,   // all rings are
  input  logic message_i,  // an event: a job of the table of operations
  input  logic run_i,      // a raw run
  input  logic raw_i,      // a raw operation waits
  input  logic quiet_i,    // nothing is in flight

  input  state_e core_state_i,
  output logic wipe_o,
  output logic due_o       // nothing begins
);

  if (WIPE) begin : gen_wipe
    logic asked_q, asked_d, messages_q, messages_d, runs_q, runs_d, clean, wiping;
    assign wiping = core_state_i == StateWiping;
    assign clean = wiping || core_state_i == StateLocked;
    assign asked_d = (asked_q || command_i) && !clean;
    assign messages_d = (messages_q || message_i) && !clean;
    assign runs_d = (runs_q || run_i) && !clean;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        asked_q <= 1'b0;
        messages_q <= 1'b0;
        runs_q <= 1'b0;
      end else begin
        asked_q <= asked_d;
        messages_q <= messages_d;
        runs_q <= runs_d;
      end
    end
    logic due;
    assign due = asked_q || (raw_i && messages_q) || (closed_i && (messages_q || runs_q));
    assign wipe_o = due && quiet_i;
    assign due_o = due || wiping;
  end else begin : gen_no_wipe
    assign wipe_o = 1'b0;
    assign due_o = 1'b0;
    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni, command_i, closed_i, message_i, run_i, raw_i, quiet_i, core_state_i};
  end

endmodule
