// Performance counters: cycles, retired instructions, stall cycles by cause; cleared by start. They wrap (PerfBits,
// StallBits): cycles after 18 minutes at 1 GHz.
//
// A stall is counted in the cycle after it, so that the interlock's answer ends in a register; before a program stops
// its last stall has been counted for long.

module lutra_perf
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter bit PERF_STALLS = 1  // 0: cycles and instructions only
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   clear_i,
  input  logic   running_i,
  input  logic   retired_i,
  input  logic   stall_i,
  input  stall_e cause_i,
  output perf_t  perf_o
);

  logic [PerfBits-1:0] cycles_q, cycles_d, instructions_q, instructions_d;
  assign cycles_d = clear_i ? '0 : cycles_q + PerfBits'(running_i);
  assign instructions_d = clear_i ? '0 : instructions_q + PerfBits'(retired_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      instructions_q <= '0;
    end else begin
      cycles_q <= cycles_d;
      instructions_q <= instructions_d;
    end
  end
  assign perf_o.cycles = 64'(cycles_q);
  assign perf_o.instructions = 64'(instructions_q);

  if (PERF_STALLS) begin : gen_stalls
    logic [StallCauses-1:0][StallBits-1:0] stalls_q, stalls_d;
    logic [StallCauses-1:0] cause_q, cause_d;
    assign cause_d = stall_i && !clear_i ? StallCauses'(1) << cause_i : '0;
    for (genvar i = 0; i < StallCauses; i++) begin : gen_cause
      assign stalls_d[i] = clear_i ? '0 : stalls_q[i] + StallBits'(1);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        stalls_q <= '0;
        cause_q <= '0;
      end else begin
        cause_q <= cause_d;
        for (int i = 0; i < StallCauses; i++) if (clear_i || cause_q[i]) stalls_q[i] <= stalls_d[i];
      end
    end
    assign perf_o.stalls = stalls_q;
  end else begin : gen_none
    logic unused;
    assign unused = &{1'b0, stall_i, cause_i};
    assign perf_o.stalls = '0;
  end

endmodule
