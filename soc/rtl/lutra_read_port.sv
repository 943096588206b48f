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
endmodule
