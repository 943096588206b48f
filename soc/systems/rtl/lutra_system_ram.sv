// RAM with a port for instructions, one for data, one of 16 bytes for attachments, and one for a DMA. A response to the
// host comes 1 + waits_i cycles after its request. A model for simulation: `+ram=FILE` has the contents for $readmemh,
// a word per line.

module lutra_system_ram
  import lutra_system_pkg::*;
#(
  parameter int unsigned Words = 131072
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic [7:0]    waits_i,
  input  request_t      insn_i,
  output response_t     insn_o,
  input  request_t      data_i,
  output response_t     data_o,
  input  wide_request_t wide_i,
  output logic [127:0]  wide_o,
  input  dma_request_t  dma_i,
  output logic [8*DmaBytes-1:0] dma_o
);
  localparam int unsigned Bits = $clog2(Words);

  logic [31:0] mem [Words];
  string file;
  initial if ($value$plusargs("ram=%s", file)) $readmemh(file, mem);

  request_t [1:0] port;
  response_t [1:0] answer;
  assign port = {data_i, insn_i};
  assign {data_o, insn_o} = answer;

  for (genvar p = 0; p < 2; p++) begin : gen_port
    logic [7:0] left_q;
    logic busy_q, last;
    logic [31:0] rdata_q;
    assign last = busy_q && left_q == 0;
    assign answer[p].gnt = port[p].req && (!busy_q || last);
    assign answer[p].rvalid = last;
    assign answer[p].rdata = rdata_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        busy_q <= 1'b0;
        left_q <= '0;
      end else if (answer[p].gnt) begin
        busy_q <= 1'b1;
        left_q <= waits_i;
      end else if (last) busy_q <= 1'b0;
      else if (busy_q) left_q <= left_q - 1'b1;
    end
    always_ff @(posedge clk_i) if (answer[p].gnt) rdata_q <= mem[port[p].addr[Bits+1:2]];
  end

  always_ff @(posedge clk_i) begin
    if (answer[1].gnt && data_i.we) begin
      for (int b = 0; b < 4; b++) if (data_i.be[b]) mem[data_i.addr[Bits+1:2]][8*b+:8] <= data_i.wdata[8*b+:8];
    end
    if (wide_i.req && wide_i.we) begin
      for (int w = 0; w < 4; w++) mem[{wide_i.addr[Bits+1:4], 2'(w)}] <= swapped(wide_i.wdata[32*(3-w)+:32]);
    end
    if (dma_i.we) begin
      for (int b = 0; b < DmaBytes; b++) begin
        if (dma_i.wstrb[b]) mem[{dma_i.waddr[Bits+1:3], 1'(b / 4)}][8*(b%4)+:8] <= dma_i.wdata[8*b+:8];
      end
    end
    for (int w = 0; w < 4; w++) wide_o[32*(3-w)+:32] <= swapped(mem[{wide_i.addr[Bits+1:4], 2'(w)}]);
  end

  assign dma_o = {mem[{dma_i.raddr[Bits+1:3], 1'b1}], mem[{dma_i.raddr[Bits+1:3], 1'b0}]};

endmodule
