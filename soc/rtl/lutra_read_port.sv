// Read channels of the AXI manager: bursts of several clients, told apart by their ids. Any number may be outstanding;
// those of one client are answered in order.
//
// RREADY follows from registers of the clients only: whether they can take a beat may not depend on its being there.

module lutra_read_port
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  input  logic [ReadClients-1:0] request_valid_i,
  output logic [ReadClients-1:0] request_ready_o,
  input  logic [ReadClients-1:0][ADDR_WIDTH-1:0] request_address_i,  // the beat that holds it comes first
  input  logic [ReadClients-1:0][3:0] request_beats_i,               // less one

  output logic [ReadClients-1:0] response_valid_o,
  input  logic [ReadClients-1:0] response_ready_i,                   // all have to be, for any beat
  output logic [DATA_WIDTH-1:0] response_data_o,
  output logic   response_error_o,
  output logic   response_last_o,                                    // of the burst

  output logic   arvalid_o,
  input  logic   arready_i,
  output logic [IdWidth-1:0] arid_o,
  output logic [ADDR_WIDTH-1:0] araddr_o,
  output logic [7:0] arlen_o,
  output logic [2:0] arsize_o,
  output logic [1:0] arburst_o,
  input  logic   rvalid_i,
  output logic   rready_o,
  input  logic [IdWidth-1:0] rid_i,
  input  logic [DATA_WIDTH-1:0] rdata_i,
  input  logic [1:0] rresp_i,
  input  logic   rlast_i
);

  localparam int unsigned LaneBits = $clog2(DATA_WIDTH / 8);
  typedef struct packed {
    logic [1:0] client;
    logic [ADDR_WIDTH-1:LaneBits] beat;
    logic [3:0] beats;
  } request_t;

  // The lowest client first: what fetches is short, and data need it.
  logic free;
  logic [ReadClients-1:0] grant;
  logic arvalid_q, arvalid_d;
  request_t request_q, request_d;
  assign free = !arvalid_q || arready_i;
  assign grant = request_valid_i & ~(request_valid_i - ReadClients'(1));
  assign request_ready_o = free ? grant : '0;

  always_comb begin
    arvalid_d = free ? |request_valid_i : arvalid_q;
    request_d = request_q;
    if (free) begin
      request_d = '0;
      for (int c = 0; c < ReadClients; c++) begin
        if (grant[c]) request_d |= {2'(c), request_address_i[c][ADDR_WIDTH-1:LaneBits], request_beats_i[c]};
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) arvalid_q <= 1'b0;
    else arvalid_q <= arvalid_d;
  end
  always_ff @(posedge clk_i) request_q <= request_d;

  assign arvalid_o = arvalid_q;
  assign arid_o = IdWidth'(request_q.client);
  assign araddr_o = {request_q.beat, LaneBits'(0)};
  assign arlen_o = 8'(request_q.beats);
  assign arsize_o = 3'(LaneBits);
  assign arburst_o = 2'b01;  // INCR

  assign rready_o = &response_ready_i;
  always_comb begin
    for (int c = 0; c < ReadClients; c++) response_valid_o[c] = rvalid_i && rready_o && rid_i == IdWidth'(c);
  end
  assign response_data_o = rdata_i;
  assign response_error_o = rresp_i != 2'b00;
  assign response_last_o = rlast_i;

endmodule
