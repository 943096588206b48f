// A machine with a host's port and a state that a host polls, for tests of fault campaigns: it adds rows 0 to 7 of its
// memory and leaves the sum in row 8.

module small_machine (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic host_req_i,
  input  logic host_we_i,
  input  logic [3:0] host_row_i,
  input  logic [7:0] host_wdata_i,
  output logic host_gnt_o,
  output logic host_rvalid_o,
  output logic [7:0] host_rdata_o,
  input  logic start_i,
  output logic [1:0] state_o  // idle, running, halted, trapped
);

  logic [1:0] state_q, state_d;
  logic [3:0] row_q, row_d;
  logic [7:0] sum_q, sum_d, rdata;
  logic running, loaded_q, rvalid_q;
  assign running = state_q == 2'd1;

  lutra_sram #(
    .Depth(16),
    .Width(8)
  ) u_rows (
    .clk_i,
    .req_i(host_gnt_o || running),
    .we_i(running ? row_q == 4'd9 : host_we_i),
    .index_i(running ? (row_q == 4'd9 ? 4'd8 : row_q) : host_row_i),
    .wdata_i(running ? sum_q : host_wdata_i),
    .rdata_o(rdata)
  );

  always_comb begin
    state_d = state_q;
    row_d = row_q;
    sum_d = sum_q;
    if (running) begin
      row_d = row_q + 4'd1;
      if (loaded_q) sum_d = sum_q + rdata;
      if (row_q == 4'd9) state_d = 2'd2;
      if (row_q > 4'd9) state_d = 2'd3;
    end else if (start_i) begin
      state_d = 2'd1;
      row_d = '0;
      sum_d = '0;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {state_q, row_q, sum_q, loaded_q, rvalid_q} <= '0;
    else begin
      state_q <= state_d;
      row_q <= row_d;
      sum_q <= sum_d;
      loaded_q <= running && row_q < 4'd8;
      rvalid_q <= host_gnt_o && !host_we_i;
    end
  end
  assign host_gnt_o = host_req_i && !running;
  assign host_rvalid_o = rvalid_q;
  assign host_rdata_o = rvalid_q ? rdata : '0;
  assign state_o = state_q;

endmodule
