// The core's host port, shared by the units that place, read and issue. Fixed precedence; one access per cycle. A request
// waits in a register for the core, so neither the units nor what they do with a grant are in the paths of its memories.

module lutra_row_port
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_soc_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  port_request_t [PortClients-1:0] request_i,
  output logic [PortClients-1:0] grant_o,  // taken; the core has it in a later cycle, before those that are taken then
  output logic read_o,                     // data of a read are there; they come in the order of the grants

  output logic   host_req_o,
  output logic   host_we_o,
  output space_e host_space_o,
  output addr_t  host_row_o,
  output vec_t   host_wdata_o,
  input  logic   host_gnt_i
);

  logic [PortClients-1:0] valid, first;
  logic valid_q, valid_d, read_q, read_d, free;
  always_comb begin
    for (int c = 0; c < PortClients; c++) valid[c] = request_i[c].valid;
  end
  assign first = valid & ~(valid - PortClients'(1));
  assign free = !valid_q || host_gnt_i;
  assign grant_o = free ? first : '0;
  assign valid_d = valid != '0 || !free;

  port_request_t taken, held_q, held_d;
  always_comb begin
    taken = '0;
    for (int c = 0; c < PortClients; c++) taken |= first[c] ? request_i[c] : '0;
    // A word of the program memory is in the first bytes of its row, the least significant byte first.
    if (taken.space == SpaceProgram) taken.data = row_t'({swapped(taken.data[95:64]), swapped(taken.data[127:96])});
    held_d = free ? taken : held_q;
  end
  assign read_d = valid_q && host_gnt_i && !held_q.write;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      read_q <= 1'b0;
    end else begin
      valid_q <= valid_d;
      read_q <= read_d;
    end
  end
  always_ff @(posedge clk_i) held_q <= held_d;

  assign read_o = read_q;
  assign host_req_o = valid_q;
  assign host_we_o = held_q.write;
  assign host_space_o = held_q.space;
  assign host_row_o = held_q.row;
  assign host_wdata_o = vec_t'(held_q.data);
  logic unused;
  assign unused = held_q.valid;

endmodule
