// RAM as an AXI4 subordinate, for the DMA of S5: bursts of type INCR with beats of DATA_WIDTH bits, in order, OPEN of
// them at a time. Data of a read begins 1 + latency_i cycles after its address, a write's response as long after its
// last beat. A model for simulation.

module lutra_system_axi
  import lutra_system_pkg::*;
#(
  parameter int unsigned DATA_WIDTH = 64,
  parameter int unsigned ID_WIDTH = 3,
  parameter int unsigned OPEN = 16  // bursts in each direction
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [7:0]              latency_i,
  input  logic                    s_axi_awvalid,
  output logic                    s_axi_awready,
  input  logic [ID_WIDTH-1:0]     s_axi_awid,
  input  logic [31:0]             s_axi_awaddr,
  input  logic                    s_axi_wvalid,
  output logic                    s_axi_wready,
  input  logic [DATA_WIDTH-1:0]   s_axi_wdata,
  input  logic [DATA_WIDTH/8-1:0] s_axi_wstrb,
  input  logic                    s_axi_wlast,
  output logic                    s_axi_bvalid,
  input  logic                    s_axi_bready,
  output logic [ID_WIDTH-1:0]     s_axi_bid,
  input  logic                    s_axi_arvalid,
  output logic                    s_axi_arready,
  input  logic [ID_WIDTH-1:0]     s_axi_arid,
  input  logic [31:0]             s_axi_araddr,
  input  logic [7:0]              s_axi_arlen,
  output logic                    s_axi_rvalid,
  input  logic                    s_axi_rready,
  output logic [ID_WIDTH-1:0]     s_axi_rid,
  output logic [DATA_WIDTH-1:0]   s_axi_rdata,
  output logic                    s_axi_rlast,
  // RAM: what is read comes in the same cycle.
  output logic [31:0]             ram_raddr_o,
  input  logic [DATA_WIDTH-1:0]   ram_rdata_i,
  output logic                    ram_we_o,
  output logic [31:0]             ram_waddr_o,
  output logic [DATA_WIDTH-1:0]   ram_wdata_o,
  output logic [DATA_WIDTH/8-1:0] ram_wstrb_o
);
  localparam int unsigned Bytes = DATA_WIDTH / 8;
  localparam int unsigned IndexBits = $clog2(OPEN);

  typedef struct packed {
    logic [ID_WIDTH-1:0] id;
    logic [31:0] addr;
    logic [7:0] beats;  // less one
    logic [31:0] due;  // the cycle from which on it is answered
  } burst_t;

  logic [31:0] now_q;
  burst_t [OPEN-1:0] read_q, write_q, answer_q;
  logic [IndexBits:0] reads_q, writes_q, answers_q;
  logic [7:0] read_beat_q, write_beat_q;
  logic ar, r, aw, w, b;

  assign s_axi_arready = reads_q != (IndexBits+1)'(OPEN);
  assign s_axi_awready = writes_q != (IndexBits+1)'(OPEN);
  assign ar = s_axi_arvalid && s_axi_arready;
  assign aw = s_axi_awvalid && s_axi_awready;

  assign s_axi_rvalid = reads_q != 0 && now_q >= read_q[0].due;
  assign s_axi_rid = read_q[0].id;
  assign s_axi_rlast = read_beat_q == read_q[0].beats;
  assign s_axi_rdata = ram_rdata_i;
  // The first beat of an unaligned burst is at the beginning of its word.
  assign ram_raddr_o = (read_q[0].addr & ~32'(Bytes - 1)) + 32'(read_beat_q) * Bytes;
  assign r = s_axi_rvalid && s_axi_rready;

  assign s_axi_wready = writes_q != 0 && answers_q != (IndexBits+1)'(OPEN);
  assign w = s_axi_wvalid && s_axi_wready;
  assign ram_we_o = w;
  assign ram_waddr_o = (write_q[0].addr & ~32'(Bytes - 1)) + 32'(write_beat_q) * Bytes;
  assign ram_wdata_o = s_axi_wdata;
  assign ram_wstrb_o = s_axi_wstrb;

  assign s_axi_bvalid = answers_q != 0 && now_q >= answer_q[0].due;
  assign s_axi_bid = answer_q[0].id;
  assign b = s_axi_bvalid && s_axi_bready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {now_q, reads_q, writes_q, answers_q, read_beat_q, write_beat_q} <= '0;
      {read_q, write_q, answer_q} <= '0;
    end else begin
      now_q <= now_q + 1;
      if (r) begin
        read_beat_q <= s_axi_rlast ? '0 : read_beat_q + 1'b1;
        if (s_axi_rlast) read_q <= {burst_t'('0), read_q[OPEN-1:1]};
      end
      if (ar) begin
        read_q[IndexBits'(reads_q - (IndexBits+1)'(r && s_axi_rlast))] <=
          '{id: s_axi_arid, addr: s_axi_araddr, beats: s_axi_arlen, due: now_q + 1 + 32'(latency_i)};
      end
      reads_q <= reads_q + (IndexBits+1)'(ar) - (IndexBits+1)'(r && s_axi_rlast);

      if (w) begin
        write_beat_q <= s_axi_wlast ? '0 : write_beat_q + 1'b1;
        if (s_axi_wlast) write_q <= {burst_t'('0), write_q[OPEN-1:1]};
      end
      if (aw) begin
        write_q[IndexBits'(writes_q - (IndexBits+1)'(w && s_axi_wlast))] <=
          '{id: s_axi_awid, addr: s_axi_awaddr, beats: '0, due: '0};
      end
      writes_q <= writes_q + (IndexBits+1)'(aw) - (IndexBits+1)'(w && s_axi_wlast);

      if (b) answer_q <= {burst_t'('0), answer_q[OPEN-1:1]};
      if (w && s_axi_wlast) begin
        answer_q[IndexBits'(answers_q - (IndexBits+1)'(b))] <=
          '{id: write_q[0].id, addr: '0, beats: '0, due: now_q + 1 + 32'(latency_i)};
      end
      answers_q <= answers_q + (IndexBits+1)'(w && s_axi_wlast) - (IndexBits+1)'(b);
    end
  end

endmodule
