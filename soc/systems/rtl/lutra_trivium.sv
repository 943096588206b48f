// Trivium (De Canniere and Preneel, eSTREAM 2005), 64 steps per cycle. Bit i of the state, counted from 1 as in the
// specification, is state_q[i-1]; bit j of the keystream word is that of step j. No step needs a bit that one of the 63
// before it has made, since the first tap of each register is its 66th bit or later.

module lutra_trivium (
  input  logic        clk_i,
  input  logic        load_i,  // 32 bits of the state, from bit 32 * index on
  input  logic [3:0]  index_i,
  input  logic [31:0] data_i,
  input  logic        advance_i,
  output logic [63:0] keystream_o
);
  logic [287:0] state_q, state_d;
  logic [63:0] t1, t2, t3;

  // Step j sees bit i as bit i - j of the state before step 0.
  for (genvar j = 0; j < 64; j++) begin : gen_step
    logic linear1, linear2, linear3;
    assign linear1 = state_q[65-j] ^ state_q[92-j];
    assign linear2 = state_q[161-j] ^ state_q[176-j];
    assign linear3 = state_q[242-j] ^ state_q[287-j];
    assign keystream_o[j] = linear1 ^ linear2 ^ linear3;
    assign t1[j] = linear1 ^ (state_q[90-j] & state_q[91-j]) ^ state_q[170-j];
    assign t2[j] = linear2 ^ (state_q[174-j] & state_q[175-j]) ^ state_q[263-j];
    assign t3[j] = linear3 ^ (state_q[285-j] & state_q[286-j]) ^ state_q[68-j];
  end

  always_comb begin
    state_d = state_q;
    if (load_i) state_d[32*index_i+:32] = data_i;
    if (advance_i) begin
      state_d = {state_q[223:177], 64'b0, state_q[112:93], 64'b0, state_q[28:0], 64'b0};
      for (int j = 0; j < 64; j++) begin
        state_d[63-j] = t3[j];
        state_d[156-j] = t1[j];
        state_d[240-j] = t2[j];
      end
    end
  end

  always_ff @(posedge clk_i) state_q <= state_d;

endmodule
