// A sum of 32 bits, or an end-around one of 31 bits (modulo 2^31 - 1), by one prefix tree (Sklansky).

module lutra_stream_sum (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        around_i,  // the carry out of bit 30 enters at bit 0; bit 31 of the sum has no meaning
  output logic [31:0] sum_o
);

  // Bit i becomes what bits i to 0 generate and propagate.
  logic [31:0] half, generates, propagates;
  always_comb begin
    half = a_i ^ b_i;
    generates = a_i & b_i;
    propagates = half;
    for (int level = 0; level < 5; level++)
      for (int i = 0; i < 32; i++)
        if (i[level]) begin
          generates[i] |= propagates[i] & generates[(i>>level<<level)-1];
          propagates[i] &= propagates[(i>>level<<level)-1];
        end
  end

  logic carry;
  assign carry = around_i && generates[30];
  assign sum_o = half ^ {generates[30:0] | (propagates[30:0] & {31{carry}}), carry};

endmodule
