// Write channels of the AXI manager: bursts of two clients. Data follow in the order of the addresses.
//
// BREADY follows from registers of the clients only, as RREADY in the read port does.

module lutra_write_port
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned Lanes = DATA_WIDTH / 8
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  input  logic [WriteClients-1:0] request_valid_i,
  output logic [WriteClients-1:0] request_ready_o,
  input  logic [WriteClients-1:0][ADDR_WIDTH-1:0] request_address_i,  // the beat that holds it comes first
  input  logic [WriteClients-1:0][3:0] request_beats_i,               // less one

  input  logic [WriteClients-1:0] beat_valid_i,                       // may come before, with or after the request
  output logic [WriteClients-1:0] beat_ready_o,
  input  logic [WriteClients-1:0][DATA_WIDTH-1:0] beat_data_i,
  input  logic [WriteClients-1:0][Lanes-1:0] beat_strobe_i,
  input  logic [WriteClients-1:0] beat_last_i,

  output logic [WriteClients-1:0] response_valid_o,
  input  logic [WriteClients-1:0] response_ready_i,                   // all have to be, for any response
  output logic   response_error_o,

  output logic   awvalid_o,
  input  logic   awready_i,
  output logic [IdWidth-1:0] awid_o,
  output logic [ADDR_WIDTH-1:0] awaddr_o,
  output logic [7:0] awlen_o,
  output logic [2:0] awsize_o,
  output logic [1:0] awburst_o,
  output logic   wvalid_o,
  input  logic   wready_i,
  output logic [DATA_WIDTH-1:0] wdata_o,
  output logic [Lanes-1:0] wstrb_o,
  output logic   wlast_o,
  input  logic   bvalid_i,
  output logic   bready_o,
  input  logic [IdWidth-1:0] bid_i,
  input  logic [1:0] bresp_i
);

  localparam int unsigned LaneBits = $clog2(Lanes);
  typedef struct packed {
    write_client_e client;
    logic [ADDR_WIDTH-1:LaneBits] beat;
    logic [3:0] beats;
  } request_t;
  typedef struct packed {
    logic [DATA_WIDTH-1:0] data;
    logic [Lanes-1:0] strobe;
    logic last;
  } beat_t;

  // Completions first: they are short.
  logic request_free, order_ready, granted;
  write_client_e client;
  logic awvalid_q, awvalid_d;
  request_t request_q, request_d;
  assign request_free = (!awvalid_q || awready_i) && order_ready;
  assign client = request_valid_i[WriteCompletions] ? WriteCompletions : WriteData;
  assign granted = request_free && |request_valid_i;
  always_comb begin
    request_ready_o = '0;
    request_ready_o[client] = request_free;
    awvalid_d = granted || (awvalid_q && !awready_i);
    request_d = request_q;
    if (granted) begin
      request_d = '{
        client: client, beat: request_address_i[client][ADDR_WIDTH-1:LaneBits], beats: request_beats_i[client]
      };
    end
  end

  // Whose beats come now.
  logic turn_valid, beat_free, beat_taken, turn_bit;
  write_client_e turn;
  assign turn = write_client_e'(turn_bit);
  lutra_queue #(.Depth(2), .Width(1)) u_order (
    .clk_i,
    .rst_ni,
    .push_valid_i(granted),
    .push_ready_o(order_ready),
    .push_i(client),
    .head_valid_o(turn_valid),
    .head_ready_i(beat_taken && beat_last_i[turn]),
    .head_o(turn_bit)
  );

  logic wvalid_q, wvalid_d;
  beat_t beat_q, beat_d;
  assign beat_free = turn_valid && (!wvalid_q || wready_i);
  assign beat_taken = beat_free && beat_valid_i[turn];
  always_comb begin
    beat_ready_o = '0;
    beat_ready_o[turn] = beat_free;
    wvalid_d = beat_taken || (wvalid_q && !wready_i);
    beat_d = beat_q;
    if (beat_taken) beat_d = {beat_data_i[turn], beat_strobe_i[turn], beat_last_i[turn]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      awvalid_q <= 1'b0;
      wvalid_q <= 1'b0;
    end else begin
      awvalid_q <= awvalid_d;
      wvalid_q <= wvalid_d;
    end
  end
  always_ff @(posedge clk_i) begin
    request_q <= request_d;
    beat_q <= beat_d;
  end

  assign awvalid_o = awvalid_q;
  assign awid_o = IdWidth'(request_q.client);
  assign awaddr_o = {request_q.beat, LaneBits'(0)};
  assign awlen_o = 8'(request_q.beats);
  assign awsize_o = 3'(LaneBits);
  assign awburst_o = 2'b01;  // INCR
  assign wvalid_o = wvalid_q;
  assign wdata_o = beat_q.data;
  assign wstrb_o = beat_q.strobe;
  assign wlast_o = beat_q.last;

  assign bready_o = &response_ready_i;
  always_comb begin
    for (int c = 0; c < WriteClients; c++) response_valid_o[c] = bvalid_i && bready_o && bid_i == IdWidth'(c);
  end
  assign response_error_o = bresp_i != 2'b00;

endmodule
