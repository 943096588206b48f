// Check bits of a protected core (PROTECT): a parity of each byte and a CRC of each program word, with their addresses
// in them, so that what was stored elsewhere is noticed too (docs/faults.md).

package lutra_check_pkg;

  import lutra_isa_pkg::*;
  import lutra_pkg::*;

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

  // The rows of an access to a data memory: lanes below its offset are one row further.
  typedef struct packed {
    addr_t  row;
    addr_t  after;
    lanes_t next_row;
  } place_t;
  function automatic place_t place_of(addr_t address);
    return '{
      row: address >> RowShift,
      after: (address >> RowShift) + addr_t'(1),
      next_row: ~(lanes_t'('1) << offset_t'(address))
    };
  endfunction

  // Who writes a data memory or a table, and where (lutra_write_guard).
  typedef struct packed {
    logic    host_req;
    logic    host_we;
    space_e  host_space;
    addr_t   host_row;
    logic    running;
    logic    locked;
    logic    closed;
    logic    wiping;
    logic    wipe;          // by both registers
    addr_t   wipe_row;
    logic    read;          // AG reads blocks
    logic    read_k0;
    logic    read_k1;
    logic    read_d;
    block_t  read_d_block;
    logic    x2_valid;
    logic    x2_fault;
    res_fn_e x2_res;
    logic    wb_valid;
    logic    wb_fault;
    logic    wb_store;
    space_e  wb_space;
    addr_t   wb_address;
  } writer_t;

endpackage
