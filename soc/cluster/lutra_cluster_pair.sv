// Two cores that the host can couple: then they do the same packets, and what they write and complete is compared. They
// are not aligned by cycles, but wait for each other where they write. Uncoupled, all passes through.

module lutra_cluster_pair
  import lutra_cluster_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic couple_i,
  input  logic [7:0] patience_i,
  input  logic [1:0] out_i,     // of the cores that take packets, and nothing is in it
  input  logic takes_i,         // the first core does
  input  logic [1:0] idle_i,
  output logic coupled_o,
  output logic differs_o,

  // From the front to mailboxes and keys.
  input  orders_t [1:0] orders_i,
  output orders_t [1:0] orders_o,

  // As in lutra_cluster_join.
  input  logic [1:0] awvalid_i,
  output logic [1:0] awready_o,
  input  logic [1:0][IdWidth-1:0] awid_i,
  input  logic [1:0][ADDR_WIDTH-1:0] awaddr_i,
  input  logic [1:0][7:0] awlen_i,
  input  logic [1:0] wvalid_i,
  output logic [1:0] wready_o,
  input  logic [1:0][63:0] wdata_i,
  input  logic [1:0][7:0] wstrb_i,
  input  logic [1:0] wlast_i,
  output logic [1:0] bus_awvalid_o,
  input  logic [1:0] bus_awready_i,
  output logic [1:0] bus_wvalid_o,
  input  logic [1:0] bus_wready_i,
  output logic [1:0][7:0] bus_wstrb_o,

  // Completions of the cores, and what the front gets of them.
  input  logic [1:0] done_valid_i,
  output logic [1:0] done_ready_o,
  input  logic [1:0] done_half_i,
  input  logic [1:0][63:0] done_data_i,
  input  job_t [1:0] done_index_i,
  output logic [1:0] valid_o,
  input  logic [1:0] ready_i,
  output logic [1:0] half_o,
  output logic [1:0][63:0] data_o,
  output job_t [1:0] index_o,
  output logic [1:0] mismatch_o,
  input  logic [1:0] done_i,     // of the front
  output logic [1:0] done_o      // to the mailboxes
);

  // A difference stays until the pair is uncoupled: what one of the cores still does then does not reach memory.
  logic coupled_q, coupled_d, broken_q, broken_d, differs, found, out;
  assign out = out_i == '1;
  assign coupled_d = out ? couple_i : coupled_q;
  assign broken_d = coupled_d && (broken_q || differs || (coupled_q && found));
  assign coupled_o = coupled_q;
  assign differs_o = broken_q;

  // While the pair takes no packets and has none, each core is the host's, for firmware.
  lutra_cluster_join #(
    .ADDR_WIDTH(ADDR_WIDTH)
  ) u_join (
    .clk_i,
    .rst_ni,
    .joined_i(coupled_q && (takes_i || !idle_i[0] || broken_q)),
    .broken_i(broken_q),
    .patience_i,
    .differs_o(differs),
    .awvalid_i,
    .awready_o,
    .awid_i,
    .awaddr_i,
    .awlen_i,
    .wvalid_i,
    .wready_o,
    .wdata_i,
    .wstrb_i,
    .wlast_i,
    .bus_awvalid_o,
    .bus_awready_i,
    .bus_wvalid_o,
    .bus_wready_i,
    .bus_wstrb_o
  );

  logic agree_valid, agree_half, agree_differs;
  logic [1:0] agree_ready;
  logic [63:0] agree_data;
  job_t agree_index;
  lutra_cluster_agree u_agree (
    .clk_i,
    .rst_ni,
    .clear_i(out || !coupled_q),
    .busy_i(coupled_q && !idle_i[0]),
    .broken_i(broken_q),
    .found_o(found),
    .done_valid_i,
    .done_ready_o(agree_ready),
    .done_half_i,
    .done_data_i,
    .done_index_i,
    .valid_o(agree_valid),
    .ready_i(ready_i[0]),
    .half_o(agree_half),
    .data_o(agree_data),
    .index_o(agree_index),
    .differs_o(agree_differs)
  );

  always_comb begin
    orders_o = orders_i;
    done_ready_o = ready_i;
    valid_o = done_valid_i;
    half_o = done_half_i;
    data_o = done_data_i;
    index_o = done_index_i;
    mismatch_o = '0;
    done_o = done_i;
    if (coupled_q) begin
      orders_o[1] = orders_i[0];
      done_ready_o = agree_ready;
      valid_o = {1'b0, agree_valid};
      half_o[0] = agree_half;
      data_o[0] = agree_data;
      index_o = {2{agree_index}};
      mismatch_o[0] = agree_differs;
      done_o[1] = done_i[0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      coupled_q <= 1'b0;
      broken_q <= 1'b0;
    end else begin
      coupled_q <= coupled_d;
      broken_q <= broken_d;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && coupled_q) begin
      alike: assert (idle_i[0] == idle_i[1]) else $error("the mailboxes of a pair differ");
    end
  end
`endif

endmodule
