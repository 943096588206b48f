// Write channels of the AXI manager: bursts of two clients. Data follow in the order of the addresses.

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

  output logic [WriteClients-1:0] response_valid_o,                   // always taken
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
endmodule
