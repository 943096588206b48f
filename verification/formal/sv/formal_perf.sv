// The performance counters. The assertions derive from each cycle what the next one shows, so that by induction every
// counter is the number of its events since the last clear, modulo its width.

module formal_perf
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
(
  input logic   clk_i,
  input logic   rst_ni,
  input logic   clear_i,
  input logic   running_i,
  input logic   retired_i,
  input logic   stall_i,
  input stall_e cause_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) reset_first: assume (!rst_ni);

  perf_t perf;
  lutra_perf u_perf (
    .clk_i,
    .rst_ni,
    .clear_i,
    .running_i,
    .retired_i,
    .stall_i,
    .cause_i,
    .perf_o(perf)
  );

  // The cycle before: what the counters showed, what happened in it, and the stall of the cycle before that, which
  // they take with one cycle's delay.
  logic reset_q, cleared_q, running_q, retired_q, stall_q, stall_qq;
  stall_e cause_q, cause_qq;
  perf_t perf_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {stall_q, stall_qq} <= '0;
      reset_q <= 1'b1;
    end else begin
      stall_q <= stall_i && !clear_i;
      stall_qq <= stall_q;
      reset_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    {cleared_q, running_q, retired_q} <= {clear_i, running_i, retired_i};
    cause_q <= cause_i;
    cause_qq <= cause_q;
    perf_q <= perf;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      cleared: assert (!(reset_q || cleared_q) || perf == '0);
      if (!reset_q && !cleared_q) begin
        cycles: assert (perf.cycles == (perf_q.cycles + 64'(running_q)) % 64'(64'd1 << PerfBits));
        instructions: assert (perf.instructions == (perf_q.instructions + 64'(retired_q)) % 64'(64'd1 << PerfBits));
      end
      in_step: assert (u_perf.gen_stalls.cause_q == (stall_q ? StallCauses'(1) << cause_q : '0));
      running: cover (perf.cycles == 64'd3);
    end
  end

  for (genvar i = 0; i < StallCauses; i++) begin : gen_cause
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        if (!reset_q && !cleared_q)
          stalls: assert (perf.stalls[i] == perf_q.stalls[i] + StallBits'(stall_qq && cause_qq == stall_e'(i)));
        stalled: cover (perf.stalls[i] == StallBits'(2));
      end
    end
  end

endmodule
