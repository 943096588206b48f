// Shared by the fixed-function cores: sizes of keys and the rounds that they ask for.

package lutra_fixed_pkg;

  typedef logic [127:0] block_t;
  typedef logic [31:0] word_t;

  typedef enum logic [1:0] {
    Key128 = 2'd0,
    Key192 = 2'd1,
    Key256 = 2'd2
  } key_size_e;

  // Set-up of a block cipher: a short key stands at the top.
  typedef struct packed {
    logic decrypt;
    key_size_e size;
    logic [255:0] key;
  } block_setup_t;

  // Set-up of a stream cipher.
  typedef struct packed {
    block_t key;
    block_t iv;
  } stream_setup_t;

  // Set-up of a pipeline of AES. With a counter: its offset, and the index that is added to it.
  typedef struct packed {
    block_t key;
    block_t offset;
    logic [63:0] index;
  } pipeline_setup_t;

  // Set-up of a CRC, left-aligned in 32 bits.
  typedef struct packed {
    logic reflect_in;
    logic reflect_out;
    word_t polynomial;
    word_t init;
    word_t xorout;
  } crc_setup_t;

  // A beat of a message: `count` bytes from the top, 8 but for the last beat.
  typedef struct packed {
    logic last;
    logic [3:0] count;
    logic [63:0] bytes;
  } beat_t;

endpackage
