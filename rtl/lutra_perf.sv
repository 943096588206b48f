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

  perf_t perf_q;
  assign perf_o = perf_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      perf_q <= '0;
    end else if (clear_i) begin
      perf_q <= '0;
    end else begin
      if (running_i) perf_q.cycles <= perf_q.cycles + 64'd1;
      if (retired_i) perf_q.instructions <= perf_q.instructions + 64'd1;
      for (int i = 0; i < StallCauses; i++)
        if (stall_i && 32'(cause_i) == i) perf_q.stalls[i] <= perf_q.stalls[i] + 32'd1;
    end
  end

endmodule
