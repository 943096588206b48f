// A copy of the first WORDS words of a context's LFSR that moves as they do, and what differs (docs/faults.md).
//
// It is kept in the other polarity than its words are: two flip-flops with one input and one enable are merged by
// synthesis, and nothing would be compared.

module lutra_stream_shadow
  import lutra_isa_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned WORDS = 5,
  localparam int unsigned Rows = (WORDS + 3) / 4
) (
  input  logic clk_i,
  input  word_t [WORDS-1:0] inverted_i,  // words that are kept inverted

  input  logic shift_i,
  input  word_t entering_i,              // into the last word where all move, else zero
  input  logic load_i,
  input  vec_t value_i,                  // row that is loaded
  input  logic [Rows-1:0] enable_i,      // by row of the LFSR

  input  word_t [WORDS-1:0] s_i,
  output logic differs_o
);

  word_t [WORDS-1:0] kept_q, kept_d, q, d;
  for (genvar i = 0; i < WORDS; i++) begin : gen_word
    assign q[i] = kept_q[i] ^ ~inverted_i[i];
    if (i + 1 < WORDS) begin : gen_moves
      assign d[i] = (load_i ? word_of(value_i, 2'(i)) : '0) | (shift_i ? q[i+1] : '0);
    end else begin : gen_enters
      assign d[i] = (load_i ? word_of(value_i, 2'(i)) : '0) | entering_i;
    end
    assign kept_d[i] = d[i] ^ ~inverted_i[i];
    always_ff @(posedge clk_i) if (enable_i[i/4]) kept_q[i] <= kept_d[i];
  end

  assign differs_o = q != s_i;

endmodule
