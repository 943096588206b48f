// The read channels of lutra_axi: lutra_read_port under any clients whose bursts stay in their 128 aligned bytes, with
// any subordinate that keeps the rules of AXI.

module formal_read_port
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [ReadClients-1:0] request_valid_i,
  input logic [ReadClients-1:0][ADDR_WIDTH-1:0] request_address_i,
  input logic [ReadClients-1:0][3:0] request_beats_i,
  input logic [ReadClients-1:0] response_ready_i,
  input logic arready_i,
  input logic rvalid_i,
  input logic [IdWidth-1:0] rid_i,
  input logic [DATA_WIDTH-1:0] rdata_i,
  input logic [1:0] rresp_i,
  input logic rlast_i
);

  logic [ReadClients-1:0] request_ready, response_valid;
  logic arvalid, rready;
  logic [IdWidth-1:0] arid;
  logic [ADDR_WIDTH-1:0] araddr;
  logic [7:0] arlen;
  logic [2:0] arsize;
  logic [1:0] arburst;
  lutra_read_port #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_port (
    .clk_i, .rst_ni, .request_valid_i,
    .request_ready_o(request_ready),
    .request_address_i, .request_beats_i,
    .response_valid_o(response_valid),
    .response_ready_i,
    .response_data_o(), .response_error_o(), .response_last_o(),
    .arvalid_o(arvalid),
    .arready_i,
    .arid_o(arid),
    .araddr_o(araddr),
    .arlen_o(arlen),
    .arsize_o(arsize),
    .arburst_o(arburst),
    .rvalid_i,
    .rready_o(rready),
    .rid_i, .rdata_i, .rresp_i, .rlast_i
  );

  lutra_axi_checker #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH),
    .ID_WIDTH(IdWidth),
    .MAX_WRITES(1),
    .MAX_READS(4),
    .MAX_AHEAD(1),
    .EXCLUSIVE(1'b0),
    .ASSUME_SUBORDINATE(1'b1)
  ) u_checker (
    .clk_i, .rst_ni, .awvalid_i(1'b0), .awready_i(1'b0), .awid_i('0), .awaddr_i('0), .awlen_i('0), .awsize_i('0),
    .awburst_i('0), .awlock_i('0), .awcache_i('0), .awprot_i('0), .awqos_i('0), .awregion_i('0), .wvalid_i(1'b0),
    .wready_i(1'b0), .wdata_i('0), .wstrb_i('0), .wlast_i(1'b0), .bvalid_i(1'b0), .bready_i(1'b0), .bid_i('0),
    .bresp_i('0),
    .arvalid_i(arvalid),
    .arready_i,
    .arid_i(arid),
    .araddr_i(araddr),
    .arlen_i(arlen),
    .arsize_i(arsize),
    .arburst_i(arburst),
    .arlock_i(1'b0), .arcache_i(4'b0011), .arprot_i('0), .arqos_i('0), .arregion_i('0), .rvalid_i,
    .rready_i(rready),
    .rid_i, .rdata_i, .rresp_i, .rlast_i
  );

  localparam int unsigned LaneBits = $clog2(DATA_WIDTH / 8);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    // No more are outstanding than the checker can follow.
    few: assume (request_valid_i == '0 || 4'(u_checker.u_reads.read_count_q) + 4'(arvalid) < 4'd4);
  end
  for (genvar c = 0; c < ReadClients; c++) begin : gen_client
    always_comb in_block: assume (5'(request_address_i[c][LaneBits+:4]) + 5'(request_beats_i[c]) <= 5'd15);
  end

  logic asked;
  logic [1:0] client, client_q;
  logic [ADDR_WIDTH-1:0] address_q;
  logic [3:0] beats_q;
  assign asked = |(request_valid_i & request_ready);
  always_comb begin
    client = '0;
    for (int c = 0; c < ReadClients; c++) if (request_ready[c] && request_valid_i[c]) client = 2'(c);
  end
  always_ff @(posedge clk_i) if (asked) begin
    client_q <= client;
    address_q <= request_address_i[client];
    beats_q <= request_beats_i[client];
  end
  always_comb if (rst_ni) begin
    one_client: assert ($onehot0(request_valid_i & request_ready));
    as_asked: assert (!arvalid || (arid == IdWidth'(client_q) && arlen == 8'(beats_q) &&
                                   araddr == {address_q[ADDR_WIDTH-1:LaneBits], LaneBits'(0)}));
    block_held: assert (!arvalid || 5'(address_q[LaneBits+:4]) + 5'(beats_q) <= 5'd15);
    answers_one: assert ($onehot0(response_valid));
    no_writes: assert (u_checker.u_writes.write_count_q == '0 && u_checker.u_writes.ahead_count_q == '0);
    follows: assert (4'(u_checker.u_reads.read_count_q) + 4'(arvalid) <= 4'd4);
    two_clients: cover (u_checker.u_reads.read_count_q == 3'd3 && rvalid_i);
  end

endmodule
