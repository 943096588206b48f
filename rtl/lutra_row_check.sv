// Checks the parities of a row that was read, twice as lutra_compare does.

module lutra_row_check
  import lutra_isa_pkg::*;
  import lutra_check_pkg::*;
  import lutra_pkg::*;
(
  input  vec_t   row_i,
  input  lanes_t parity_i,  // as stored: with that of the address
  input  lanes_t address_i, // parity of each lane's address
  output logic   wrong_o,
  output logic   right_o
);

  vec_t row;
  for (genvar i = 0; i < VectorBits; i++) begin : gen_bit
    lutra_buffer u_row (
      .a_i(row_i[i]),
      .y_o(row[i])
    );
  end
  lanes_t parity, address;
  for (genvar i = 0; i < VectorBytes; i++) begin : gen_lane
    lutra_buffer u_parity (
      .a_i(parity_i[i]),
      .y_o(parity[i])
    );
    lutra_buffer u_address (
      .a_i(address_i[i]),
      .y_o(address[i])
    );
  end

  assign wrong_o = |(parities(row_i) ^ parity_i ^ address_i);
  assign right_o = ~|(parities(row) ^ parity ^ address);

endmodule
