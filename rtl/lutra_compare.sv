// Compares two values twice, by gates that have nothing in common: a fault in one comparison leaves the other.

module lutra_compare #(
  parameter int unsigned WIDTH = 1
) (
  input  logic [WIDTH-1:0] a_i,
  input  logic [WIDTH-1:0] b_i,
  output logic differ_o,
  output logic same_o
);

  logic [WIDTH-1:0] a, b;
  for (genvar i = 0; i < WIDTH; i++) begin : gen_bit
    lutra_buffer u_a (
      .a_i(a_i[i]),
      .y_o(a[i])
    );
    lutra_buffer u_b (
      .a_i(b_i[i]),
      .y_o(b[i])
    );
  end

  assign differ_o = |(a_i ^ b_i);
  assign same_o = &(a ~^ b);

endmodule
