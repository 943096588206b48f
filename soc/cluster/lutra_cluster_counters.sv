// Statistics of the cluster.

module lutra_cluster_counters #(
  parameter int unsigned CORES = 4,
  parameter int unsigned LOCKSTEP_PAIRS = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,

  input  logic key_i,
  input  logic full_i,
  input  logic late_i,
  input  logic mismatch_i,
  input  logic [CORES-1:0] taken_i,

  output logic [31:0] keys_o,
  output logic [31:0] full_cycles_o,
  output logic [31:0] order_cycles_o,
  output logic [31:0] mismatches_o,
  output logic [CORES-1:0][31:0] packets_o
);

  localparam int unsigned Mismatches = 32'(LOCKSTEP_PAIRS != 0);  // without pairs there are none
  localparam int unsigned Counters = CORES + 3 + Mismatches;
  logic [Counters-1:0][31:0] counts_q, counts_d;
  logic [Counters-1:0] events;
  assign events = Counters'({mismatch_i, taken_i, late_i, full_i, key_i});

  always_comb begin
    for (int i = 0; i < Counters; i++) counts_d[i] = clear_i ? '0 : counts_q[i] + 32'(events[i]);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counts_q <= '0;
    else counts_q <= counts_d;
  end
  assign {packets_o, order_cycles_o, full_cycles_o, keys_o} = counts_q[CORES+2:0];
  assign mismatches_o = LOCKSTEP_PAIRS != 0 ? counts_q[Counters-1] : '0;

endmodule
