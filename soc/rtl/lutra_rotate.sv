// Rotates bytes: byte i of the result is byte i + amount_i.

module lutra_rotate #(
  parameter int unsigned Bytes = 16,
  localparam int unsigned AmountBits = $clog2(Bytes)
) (
  input  logic [Bytes-1:0][7:0] bytes_i,
  input  logic [AmountBits-1:0] amount_i,
  output logic [Bytes-1:0][7:0] bytes_o
);

  always_comb begin
    bytes_o = bytes_i;
    // By the largest distance first: fewer bytes go on where not all of the result are used.
    for (int k = AmountBits - 1; k >= 0; k--) begin
      if (amount_i[k]) bytes_o = (bytes_o >> (8 << k)) | (bytes_o << (8 * (Bytes - (1 << k))));
    end
  end

endmodule
