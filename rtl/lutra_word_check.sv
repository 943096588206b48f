// Checks a program word that was read, twice as lutra_compare does.

module lutra_word_check
  import lutra_isa_pkg::*;
  import lutra_check_pkg::*;
(
  input  insn_t       word_i,
  input  addr_t       pc_i,
  input  word_check_t check_i,
  output logic        wrong_o,
  output logic        right_o
);

  insn_t word;
  for (genvar i = 0; i < InsnBits; i++) begin : gen_bit
    lutra_buffer u_word (
      .a_i(word_i[i]),
      .y_o(word[i])
    );
  end
  word_check_t check;
  for (genvar i = 0; i < WordCheckBits; i++) begin : gen_check
    lutra_buffer u_check (
      .a_i(check_i[i]),
      .y_o(check[i])
    );
  end
  addr_t pc;
  for (genvar i = 0; i < AddressBits; i++) begin : gen_pc
    lutra_buffer u_pc (
      .a_i(pc_i[i]),
      .y_o(pc[i])
    );
  end

  assign wrong_o = word_check(word_i, pc_i) != check_i;
  assign right_o = word_check(word, pc) == check;

endmodule
