// AES with keys of all lengths (FIPS 197): four blocks in 20, 24 or 28 cycles, round keys made as they are needed.
// A set-up takes 3 cycles, for decryption those of four blocks more: the schedule is run to its end. Stages A and B have
// a round each, in two cycles.

module lutra_fixed_aes
  import lutra_fixed_pkg::*;
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

  typedef enum logic [2:0] {
    Empty,
    Look,    // up what comes next
    Expand,  // the second round key of a short key
    Sweep,   // to the last two, which decryption begins with
    Ready
  } state_e;

  state_e state_q;
  key_size_e size_q;
  logic decrypt_q;
  // The first two keys; those of the stages. Key 0 whitens, odd keys are stage A's.
  block_t first_q, second_q, key_a_q, key_b_q;
  block_t a_q, b_q, out_q;
  logic [7:0] rcon_q;
  logic [1:0] third_q;

  logic run, enter, restart, finish;
  logic [4:0] step;

  lutra_fixed_ring #(.Slots(4)) u_ring (
    .clk_i, .rst_ni, .valid_i, .ready_o, .valid_o,
    .enable_i(state_q == Ready), .sweep_i(state_q == Expand && decrypt_q),
    .steps_i(5'd20 + {1'b0, size_q, 2'b0}),
    .run_o(run), .step_o(step), .enter_o(enter), .restart_o(restart), .finish_o(finish)
  );
  assign setup_ready_o = !run && (state_q == Empty || state_q == Ready);

  // Key schedule.
  // A key is made in two cycles, key k + 1 for the steps from 2k - 1 on; key 1 is stored.
  logic expand, advance, odd, backward, rcon_used;
  logic [3:0] k;
  block_t older, latest, next;

  assign expand = state_q == Expand;
  assign k = 4'((step + 5'd1) >> 1);
  assign advance = run && !step[0] && k != '0;
  assign odd = state_q inside {Look, Expand} || !k[0];
  assign backward = decrypt_q && state_q == Ready;
  assign latest = odd ? key_b_q : key_a_q;
  assign older = odd ? key_a_q : k == 4'd1 ? first_q : key_b_q;

  lutra_fixed_aes_expand u_expand (
    .clk_i, .older_i(older), .latest_i(latest), .size_i(size_q), .backward_i(backward),
    .odd_i(odd), .third_i(third_q), .rcon_i(rcon_q), .rcon_used_o(rcon_used), .next_o(next)
  );

  // Number of the key that step 0 makes: number 2, or the last but two.
  function automatic logic [7:0] first_rcon(key_size_e size, logic from_end);
    unique case (size)
      Key128: return from_end ? 8'h1b : 8'h02;
      Key192: return from_end ? 8'h80 : 8'h02;
      default: return from_end ? 8'h40 : 8'h01;
    endcase
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Empty;
    else begin
      unique case (state_q)
        Look: state_q <= Expand;
        Expand: state_q <= decrypt_q ? Sweep : Ready;
        Sweep: if (restart) state_q <= Ready;
        default: if (setup_valid_i && setup_ready_o) state_q <= Look;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (setup_valid_i && setup_ready_o) begin
      size_q <= setup_i.size;
      decrypt_q <= setup_i.decrypt;
    end

    if (setup_valid_i && setup_ready_o) begin
      rcon_q <= 8'h01;
      third_q <= 2'd1;
    end else if (restart && state_q != Look) begin
      rcon_q <= first_rcon(size_q, decrypt_q && !expand);
      third_q <= decrypt_q && !expand ? 2'd1 : 2'd2;
    end else if (advance) begin
      if (rcon_used && backward) rcon_q <= {rcon_q[0], rcon_q[7:1]} ^ (rcon_q[0] ? 8'h0d : 8'h00);
      if (rcon_used && !backward) rcon_q <= {rcon_q[6:0], 1'b0} ^ (rcon_q[7] ? 8'h1b : 8'h00);
      if (backward) third_q <= third_q == 2'd0 ? 2'd2 : third_q - 2'd1;
      else third_q <= third_q == 2'd2 ? 2'd0 : third_q + 2'd1;
    end

    if (expand || (state_q == Sweep && restart)) begin
      first_q <= key_b_q;
      second_q <= expand && size_q != Key256 ? next : key_a_q;
    end

    if (setup_valid_i && setup_ready_o) begin
      key_b_q <= setup_i.key[255:128];
      // 192 bits: words -2 and -1, from which 4 and 5 would follow.
      key_a_q <= setup_i.key[127:0];
      if (setup_i.size == Key192) key_a_q[63:0] <= setup_i.key[127:64] ^ {setup_i.key[159:128], setup_i.key[127:96]};
    end else if (expand) begin
      if (size_q != Key256) key_a_q <= next;
    end else if (run && step == '0) begin
      key_a_q <= second_q;
    end else if (advance) begin
      if (odd) key_a_q <= next;
      else key_b_q <= next;
    end
  end

  // Rounds.
  block_t a_next, b_next;
  // Each half stage has a register of its own for the direction, with a quarter of what it drives.
  logic [3:0] decrypts_q;
  always_ff @(posedge clk_i) decrypts_q <= {decrypts_q[2:0], decrypt_q};

  lutra_fixed_aes_round u_a (
    .clk_i, .x_i(a_q), .key_i(key_a_q), .look_decrypt_i(decrypts_q[0]), .mix_decrypt_i(decrypts_q[1]),
    .last_i(1'b0), .y_o(a_next)
  );
  lutra_fixed_aes_round u_b (
    .clk_i, .x_i(b_q), .key_i(key_b_q), .look_decrypt_i(decrypts_q[2]), .mix_decrypt_i(decrypts_q[3]),
    .last_i(finish), .y_o(b_next)
  );

  always_ff @(posedge clk_i) begin
    a_q <= enter ? data_i ^ first_q : b_next;
    b_q <= a_next;
    if (finish) out_q <= b_next;
  end
  assign data_o = out_q;

endmodule
