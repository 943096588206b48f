// The counter register ctr and the width of ctr++ (SP 800-38A B.1: the last bytes count, big-endian).

module lutra_counter
  import lutra_isa_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   data_rst_ni,   // of ctr

  input  logic   set_width_i,   // AG
  input  width_e width_i,
  output width_e width_o,

  input  logic   increment_i,   // MEM
  input  width_e increment_width_i,
  output vec_t   incremented_o,

  input  logic   write_i,       // X2
  input  vec_t   wdata_i,

  output vec_t   value_o
);

  vec_t value_q, value_d;
  width_e width_q, width_d;
  assign value_o = value_q;
  assign width_o = width_q;

  // One carry chain, cut where the width ends.
  logic carry32, carry64;
  assign carry32 = &value_q[31:0] && increment_width_i != Width32;
  assign carry64 = &value_q[63:0] && increment_width_i == Width128;
  assign incremented_o = {value_q[127:64] + 64'(carry64), value_q[63:32] + 32'(carry32), value_q[31:0] + 32'd1};

  always_comb begin
    width_d = set_width_i ? width_i : width_q;
    value_d = value_q;
    if (write_i) value_d = wdata_i;
    else if (increment_i) value_d = incremented_o;
  end

  always_ff @(posedge clk_i or negedge data_rst_ni) begin
    if (!data_rst_ni) value_q <= '0;
    else value_q <= value_d;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) width_q <= Width128;
    else width_q <= width_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) one_writer: assert (!(write_i && increment_i)) else $error("ctr written twice");
  end
`endif

endmodule
