// Camellia with keys of all lengths (RFC 3713): four blocks, two and two, in 18 or 24 cycles. Subkeys are made of KL, KR,
// KA and KB as they are needed. A set-up takes 8 cycles, or 11 where the key needs KB.

module lutra_fixed_camellia
  import lutra_fixed_pkg::*;
  import lutra_functions_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         setup_valid_i,
  output logic         setup_ready_o,
  input  block_setup_t setup_i,

  input  logic         valid_i,
  output logic         ready_o,
  input  block_t [1:0] data_i,
  output logic         valid_o,
  output block_t [1:0] data_o
);

  // Sigma1 to Sigma6 (2.2).
  localparam logic [5:0][63:0] Sigma = {
    64'hb05688c2b3e6c1fd, 64'h10e527fade682d1d, 64'h54ff53a5f1d36f1c,
    64'hc6ef372fe94f82be, 64'hb67ae8584caa73b2, 64'ha09e667f3bcc908b
  };

  // Three times: the block of a pass with the addend, two rounds.
  typedef enum logic [3:0] {
    Empty,
    Add1, OddA1, EvenA1,
    Add2, OddA2, EvenA2,
    Add3, OddB, EvenB, KeepB,
    Ready
  } state_e;

  typedef enum logic [1:0] {
    KL,
    KR,
    KA,
    KB
  } part_e;

  state_e state_q;
  key_size_e size_q;
  logic decrypt_q, long_key;
  block_t [3:0] k_q;
  logic [63:0] key_a_q, key_b_q, low_q;
  block_t fl_q;
  block_t [1:0] a_q, b_q, out_q;

  logic enter, restart, finish, run, set_up;
  logic [4:0] step;

  assign long_key = size_q != Key128;
  lutra_fixed_ring u_ring (
    .clk_i, .rst_ni, .valid_i, .ready_o, .valid_o,
    .enable_i(state_q == Ready), .sweep_i(1'b0), .steps_i(long_key ? 5'd24 : 5'd18),
    .run_o(run), .step_o(step), .enter_o(enter), .restart_o(restart), .finish_o(finish)
  );
  assign setup_ready_o = !run && (state_q == Empty || state_q == Ready);
  assign set_up = setup_valid_i && setup_ready_o;

  // Subkeys (2.2, tables of the key schedule): a part of the key and a number of the rotations below.
  typedef struct packed {
    part_e part;
    logic [2:0] by;
  } subkey_t;

  // Pair i: the keys of rounds 2i + 1 and 2i + 2. The two of pair 4 of a short key are halves of different ones.
  function automatic subkey_t pair(logic [3:0] i, logic is_long, logic second);
    unique case ({is_long, i})
      {1'b0, 4'd0}: return '{KA, 3'd0};
      {1'b0, 4'd1}: return '{KL, 3'd1};
      {1'b0, 4'd2}: return '{KA, 3'd1};
      {1'b0, 4'd3}: return '{KL, 3'd3};
      {1'b0, 4'd4}: return second ? '{KL, 3'd4} : '{KA, 3'd3};
      {1'b0, 4'd5}: return '{KA, 3'd4};
      {1'b0, 4'd6}: return '{KL, 3'd6};
      {1'b0, 4'd7}: return '{KA, 3'd6};
      {1'b0, 4'd8}: return '{KL, 3'd7};
      {1'b1, 4'd0}: return '{KB, 3'd0};
      {1'b1, 4'd1}: return '{KR, 3'd1};
      {1'b1, 4'd2}: return '{KA, 3'd1};
      {1'b1, 4'd3}: return '{KB, 3'd2};
      {1'b1, 4'd4}: return '{KL, 3'd3};
      {1'b1, 4'd5}: return '{KA, 3'd3};
      {1'b1, 4'd6}: return '{KR, 3'd4};
      {1'b1, 4'd7}: return '{KB, 3'd4};
      {1'b1, 4'd8}: return '{KL, 3'd5};
      {1'b1, 4'd9}: return '{KR, 3'd6};
      {1'b1, 4'd10}: return '{KA, 3'd6};
      default: return '{KL, 3'd7};
    endcase
  endfunction

  // Keys of FL and its inverse after rounds 6, 12 and 18.
  function automatic subkey_t layer(logic [1:0] i, logic is_long);
    unique case ({is_long, i})
      {1'b0, 2'd0}: return '{KA, 3'd2};
      {1'b0, 2'd1}: return '{KL, 3'd5};
      {1'b1, 2'd0}: return '{KR, 3'd2};
      {1'b1, 2'd1}: return '{KL, 3'd4};
      default: return '{KA, 3'd5};
    endcase
  endfunction

  function automatic block_t rotated(block_t x, logic [2:0] by);
    unique case (by)
      3'd0: return x;
      3'd1: return {x[112:0], x[127:113]};  // 15
      3'd2: return {x[97:0], x[127:98]};    // 30
      3'd3: return {x[82:0], x[127:83]};    // 45
      3'd4: return {x[67:0], x[127:68]};    // 60
      3'd5: return {x[50:0], x[127:51]};    // 77
      3'd6: return {x[33:0], x[127:34]};    // 94
      default: return {x[16:0], x[127:17]}; // 111
    endcase
  endfunction

  // At the end of odd steps the pair of the rounds that follow; at that of even ones keys of FL, or the key that does
  // not come with its pair. Decryption takes all in reverse order.
  logic [3:0] following, index;
  logic [1:0] fl_index;
  logic odd, before_fl, apart;
  subkey_t chosen;
  block_t subkey;

  assign odd = restart || step[0];
  assign following = restart ? '0 : 4'((step + 5'd1) >> 1);
  assign before_fl = step == 5'd4 || step == 5'd10 || step == 5'd16;
  assign apart = !long_key && step == 5'd8;

  always_comb begin
    index = decrypt_q ? (long_key ? 4'd11 : 4'd8) - following : following;
    fl_index = step[3] ? 2'd1 : step[4] ? 2'd2 : 2'd0;
    if (decrypt_q) fl_index = {1'b0, !long_key} ^ (long_key ? 2'd2 - fl_index : fl_index);
    chosen = odd || apart ? pair(index, long_key, apart ^ decrypt_q) : layer(fl_index, long_key);
    subkey = rotated(k_q[chosen.part], chosen.by);
    if (decrypt_q) subkey = {subkey[63:0], subkey[127:64]};
  end

  block_t last_part, white_in, white_out;
  assign last_part = rotated(long_key ? k_q[KB] : k_q[KA], 3'd7);
  assign white_in = decrypt_q ? last_part : k_q[KL];
  assign white_out = decrypt_q ? k_q[KL] : last_part;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Empty;
    else begin
      unique case (state_q)
        Empty, Ready: if (set_up) state_q <= Add1;
        Add3: state_q <= long_key ? OddB : Ready;
        KeepB: state_q <= Ready;
        default: state_q <= state_e'(state_q + 4'd1);
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (set_up) begin
      size_q <= setup_i.size;
      decrypt_q <= setup_i.decrypt;
      k_q[KL] <= setup_i.key[255:128];
      unique case (setup_i.size)
        Key128: k_q[KR] <= '0;
        Key192: k_q[KR] <= {setup_i.key[127:64], ~setup_i.key[127:64]};
        default: k_q[KR] <= setup_i.key[127:0];
      endcase
    end
    if (state_q == Add3) k_q[KA] <= a_q[0];
    if (state_q == KeepB) k_q[KB] <= a_q[0];

    unique case (state_q)
      Add1: key_a_q <= Sigma[0];
      Add2: key_a_q <= Sigma[2];
      Add3: key_a_q <= Sigma[4];
      default: if (odd) key_a_q <= subkey[127:64];
    endcase
    unique case (state_q)
      OddA1: key_b_q <= Sigma[1];
      OddA2: key_b_q <= Sigma[3];
      OddB: key_b_q <= Sigma[5];
      default: if (!odd) key_b_q <= apart ? subkey[63:0] : low_q;
    endcase
    if (odd) low_q <= subkey[63:0];
    if (!odd && before_fl) fl_q <= subkey;
  end

  // Rounds. The key of an FL layer serves for two cycles, one for each pair of blocks.
  block_t [1:0] a_next, b_next, b_fl;
  logic fl;
  lutra_fixed_camellia_round u_a (.x_i(a_q), .key_i(key_a_q), .y_o(a_next));
  lutra_fixed_camellia_round u_b (.x_i(b_q), .key_i(key_b_q), .y_o(b_next));

  assign fl = run && (step inside {5'd5, 5'd6, 5'd11, 5'd12} || (long_key && step inside {5'd17, 5'd18}));
  always_comb begin
    for (int lane = 0; lane < 2; lane++) begin
      b_fl[lane] = b_next[lane];
      if (fl) begin
        b_fl[lane] = {
          camellia_fl(b_next[lane][127:64], fl_q[127:64]), camellia_fl_inverse(b_next[lane][63:0], fl_q[63:0])
        };
      end
    end
  end

  // A set-up works in lane 0: KL ^ KR, then the result ^ KL, then that ^ KR.
  block_t source, addend;
  always_comb begin
    source = state_q == Add1 ? k_q[KL] : state_q == Ready ? data_i[0] : a_q[0];
    addend = state_q == Ready ? white_in : state_q == Add2 ? k_q[KL] : k_q[KR];
  end

  always_ff @(posedge clk_i) begin
    if (enter || state_q inside {Add1, Add2, Add3}) a_q <= {data_i[1] ^ white_in, source ^ addend};
    else a_q <= b_fl;
    b_q <= a_next;
    if (finish) begin
      for (int lane = 0; lane < 2; lane++) out_q[lane] <= {b_next[lane][63:0], b_next[lane][127:64]} ^ white_out;
    end
  end
  assign data_o = out_q;

endmodule
