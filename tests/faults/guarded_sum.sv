// A sum with a shadow in inverted polarity, and a memory of earlier sums: a small design with an alert, for tests of
// fault campaigns.

module guarded_sum #(
  parameter bit GUARDED = 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic add_i,    // the value
  input  logic store_i,  // the sum, to a row
  input  logic load_i,   // a row; it is added in the cycle after
  input  logic [2:0] row_i,
  input  logic [7:0] value_i,
  output logic [7:0] sum_o,
  output logic alert_o
);

  logic loaded_q;
  logic [7:0] sum_q, sum_d, row;
  lutra_sram #(
    .Depth(8),
    .Width(8)
  ) u_rows (
    .clk_i,
    .req_i(store_i || load_i),
    .we_i(store_i),
    .index_i(row_i),
    .wdata_i(sum_q),
    .rdata_o(row)
  );

  always_comb begin
    sum_d = sum_q;
    if (add_i) sum_d += value_i;
    if (loaded_q) sum_d += row;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) loaded_q <= 1'b0;
    else loaded_q <= load_i && !store_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sum_q <= '0;
    else sum_q <= sum_d;
  end
  assign sum_o = sum_q;

  if (GUARDED) begin : gen_shadow
    (* keep *) logic [7:0] shadow_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) shadow_q <= '1;
      else shadow_q <= ~sum_d;
    end
    assign alert_o = shadow_q != ~sum_q;
  end else begin : gen_none
    assign alert_o = 1'b0;
  end

endmodule
