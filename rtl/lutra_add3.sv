// Reduce three numbers to two with the same sum: one full adder per column, without carry propagation.

module lutra_add3 #(
  parameter int unsigned WIDTH = 32
) (
  input  logic [WIDTH-1:0] a_i,
  input  logic [WIDTH-1:0] b_i,
  input  logic [WIDTH-1:0] c_i,
  output logic [WIDTH-1:0] bits_o,
  output logic [WIDTH-1:0] carry_o
);

  logic [WIDTH-1:0] two;  // or more of a column
  assign two = (a_i & b_i) | (a_i & c_i) | (b_i & c_i);
  assign bits_o = a_i ^ b_i ^ c_i;
  assign carry_o = two << 1;

endmodule
