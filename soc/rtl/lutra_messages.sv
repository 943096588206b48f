// Messages in flight: ring, status, and whether all is done but the completion. The first failure of a message is its
// status.

module lutra_messages
  import lutra_engine_pkg::*;
  import lutra_layout_pkg::*;
(
  input  logic clk_i,

  input  logic  begin_valid_i,
  input  message_slot_t begin_slot_i,
  input  logic  begin_ring_i,

  // Failures: not fetched, issued, placed, run, written.
  input  logic [4:0] fail_valid_i,
  input  message_slot_t [4:0] fail_slot_i,
  input  logic [4:0][3:0] fail_status_i,

  // The core has lost its messages: all that have begun fail.
  input  logic  lost_valid_i,
  input  logic [3:0] lost_status_i,
  input  logic  begun_valid_i,
  input  message_slot_t begun_slot_i,

  // Done: issued without a job, put out without a write, written.
  input  logic [2:0] done_valid_i,
  input  message_slot_t [2:0] done_slot_i,

  output logic [Slots-1:0] ring_o,
  output logic [Slots-1:0][3:0] status_o,
  output logic [Slots-1:0] done_o
);

  logic [Slots-1:0] ring_q, ring_d, begun_q, begun_d, done_q, done_d;
  logic [Slots-1:0][3:0] status_q, status_d;

  always_comb begin
    ring_d = ring_q;
    begun_d = begun_q;
    done_d = done_q;
    status_d = status_q;
    for (int s = 0; s < Slots; s++) begin
      if (begun_valid_i && begun_slot_i == message_slot_t'(s)) begun_d[s] = 1'b1;
      if (lost_valid_i && begun_q[s] && !done_q[s] && status_q[s] == StatusOk) status_d[s] = lost_status_i;
      for (int f = 0; f < 5; f++) begin
        if (fail_valid_i[f] && fail_slot_i[f] == message_slot_t'(s) && status_q[s] == StatusOk) begin
          status_d[s] = fail_status_i[f];
        end
      end
      for (int d = 0; d < 3; d++) if (done_valid_i[d] && done_slot_i[d] == message_slot_t'(s)) done_d[s] = 1'b1;
      if (begin_valid_i && begin_slot_i == message_slot_t'(s)) begin
        ring_d[s] = begin_ring_i;
        status_d[s] = StatusOk;
        begun_d[s] = 1'b0;
        done_d[s] = 1'b0;
      end
    end
  end

  // Nobody looks at a slot that was not begun.
  always_ff @(posedge clk_i) begin
    ring_q <= ring_d;
    begun_q <= begun_d;
    done_q <= done_d;
    status_q <= status_d;
  end

  assign ring_o = ring_q;
  assign status_o = status_q;
  assign done_o = done_q;

endmodule
