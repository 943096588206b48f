// AXI4-Lite to the registers: one access at a time, from when all of it is there. The channels of a request are taken
// together when it is done, so that nothing of it is kept here.

module lutra_register_port #(
  parameter int unsigned RegisterBits = 14
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic awvalid_i,
  output logic awready_o,
  input  logic [RegisterBits-1:0] awaddr_i,
  input  logic wvalid_i,
  output logic wready_o,
  input  logic [31:0] wdata_i,
  input  logic [3:0] wstrb_i,
  output logic bvalid_o,
  input  logic bready_i,
  input  logic arvalid_i,
  output logic arready_o,
  input  logic [RegisterBits-1:0] araddr_i,
  output logic rvalid_o,
  input  logic rready_i,
  output logic [31:0] rdata_o,

  output logic request_o,   // a pulse; address and data stay until the answer
  output logic write_o,
  output logic [RegisterBits-1:0] address_o,
  output logic [31:0] data_o,
  output logic [31:0] enable_o,
  input  logic read_ack_i,  // may be in the cycle of the request
  input  logic write_ack_i,
  input  logic [31:0] data_i
);

  logic busy_q, busy_d, write_q, write_d, bvalid_q, bvalid_d, rvalid_q, rvalid_d;
  logic [31:0] rdata_q, rdata_d;

  // Reads and writes in turn: write_q is the last one.
  logic reads, writes;
  assign reads = arvalid_i && !rvalid_q;
  assign writes = awvalid_i && wvalid_i && !bvalid_q;
  assign request_o = !busy_q && (reads || writes);
  assign write_d = request_o ? writes && !(write_q && reads) : write_q;
  always_comb begin
    busy_d = (busy_q || request_o) && !read_ack_i && !write_ack_i;
    bvalid_d = write_ack_i || (bvalid_q && !bready_i);
    rvalid_d = read_ack_i || (rvalid_q && !rready_i);
    rdata_d = read_ack_i ? data_i : rdata_q;
  end

  assign write_o = write_d;
  assign address_o = {write_d ? awaddr_i[RegisterBits-1:2] : araddr_i[RegisterBits-1:2], 2'b00};
  assign data_o = wdata_i;
  assign enable_o = {{8{wstrb_i[3]}}, {8{wstrb_i[2]}}, {8{wstrb_i[1]}}, {8{wstrb_i[0]}}};
  assign awready_o = write_ack_i;
  assign wready_o = write_ack_i;
  assign arready_o = read_ack_i;
  assign bvalid_o = bvalid_q;
  assign rvalid_o = rvalid_q;
  assign rdata_o = rdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      write_q <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      write_q <= write_d;
      bvalid_q <= bvalid_d;
      rvalid_q <= rvalid_d;
    end
  end
  always_ff @(posedge clk_i) rdata_q <= rdata_d;

endmodule
