// A table bank: every lane's look-up returns what was last written to the row that its byte selects. An arbitrary row
// is followed.

module formal_table
  import lutra_isa_pkg::*;
(
  input logic clk_i,
  input logic lookup_en_i,
  input vec_t lookup_i,
  input logic write_en_i,
  input logic [7:0] write_row_i,
  input logic [VectorBytes-1:0] write_lanes_i,
  input vec_t write_data_i,
  input logic scatter_en_i,
  input vec_t scatter_rows_i,
  input vec_t scatter_data_i,
  input logic host_req_i,
  input logic host_we_i,
  input logic [7:0] host_row_i,
  input vec_t host_wdata_i,
  input logic [7:0] row_i
);

  logic started_q = 1'b0;
  logic [7:0] row_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    row_q <= row_i;
  end
  always_comb begin
    row_stays: assume (!started_q || row_i == row_q);
    // Proven on the core.
    one_access: assume ($onehot0({lookup_en_i, write_en_i, scatter_en_i, host_req_i}));
    host_waits: assume (!((write_en_i || scatter_en_i) && host_we_i));
  end

  vec_t rdata;
  lutra_table u_table (
    .clk_i,
    .lookup_en_i,
    .lookup_i,
    .write_en_i,
    .write_row_i,
    .write_lanes_i,
    .write_data_i,
    .scatter_en_i,
    .scatter_rows_i,
    .scatter_data_i,
    .host_req_i,
    .host_we_i,
    .host_row_i,
    .host_wdata_i,
    .write_again_i(1'b1),
    .write_parity_i('0),
    .differ_o(),
    .same_o(),
    .rdata_o(rdata),
    .wrong_o(),
    .right_o()
  );

  for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
    localparam int unsigned Byte = 8 * (VectorBytes - 1 - l);
    // What was written last, and whether the row was looked up in the cycle before.
    logic written_q = 1'b0, looked_q = 1'b0;
    logic [7:0] value_q, was_q;
    always_ff @(posedge clk_i) begin
      if (write_en_i && write_lanes_i[l] && write_row_i == row_i) begin
        written_q <= 1'b1;
        value_q <= write_data_i[Byte+:8];
      end
      if (scatter_en_i && scatter_rows_i[Byte+:8] == row_i) begin
        written_q <= 1'b1;
        value_q <= scatter_data_i[Byte+:8];
      end
      if (host_req_i && host_we_i && host_row_i == row_i) begin
        written_q <= 1'b1;
        value_q <= host_wdata_i[Byte+:8];
      end
      looked_q <= written_q && ((lookup_en_i && lookup_i[Byte+:8] == row_i) || (host_req_i && !host_we_i && host_row_i == row_i));
      was_q <= value_q;
      reads_back: assert (!looked_q || rdata[Byte+:8] == was_q);
      held: assert (!written_q || u_table.gen_lane[l].u_sram.mem_q[row_i] == value_q);
      looked: cover (looked_q);
    end
  end

endmodule
