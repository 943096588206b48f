// Counts of one ring, and whether it runs. Its descriptors are fetched, then posted (the completion is on its way),
// then acknowledged, which advances the head.

module lutra_ring
  import lutra_engine_pkg::*;
  import lutra_layout_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  // Registers.
  input  logic active_i,  // of the device
  input  logic enable_i,
  input  logic [3:0] log2_i,
  input  logic [15:0] tail_i,
  output logic [15:0] head_o,
  output logic idle_o,
  output logic stopped_o,
  output logic [3:0] reason_o,
  output logic stops_o,  // an event

  // Descriptors.
  output logic want_o,
  output logic [14:0] fetch_index_o,
  input  logic asking_i,   // one is about to be fetched
  input  logic fetched_i,
  input  logic refused_i,  // or its address is not allowed

  // Completions.
  output logic [14:0] post_index_o,
  output logic phase_o,
  input  logic posted_i,
  input  logic dropped_i,  // a message without a completion
  input  logic acked_i,
  input  logic error_i,    // with acked_i
  input  logic barred_i,   // the address of a completion is not allowed
  output logic lost_o,     // completions cannot be written

  input  logic failed_i,   // a descriptor could not be read
  input  logic void_i,     // and is the next to begin
  output logic voiding_o   // what was fetched and has not begun is not to be done
);

  logic [15:0] head_q, head_d;
  logic [4:0] fetched_q, fetched_d;  // and neither posted nor dropped
  logic [3:0] posted_q, posted_d;    // and not acknowledged
  logic stopped_q, stopped_d, voiding_q, voiding_d, lost_q, lost_d, draining_q, draining_d;
  logic [3:0] reason_q, reason_d;

  logic [15:0] size, mask, post_count, fetch_count;
  assign size = 16'd1 << log2_i;
  assign mask = size - 16'd1;
  assign post_count = head_q + 16'(posted_q);
  assign fetch_count = post_count + 16'(fetched_q);
  assign fetch_index_o = 15'(fetch_count & mask);
  assign post_index_o = 15'(post_count & mask);
  assign phase_o = (post_count & size) == '0;

  logic runs, pending, ahead, clear;
  assign runs = active_i && enable_i && !draining_q && !stopped_q;
  assign pending = tail_i != fetch_count;
  assign ahead = runs && 16'(tail_i - post_count) > size;  // the host sees a completion before its answer comes
  assign want_o = runs && pending && !ahead;
  assign idle_o = fetched_q == '0 && posted_q == '0 && !want_o && !asking_i;
  // Counts begin at 0 where the ring is enabled: at the latest when what was in flight before has ended.
  assign clear = (!enable_i || draining_q) && idle_o;

  always_comb begin
    lost_d = lost_q || (acked_i && error_i) || barred_i;
    head_d = head_q + 16'(acked_i && !lost_d);
    fetched_d = fetched_q + 5'(fetched_i) - 5'(posted_i || dropped_i);
    posted_d = posted_q + 4'(posted_i) - 4'(acked_i);
    draining_d = !enable_i || draining_q;
    voiding_d = voiding_q || void_i || lost_d;
    stopped_d = stopped_q;
    reason_d = reason_q;
    stops_o = !stopped_q && (failed_i || refused_i || ahead || lost_d);
    if (stops_o) begin
      stopped_d = 1'b1;
      if (lost_d) reason_d = barred_i ? StatusBadAddress : StatusWriteError;
      else if (failed_i) reason_d = StatusReadError;
      else reason_d = refused_i ? StatusBadAddress : StatusBadDescriptor;
    end
    if (clear) begin
      head_d = '0;
      draining_d = 1'b0;
      voiding_d = 1'b0;
      lost_d = 1'b0;
      stopped_d = 1'b0;
      reason_d = StatusOk;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      fetched_q <= '0;
      posted_q <= '0;
      draining_q <= 1'b0;
      voiding_q <= 1'b0;
      lost_q <= 1'b0;
      stopped_q <= 1'b0;
      reason_q <= StatusOk;
    end else begin
      head_q <= head_d;
      fetched_q <= fetched_d;
      posted_q <= posted_d;
      draining_q <= draining_d;
      voiding_q <= voiding_d;
      lost_q <= lost_d;
      stopped_q <= stopped_d;
      reason_q <= reason_d;
    end
  end

  assign head_o = head_q;
  assign stopped_o = stopped_q;
  assign reason_o = reason_q;
  assign voiding_o = voiding_q;
  assign lost_o = lost_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      none_too_many: assert (fetched_q <= 5'(Slots)) else $error("more descriptors than slots");
      posted_fetched: assert (!(posted_i || dropped_i) || fetched_q != '0) else $error("no message is completed");
      acked_posted: assert (!acked_i || posted_q != '0) else $error("an answer to no completion");
    end
  end
`endif

endmodule
