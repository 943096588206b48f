// The core's host port, shared by the units that place, read and issue. Fixed precedence; one access per cycle.

module lutra_row_port
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
(
  input  port_request_t [PortClients-1:0] request_i,
  output logic [PortClients-1:0] grant_o,

  output logic   host_req_o,
  output logic   host_we_o,
  output space_e host_space_o,
  output addr_t  host_row_o,
  output vec_t   host_wdata_o,
  input  logic   host_gnt_i
);

  logic [PortClients-1:0] valid, first;
  always_comb begin
    for (int c = 0; c < PortClients; c++) valid[c] = request_i[c].valid;
  end
  assign first = valid & ~(valid - PortClients'(1));
  assign grant_o = host_gnt_i ? first : '0;

  port_request_t taken;
  always_comb begin
    taken = '0;
    for (int c = 0; c < PortClients; c++) taken |= first[c] ? request_i[c] : '0;
  end
  assign host_req_o = taken.valid;
  assign host_we_o = taken.write;
  assign host_space_o = taken.space;
  assign host_row_o = taken.row;
  // A word of the program memory is in the first bytes of its row, the least significant byte first.
  assign host_wdata_o = taken.space == SpaceProgram ?
                        vec_t'({swapped(taken.data[95:64]), swapped(taken.data[127:96])}) : taken.data;

endmodule
