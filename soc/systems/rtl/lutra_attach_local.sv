// S2: the core on the host's local bus: rows through a window of 32 bits, and, with WINDOW = 128, whole rows between a
// RAM and the core by one store. The store's address names the row as in lutra_rows; bit 24 selects a move, bit 25 its
// direction (1: from the core), and the stored word is the address in RAM. A move takes two cycles.

module lutra_attach_local
  import lutra_isa_pkg::*;
  import lutra_system_pkg::*;
#(
  parameter int unsigned WINDOW = 128
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  request_t       bus_i,
  output response_t      bus_o,
  output wide_request_t  wide_o,
  input  logic [127:0]   wide_i,
  output port_request_t  port_o,
  input  port_response_t port_i
);
  request_t rows;
  response_t rows_answer;
  port_request_t rows_port;

  lutra_rows u_rows (
    .clk_i, .rst_ni, .bus_i(rows), .bus_o(rows_answer), .port_o(rows_port), .port_i
  );

  if (WINDOW == 128) begin : gen_wide
    // A move to the core reads the RAM and then writes the row; one from the core the other way round.
    logic move, out, second_q, second_d, done_q, done_d;
    logic [31:0] addr_q;
    logic out_q;
    space_e space_q;
    addr_t row_q;

    assign move = bus_i.req && bus_i.we && bus_i.addr[24];
    assign out = bus_i.addr[25];
    always_comb begin
      rows = bus_i;
      rows.req = bus_i.req && !move && !second_q;
      port_o = rows_port;
      wide_o = '{req: move && !out, we: 1'b0, addr: bus_i.wdata, wdata: port_i.rdata};
      if (second_q) begin
        wide_o.req = out_q;
        wide_o.we = out_q;
        wide_o.addr = addr_q;
        port_o = '0;
        port_o.req = !out_q;
        port_o.we = 1'b1;
        port_o.space = space_q;
        port_o.row = row_q;
        port_o.wdata = wide_i;
      end else if (move) begin
        port_o = '0;
        port_o.req = out;
        port_o.space = space_e'(bus_i.addr[22:20]);
        port_o.row = addr_t'(bus_i.addr[19:4]);
      end
    end
    always_comb begin
      bus_o = rows_answer;
      bus_o.rvalid |= done_q;
      second_d = 1'b0;
      done_d = 1'b0;
      if (second_q) begin
        bus_o.gnt = 1'b0;
        done_d = out_q || port_i.gnt;
        second_d = !done_d;
      end else if (move) begin
        bus_o.gnt = !out || port_i.gnt;
        second_d = bus_o.gnt;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {second_q, done_q} <= '0;
      else {second_q, done_q} <= {second_d, done_d};
    end
    always_ff @(posedge clk_i) begin
      if (!second_q) begin
        addr_q <= bus_i.wdata;
        out_q <= out;
        space_q <= space_e'(bus_i.addr[22:20]);
        row_q <= addr_t'(bus_i.addr[19:4]);
      end
    end
  end else begin : gen_narrow
    assign rows = bus_i;
    assign bus_o = rows_answer;
    assign port_o = rows_port;
    assign wide_o = '0;
    logic unused;
    assign unused = ^wide_i;
  end

endmodule
