// Which flows' keys a core holds, and which of them goes next. A key may be replaced while packets that use it are in
// the core: a core does its jobs in order, so they are done before.

module lutra_cluster_keys
  import lutra_cluster_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,  // none

  input  handle_t handle_i,
  output logic hit_o,
  output logic [KeyBits-1:0] key_o,  // its place
  output logic [KeyBits-1:0] free_o, // the place that is free next
  input  logic take_i                // it is there from the cycle after the next one on
);

  handle_t [Keys-1:0] handles_q, handles_d;
  logic [Keys-1:0] valid_q, valid_d, hits;
  logic [KeyBits-1:0] next_q, next_d;
  // A handle that is taken is written a cycle later, from a register of this core that all of its places load.
  logic taken_q, taken_d;
  handle_t new_q, new_d;

  always_comb begin
    for (int k = 0; k < Keys; k++) hits[k] = valid_q[k] && handles_q[k] == handle_i;
    hit_o = |hits;
    key_o = '0;
    for (int k = 0; k < Keys; k++) if (hits[k]) key_o |= KeyBits'(k);
  end

  assign free_o = next_q;

  // A flow with another generation takes another place; the old key is the next owner's to overwrite.
  always_comb begin
    handles_d = handles_q;
    valid_d = valid_q;
    next_d = next_q;
    taken_d = take_i && !clear_i;
    new_d = take_i ? handle_i : new_q;
    if (taken_q) begin
      for (int k = 0; k < Keys; k++) if (handles_q[k].flow == new_q.flow) valid_d[k] = 1'b0;
      handles_d[next_q] = new_q;
      valid_d[next_q] = 1'b1;
      next_d = 32'(next_q) == Keys - 1 ? '0 : next_q + KeyBits'(1);
    end
    if (clear_i) valid_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      next_q <= '0;
      taken_q <= 1'b0;
    end else begin
      valid_q <= valid_d;
      next_q <= next_d;
      taken_q <= taken_d;
    end
  end
  always_ff @(posedge clk_i) begin
    handles_q <= handles_d;
    new_q <= new_d;
  end

endmodule
