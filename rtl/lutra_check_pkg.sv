// Check bits of a protected core (PROTECT): a parity of each byte and a CRC of each program word, with their addresses
// in them, so that what was stored elsewhere is noticed too (docs/faults.md).

package lutra_check_pkg;

  import lutra_isa_pkg::*;

  localparam int unsigned WordCheckBits = 8;
  typedef logic [WordCheckBits-1:0] word_check_t;

  // x^8 + x^2 + x + 1, which finds any three wrong bits of up to 119 (Koopman and Chakravarty, DSN 2004). It begins with
  // ones, so that a memory of zeros is wrong.
  localparam word_check_t WordCheckPolynomial = 8'h07, WordCheckBegin = 8'hff;

  function automatic word_check_t word_check(insn_t word, addr_t pc);
    logic [InsnBits+AddressBits-1:0] message;
    word_check_t crc;
    message = {pc, word};
    crc = WordCheckBegin;
    for (int i = InsnBits + AddressBits - 1; i >= 0; i--) begin
      crc = {crc[WordCheckBits-2:0], 1'b0} ^ ((crc[WordCheckBits-1] ^ message[i]) ? WordCheckPolynomial : '0);
    end
    return crc;
  endfunction

  // Bit i: the parity of byte i of a vector, lane i.
  function automatic logic [VectorBytes-1:0] parities(vec_t value);
    for (int i = 0; i < VectorBytes; i++) parities[i] = ^value[8*(VectorBytes-1-i)+:8];
  endfunction

endpackage
