// All pipelines next to each other, with the ports of fixed_bench: `core_i` is the number of a pipeline in
// pipelines.py, which counts through the registers inside a round, then the rounds, then without and with a counter.

module pipeline_bench
  import lutra_fixed_pkg::*;
#(
  parameter int unsigned First = 24  // so many of them, the others do not answer
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [4:0]   core_i,

  input  logic         setup_valid_i,
  output logic         setup_ready_o,
  input  logic [319:0] setup_i,

  input  logic         valid_i,
  output logic         ready_o,
  input  logic [127:0] data_i,
  output logic         valid_o,
  output logic [127:0] data_o
);

  localparam int unsigned Inners = 3;
  localparam int unsigned Sizes = 4;
  localparam int unsigned Unrolled[Sizes] = '{1, 2, 5, 10};
  localparam int unsigned Cores = 2 * Sizes * Inners;

  logic [Cores-1:0] setup_ready, ready, valid;
  block_t data[Cores];

  for (genvar i = First; i < Cores; i++) begin : gen_none
    assign {setup_ready[i], ready[i], valid[i], data[i]} = '0;
  end
  for (genvar i = 0; i < First; i++) begin : gen_core
    lutra_fixed_pipeline #(
      .Unrolled(Unrolled[i / Inners % Sizes]), .Inner(i % Inners), .Counter(i >= Sizes * Inners)
    ) u_pipeline (
      .clk_i, .rst_ni,
      .setup_valid_i(setup_valid_i && core_i == 5'(i)), .setup_ready_o(setup_ready[i]), .setup_i(setup_i),
      .valid_i(valid_i && core_i == 5'(i)), .ready_o(ready[i]), .data_i(data_i),
      .valid_o(valid[i]), .data_o(data[i])
    );
  end

  assign setup_ready_o = setup_ready[core_i];
  assign ready_o = ready[core_i];
  assign valid_o = valid[core_i];
  assign data_o = data[core_i];

endmodule
