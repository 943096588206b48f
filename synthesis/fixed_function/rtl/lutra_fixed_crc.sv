// CRCs of up to 32 bits with any polynomial P: 64 bits of message in each cycle. A shorter CRC stands at the top of
// polynomial and value; a reflected value comes out at the bottom.
//
// The register has 64 bits and is congruent to the CRC modulo P. A beat multiplies it by x^64, that is its halves by
// x^96 and x^64 modulo P, two products of 32 bits. Only a message's end reduces it to 32 bits, one by one, and takes
// the bytes of an incomplete beat bit by bit. A set-up takes 97 cycles for the two constants.

module lutra_fixed_crc
  import lutra_fixed_pkg::*;
  import lutra_functions_pkg::clmul;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       setup_valid_i,
  output logic       setup_ready_o,
  input  crc_setup_t setup_i,

  input  logic       valid_i,
  output logic       ready_o,
  input  beat_t      data_i,
  output logic       valid_o,
  output word_t      data_o
);

  typedef enum logic [2:0] {
    Empty,
    Powers,  // x^n up to x^96
    Ready,
    Reduce,
    Tail,    // the incomplete beat is taken
    Shift,
    Done
  } state_e;

  localparam logic [6:0] PowerSteps = 7'd96;
  localparam logic [6:0] ReduceSteps = 7'd32;

  state_e state_q;
  logic [6:0] steps_q;  // still to come
  logic ended_q;        // the message had no incomplete beat
  crc_setup_t setup_q;
  word_t x64_q, x96_q, high_q, low_q;
  logic set_up, full, enter, last_step;

  assign setup_ready_o = state_q inside {Empty, Ready};
  assign set_up = setup_valid_i && setup_ready_o;
  assign full = data_i.count == 4'd8;
  assign ready_o = (state_q == Ready && full) || state_q == Tail;
  assign enter = valid_i && ready_o;
  assign last_step = steps_q == 7'd1;

  function automatic word_t reversed(word_t x);
    word_t out;
    for (int i = 0; i < 32; i++) out[i] = x[31-i];
    return out;
  endfunction

  function automatic word_t bytes_reversed(word_t x);
    word_t out;
    for (int i = 0; i < 4; i++) for (int j = 0; j < 8; j++) out[8*i+j] = x[8*i+7-j];
    return out;
  endfunction

  word_t first, second;
  logic [63:0] multiplied, stepped;
  always_comb begin
    {first, second} = data_i.bytes;
    if (setup_q.reflect_in) {first, second} = {bytes_reversed(first), bytes_reversed(second)};
    multiplied = 64'(clmul({96'd0, high_q}, x96_q)) ^ 64'(clmul({96'd0, low_q ^ first}, x64_q)) ^ {second, 32'd0};
    // Times x modulo P x^32.
    stepped = {high_q[30:0], low_q, 1'b0} ^ {high_q[31] ? setup_q.polynomial : '0, 32'd0};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Empty;
    else begin
      unique case (state_q)
        Powers: if (last_step) state_q <= Ready;
        Reduce: if (last_step) state_q <= ended_q ? Done : Tail;
        Tail: if (enter) state_q <= data_i.count == '0 ? Done : Shift;
        Shift: if (last_step) state_q <= Done;
        Done: state_q <= Ready;
        default: begin
          if (set_up) state_q <= Powers;
          else if (state_q == Ready && valid_i && data_i.last) state_q <= Reduce;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (set_up) setup_q <= setup_i;
    if (state_q == Powers && steps_q == PowerSteps - 7'd64) x64_q <= high_q;
    if (state_q == Powers && last_step) x96_q <= stepped[63:32];

    if (set_up) steps_q <= PowerSteps;
    else if (state_q == Ready) steps_q <= ReduceSteps;
    else if (state_q == Tail) steps_q <= {data_i.count, 3'd0};
    else steps_q <= steps_q - 7'd1;

    if (state_q == Ready) ended_q <= full;

    if (set_up) {high_q, low_q} <= 64'd1 << 32;
    else if ((state_q == Powers && last_step) || state_q == Done) {high_q, low_q} <= {32'd0, setup_q.init};
    else if (state_q == Tail) begin
      if (enter) {high_q, low_q} <= {high_q ^ first, second};
    end
    else if (state_q != Ready) {high_q, low_q} <= stepped;
    else if (enter) {high_q, low_q} <= multiplied;
  end

  assign valid_o = state_q == Done;
  assign data_o = (setup_q.reflect_out ? reversed(high_q) : high_q) ^ setup_q.xorout;

endmodule
