// Registers that are rows of lutra_places: the windows, and the addresses of rings. An access waits for the memory; its
// data stay on the bus until then.

module lutra_place_registers
  import lutra_regs_pkg::*;
  import lutra_soc_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  lutra_axi__out_t registers_i,
  // Answers, the same to all of these registers.
  output logic write_ack_o,
  output logic read_ack_o,
  output logic [31:0] data_o,

  output place_register_t register_o,
  input  logic register_ready_i,
  input  logic [RowBytes-1:0][7:0] row_i
);

  localparam int unsigned Words = 16;
  logic [Words-1:0] asked;
  for (genvar r = 0; r < Rings; r++) begin : gen_ring
    assign asked[4*r+:4] = {
      registers_i.window[r].limit_high.req, registers_i.window[r].limit_low.req,
      registers_i.window[r].base_high.req, registers_i.window[r].base_low.req
    };
    assign asked[8+4*r+:4] = {
      registers_i.ring[r].completions_high.req, registers_i.ring[r].completions_low.req,
      registers_i.ring[r].descriptors_high.req, registers_i.ring[r].descriptors_low.req
    };
  end

  logic valid_q, valid_d, write_q, write_d, answers_q, answers_d;
  logic [3:0] word_q, word_d;
  always_comb begin
    valid_d = (valid_q && !register_ready_i) || asked != '0;
    answers_d = valid_q && register_ready_i && !write_q;
    write_d = write_q;
    word_d = word_q;
    if (asked != '0) begin
      write_d = registers_i.window[0].base_low.req_is_wr;
      word_d = '0;
      for (int w = 0; w < Words; w++) if (asked[w]) word_d |= 4'(w);
    end
  end

  assign register_o = '{
    valid: valid_q,
    write: write_q,
    word: word_q,
    data: registers_i.window[0].base_low.wr_data,
    strobe: {
      registers_i.window[0].base_low.wr_biten[24], registers_i.window[0].base_low.wr_biten[16],
      registers_i.window[0].base_low.wr_biten[8], registers_i.window[0].base_low.wr_biten[0]
    }
  };
  assign write_ack_o = valid_q && register_ready_i && write_q;
  assign read_ack_o = answers_q;
  assign data_o = row_i[4*word_q[1:0]+:4];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      answers_q <= 1'b0;
    end else begin
      valid_q <= valid_d;
      answers_q <= answers_d;
    end
  end
  always_ff @(posedge clk_i) begin
    write_q <= write_d;
    word_q <= word_d;
  end

endmodule
