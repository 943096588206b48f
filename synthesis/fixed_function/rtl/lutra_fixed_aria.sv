// ARIA with keys of all lengths (RFC 5794): two blocks in 12, 14 or 16 cycles, round keys made of W0 to W3 as they are
// needed. A set-up takes 8 cycles, in which stage A computes W1 to W3 (2.2).

module lutra_fixed_aria
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
  input  block_t       data_i,
  output logic         valid_o,
  output block_t       data_o
);

  // C1 to C3 (2.2); the size of the key says which is CK1.
  localparam logic [2:0][127:0] C = {
    128'hdb92371d2126e9700324977504e8c90e, 128'h6db14acc9e21c820ff28b1d5ef5de2b0, 128'h517cc1b727220a94fe13abe8fa9a6ee0
  };

  // Steps of a set-up: W1 needs FO, W2 FE, W3 FO again.
  typedef enum logic [3:0] {
    Empty,
    Begin1,
    Round1,
    Begin2,
    Round2,
    Begin3,
    Round3,
    Keep3,
    White,
    Ready
  } state_e;

  state_e state_q;
  key_size_e size_q;
  logic decrypt_q;
  block_t [3:0] w_q;
  block_t white_q, key_a_q, key_b_q;
  block_t a_q, b_q, out_q;

  logic enter, restart, finish, run, set_up;
  logic [4:0] step, rounds;

  assign rounds = 5'd12 + {2'd0, size_q, 1'b0};
  lutra_fixed_ring u_ring (
    .clk_i, .rst_ni, .valid_i, .ready_o, .valid_o,
    .enable_i(state_q == Ready), .sweep_i(1'b0), .steps_i(rounds),
    .run_o(run), .step_o(step), .enter_o(enter), .restart_o(restart), .finish_o(finish)
  );
  assign setup_ready_o = !run && (state_q == Empty || state_q == Ready);
  assign set_up = setup_valid_i && setup_ready_o;

  // FE is FO with the halves of each word exchanged before and after it: the diffusion does not mind.
  function automatic block_t exchanged(block_t x);
    block_t out;
    for (int w = 0; w < 4; w++) out[32*w+:32] = {x[32*w+:16], x[32*w+16+:16]};
    return out;
  endfunction

  function automatic block_t left(block_t x, int n);
    return block_t'({x, x} << n >> 128);
  endfunction

  // Round key `number`, from 0 (2.3): W[r] ^ (W[r+1] <<< n).
  logic [4:0] position, number;
  block_t plain, rotated, round_key;

  assign position = restart ? 5'd1 : step + 5'd2;
  always_comb begin
    number = state_q == White ? '0 : position;
    if (decrypt_q) number = rounds - number;
    plain = w_q[number[1:0]];
    rotated = w_q[number[1:0] + 2'd1];
    unique case (number[4:2])
      3'd0: rotated = left(rotated, 109);
      3'd1: rotated = left(rotated, 97);
      3'd2: rotated = left(rotated, 61);
      3'd3: rotated = left(rotated, 31);
      default: rotated = left(rotated, 19);
    endcase
    round_key = plain ^ rotated;
  end

  // Input of stage A in a set-up, and the constant added to it.
  block_t start, constant;
  logic [1:0] which;
  always_comb begin
    start = state_q == Begin1 ? w_q[0] : exchanged(b_q);
    which = size_q;
    if (state_q == Begin2) which = size_q == Key256 ? 2'd0 : size_q + 2'd1;
    if (state_q == Begin3) which = size_q == Key128 ? 2'd2 : size_q - 2'd1;
    constant = C[which];
    if (state_q == Begin2) constant = exchanged(constant);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Empty;
    else if (state_q == Empty || state_q == Ready) begin
      if (set_up) state_q <= Begin1;
    end else state_q <= state_e'(state_q + 4'd1);
  end

  always_ff @(posedge clk_i) begin
    if (set_up) begin
      size_q <= setup_i.size;
      decrypt_q <= setup_i.decrypt;
      w_q[0] <= setup_i.key[255:128];
      w_q[1] <= setup_i.size == Key128 ? '0 : {setup_i.key[127:64], setup_i.size == Key256 ? setup_i.key[63:0] : 64'd0};
    end
    unique case (state_q)
      Begin1: key_a_q <= w_q[1];
      Begin2: key_a_q <= exchanged(w_q[0]);
      Begin3: key_a_q <= w_q[1];
      default: if (restart || step[0]) key_a_q <= round_key;
    endcase
    if (run && !step[0]) key_b_q <= round_key;
    if (state_q == Begin2) w_q[1] <= b_q;
    if (state_q == Begin3) w_q[2] <= exchanged(b_q);
    if (state_q == Keep3) w_q[3] <= b_q;
    if (state_q == White) white_q <= round_key;
  end

  block_t a_next, b_next;
  logic decrypt;
  assign decrypt = decrypt_q && state_q == Ready;
  lutra_fixed_aria_round #(.Even(0)) u_a (
    .x_i(a_q), .key_i(key_a_q), .decrypt_i(decrypt), .last_i(1'b0), .y_o(a_next)
  );
  lutra_fixed_aria_round #(.Even(1)) u_b (
    .x_i(b_q), .key_i(key_b_q), .decrypt_i(decrypt), .last_i(finish), .y_o(b_next)
  );

  always_ff @(posedge clk_i) begin
    if (run && !enter) a_q <= b_next;
    else a_q <= (state_q == Ready ? data_i : start) ^ (state_q == Ready ? white_q : constant);
    b_q <= a_next;
    if (finish) out_q <= b_next;
  end
  assign data_o = out_q;

endmodule
