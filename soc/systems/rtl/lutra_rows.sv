// Rows of the core for a bus of 32 bits: a buffer of four words is one access of the core's port.
//
//   23      1: control. Word 0, written: start at the entry; read: the state
//   22:20   space
//   19:4    row, or word of the program memory, which is the last eight bytes of its row
//   3:2     word: writing word 3 writes the row, reading word 0 reads it
//
// A response comes a cycle after its request, as long as the core leaves its memory to the host.

module lutra_rows
  import lutra_isa_pkg::*;
  import lutra_system_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  request_t       bus_i,
  output response_t      bus_o,
  output port_request_t  port_o,
  input  port_response_t port_i
);
  logic control, access;
  logic [1:0] word;
  assign control = bus_i.addr[23];
  assign word = bus_i.addr[3:2];
  assign access = bus_i.req && !control && (bus_i.we ? word == 2'd3 : word == 2'd0);

  logic [3:0][31:0] buffer_q, buffer_d;  // word 0 is [3]
  logic rvalid_q, row_q, row_d, control_q, control_d;
  logic [1:0] word_q, word_d;

  always_comb begin
    port_o = '0;
    port_o.req = access;
    port_o.we = bus_i.we;
    port_o.space = space_e'(bus_i.addr[22:20]);
    port_o.row = addr_t'(bus_i.addr[19:4]);
    port_o.wdata = {buffer_q[3:1], swapped(bus_i.wdata)};
    port_o.start = bus_i.req && control && bus_i.we;
    port_o.entry = addr_t'(bus_i.wdata);
  end

  always_comb begin
    bus_o.gnt = bus_i.req && (!access || port_i.gnt);
    bus_o.rvalid = rvalid_q;
    bus_o.rdata = control_q ? 32'(port_i.state) : swapped(row_q ? port_i.rdata[127:96] : buffer_q[2'd3 - word_q]);

    buffer_d = buffer_q;
    if (row_q) buffer_d = port_i.rdata;
    if (bus_o.gnt && bus_i.we && !control) buffer_d[2'd3 - word] = swapped(bus_i.wdata);
    row_d = bus_o.gnt && access && !bus_i.we;
    control_d = control;
    word_d = word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {rvalid_q, row_q} <= '0;
    else {rvalid_q, row_q} <= {bus_o.gnt, row_d};
  end
  always_ff @(posedge clk_i) begin
    buffer_q <= buffer_d;
    control_q <= control_d;
    word_q <= word_d;
  end

endmodule
