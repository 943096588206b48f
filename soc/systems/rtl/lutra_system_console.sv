// What a program writes to here appears on the simulation's output, without costing it more than the store:
//
//   00  a character          04  exit with a code        08  address for the next dump
//   0c  dump so many bytes   10  mark: a number, then cycles, words moved, cycles busy, cycles the core ran
//   14  watch: print the cycle in which the word at this address is first written
//
// Reading gives the cycle.

module lutra_system_console
  import lutra_system_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  request_t      bus_i,
  output response_t     bus_o,
  input  request_t      data_i,  // what the watch looks at: stores of the host, and of attachments
  input  logic          data_gnt_i,
  input  wide_request_t wide_i,
  input  dma_request_t  dma_i,
  input  traffic_t      traffic_i,
  input  logic          running_i
);
  logic [63:0] cycle_q, words_q, busy_q, running_q;
  logic [31:0] dump_q;
  logic [29:0] watch_q;
  logic watching_q, rvalid_q;

  assign bus_o = '{gnt: bus_i.req, rvalid: rvalid_q, rdata: cycle_q[31:0]};

  logic written;
  assign written = (data_i.req && data_i.we && data_gnt_i && data_i.addr[31:2] == watch_q)
                || (wide_i.req && wide_i.we && wide_i.addr[31:4] == watch_q[29:2])
                || (dma_i.we && dma_i.waddr[31:3] == watch_q[29:1]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {cycle_q, words_q, busy_q, running_q, dump_q, watch_q, watching_q, rvalid_q} <= '0;
    end else begin
      cycle_q <= cycle_q + 1;
      words_q <= words_q + 64'(traffic_i.words);
      busy_q <= busy_q + 64'(traffic_i.busy);
      running_q <= running_q + 64'(running_i);
      rvalid_q <= bus_i.req;
      if (watching_q && written) begin
        watching_q <= 1'b0;
        $display("first %0d", cycle_q);
      end
      if (bus_i.req && bus_i.we) begin
        unique case (bus_i.addr[7:2])
          0: $write("%c", bus_i.wdata[7:0]);
          1: begin
            $display("exit %0d", bus_i.wdata);
            $finish;
          end
          2: dump_q <= bus_i.wdata;
          3: begin
            $write("dump ");
            for (int unsigned i = 0; i < bus_i.wdata; i++) $write("%02x", byte_at(19'(dump_q + i)));
            $write("\n");
          end
          4: $display("mark %0d %0d %0d %0d %0d", bus_i.wdata, cycle_q, words_q, busy_q, running_q);
          5: begin
            watch_q <= bus_i.wdata[31:2];
            watching_q <= 1'b1;
          end
          default: $display("error: nothing at %08x of the console", bus_i.addr);
        endcase
      end
    end
  end

  function automatic logic [7:0] byte_at(logic [18:0] addr);
    return lutra_system.u_ram.mem[addr[18:2]][8*addr[1:0]+:8];
  endfunction

endmodule
