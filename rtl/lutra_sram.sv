// Single-port synchronous SRAM, the place of one technology macro; the output holds until the next read.

module lutra_sram #(
  parameter int unsigned Depth = 256,
  parameter int unsigned Width = 8,
  localparam int unsigned IndexBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic clk_i,
  input  logic req_i,
  input  logic we_i,
  input  logic [IndexBits-1:0] index_i,
  input  logic [Width-1:0] wdata_i,
  output logic [Width-1:0] rdata_o
);

  // A macro in silicon: what toggles in it says nothing of this design.
  // verilator coverage_off
  logic [Width-1:0] mem_q[Depth];
  // verilator coverage_on

  always_ff @(posedge clk_i) begin
    if (req_i) begin
      if (we_i) mem_q[index_i] <= wdata_i;
      else rdata_o <= mem_q[index_i];
    end
  end

endmodule
