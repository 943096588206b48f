// Performance counters: cycles, retired instructions, stall cycles by cause; cleared by start.

module lutra_perf
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   clear_i,
  input  logic   running_i,
  input  logic   retired_i,
  input  logic   stall_i,
  input  stall_e cause_i,
  output perf_t  perf_o
);

  perf_t perf_q, perf_d;
  assign perf_o = perf_q;

  always_comb begin
    perf_d = perf_q;
    if (running_i) perf_d.cycles = perf_q.cycles + 64'd1;
    if (retired_i) perf_d.instructions = perf_q.instructions + 64'd1;
    for (int i = 0; i < StallCauses; i++)
      if (stall_i && 32'(cause_i) == i) perf_d.stalls[i] = perf_q.stalls[i] + 32'd1;
    if (clear_i) perf_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) perf_q <= '0;
    else perf_q <= perf_d;
  end

endmodule
