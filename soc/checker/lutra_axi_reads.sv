// Reads of one AXI4 interface that wait for data, for lutra_axi_checker. Data of one ID come in the order of its
// addresses (IHI 0022 issue H.c, A5.2.1), so they belong to the oldest read of their ID.

module lutra_axi_reads #(
  parameter int unsigned ID_WIDTH = 3,
  parameter int unsigned MAX_READS = 16
) (
  input logic                clk_i,
  input logic                rst_ni,
  // Handshakes of the two channels.
  input logic                ar_i,
  input logic [ID_WIDTH-1:0] arid_i,
  input logic [7:0]          arlen_i,
  input logic                arlock_i,
  input logic                r_i,
  input logic [ID_WIDTH-1:0] rid_i,
  input logic [1:0]          rresp_i,
  // ID of a write.
  input logic [ID_WIDTH-1:0] awid_i,
  // About the oldest read with the ID of the data; earlier beats had OKAY, EXOKAY.
  output logic r_known_o,
  output logic r_last_o,
  output logic r_exclusive_o,
  output logic r_had_okay_o,
  output logic r_had_exokay_o,
  // Room for one more address; a read waits for data; an exclusive read of the write's ID does.
  output logic read_room_o,
  output logic r_wanted_o,
  output logic exclusive_read_o
);

  localparam logic [1:0] Okay = 2'd0, ExOkay = 2'd1;

  // The oldest first.
  typedef struct packed {
    logic [ID_WIDTH-1:0] id;
    logic [7:0]          left;  // beats after the next one
    logic                lock;
    logic                okay;  // responses of earlier beats
    logic                exokay;
  } read_t;
  typedef logic [$clog2(MAX_READS+2)-1:0] read_count_t;
  read_t [MAX_READS:0] reads_q, reads_d;
  read_count_t read_count_q, read_count_d;

  read_count_t r_at;
  always_comb begin
    r_known_o = 1'b0;
    r_at = '0;
    exclusive_read_o = 1'b0;
    for (int i = MAX_READS - 1; i >= 0; i--) begin
      if (i < 32'(read_count_q)) begin
        if (reads_q[i].id == rid_i) begin
          r_known_o = 1'b1;
          r_at = read_count_t'(i);
        end
        if (reads_q[i].id == awid_i && reads_q[i].lock) exclusive_read_o = 1'b1;
      end
    end
  end
  assign r_last_o = reads_q[r_at].left == 8'd0;
  assign r_exclusive_o = reads_q[r_at].lock;
  assign r_had_okay_o = r_known_o && reads_q[r_at].okay;
  assign r_had_exokay_o = r_known_o && reads_q[r_at].exokay;
  assign r_wanted_o = read_count_q != '0;

  logic ends;
  assign ends = r_i && r_known_o && r_last_o;
  assign read_room_o = 32'(read_count_q) < MAX_READS || ends;
  always_comb begin
    reads_d = reads_q;
    read_count_d = read_count_q;
    if (ends) begin
      for (int i = 0; i < MAX_READS; i++) if (i >= 32'(r_at)) reads_d[i] = reads_d[i+1];
      read_count_d = read_count_d - 1'b1;
    end else if (r_i && r_known_o) begin
      reads_d[r_at].left = reads_q[r_at].left - 8'd1;
      if (rresp_i == Okay) reads_d[r_at].okay = 1'b1;
      if (rresp_i == ExOkay) reads_d[r_at].exokay = 1'b1;
    end
    if (ar_i && read_room_o) begin
      reads_d[read_count_d] = '{arid_i, arlen_i, arlock_i, 1'b0, 1'b0};
      read_count_d = read_count_d + 1'b1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reads_q <= '0;
      read_count_q <= '0;
    end else begin
      reads_q <= reads_d;
      read_count_q <= read_count_d;
    end
  end

endmodule
