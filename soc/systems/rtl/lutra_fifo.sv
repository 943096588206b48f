// A FIFO of DEPTH words. Data leaves it in the cycle after it came in, at the earliest.

module lutra_fifo #(
  parameter int unsigned WIDTH = 33,
  parameter int unsigned DEPTH = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [WIDTH-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [WIDTH-1:0] data_o
);
  localparam int unsigned Bits = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam logic [Bits-1:0] Last = Bits'(DEPTH - 1);

  logic [DEPTH-1:0][WIDTH-1:0] words_q;
  logic [Bits-1:0] in_q, out_q;
  logic [Bits:0] count_q;
  logic push, pop;

  assign ready_o = count_q != (Bits+1)'(DEPTH);
  assign valid_o = count_q != 0;
  assign data_o = words_q[out_q];
  assign push = valid_i && ready_o;
  assign pop = valid_o && ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {in_q, out_q, count_q} <= '0;
    else begin
      if (push) in_q <= in_q == Last ? '0 : in_q + 1'b1;
      if (pop) out_q <= out_q == Last ? '0 : out_q + 1'b1;
      count_q <= count_q + (Bits+1)'(push) - (Bits+1)'(pop);
    end
  end
  always_ff @(posedge clk_i) if (push) words_q[in_q] <= data_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) assert (count_q <= (Bits+1)'(DEPTH));
`endif

endmodule
