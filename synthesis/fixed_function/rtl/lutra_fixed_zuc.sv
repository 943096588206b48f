// ZUC-128 (TS 35.222): a word of keystream in each cycle, added to the data. A clock of the initialisation takes two
// cycles, F and then the LFSR with what F gave, and a set-up 66.

module lutra_fixed_zuc
  import lutra_fixed_pkg::*;
  import lutra_fixed_sbox_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          setup_valid_i,
  output logic          setup_ready_o,
  input  stream_setup_t setup_i,

  input  logic          valid_i,
  output logic          ready_o,
  input  word_t         data_i,
  output logic          valid_o,
  output word_t         data_o
);

  // Half clocks of the initialisation, and a clock whose output is discarded (3.6).
  localparam logic [6:0] InitHalves = 7'd64;

  // Constants d0 to d15 of 3.5, d0 the last.
  localparam logic [15:0][14:0] D = {
    15'b100011110101100, 15'b111100010011010, 15'b011110001001101, 15'b101111000100110,
    15'b001101011110001, 15'b110101111000100, 15'b010111100010011, 15'b100110101111000,
    15'b000100110101111, 15'b111000100110101, 15'b011010111100010, 15'b101011110001001,
    15'b001001101011110, 15'b110001001101011, 15'b010011010111100, 15'b100010011010111
  };

  logic [6:0] halves_q;
  logic running_q, valid_q;
  logic [15:0][30:0] s_q;
  word_t r1_q, r2_q, out_q;  // out_q has W between the halves of an initialising clock
  logic set_up, init, second, step_f, step_lfsr;

  assign setup_ready_o = 1'b1;
  assign set_up = setup_valid_i;
  assign init = halves_q < InitHalves;
  assign second = halves_q[0];
  assign ready_o = running_q && halves_q > InitHalves;
  assign step_f = init ? !second : !ready_o || valid_i;
  assign step_lfsr = init ? second : !ready_o || valid_i;

  // Bit reorganisation and F (3.3, 3.4).
  word_t w, w1, w2, u, v, x3;
  logic [7:0] s_u [4];
  logic [7:0] s_v [4];
  always_comb begin
    x3 = {s_q[2][15:0], s_q[0][30:15]};
    w = ({s_q[15][30:15], s_q[14][15:0]} ^ r1_q) + r2_q;
    w1 = r1_q + {s_q[11][15:0], s_q[9][30:15]};
    w2 = r2_q ^ {s_q[7][15:0], s_q[5][30:15]};
    u = {w1[15:0], w2[31:16]};
    v = {w2[15:0], w1[31:16]};
    u = u ^ {u[29:0], u[31:30]} ^ {u[21:0], u[31:22]} ^ {u[13:0], u[31:14]} ^ {u[7:0], u[31:8]};
    v = v ^ {v[23:0], v[31:24]} ^ {v[17:0], v[31:18]} ^ {v[9:0], v[31:10]} ^ {v[1:0], v[31:2]};
    for (int i = 0; i < 4; i++) begin
      s_u[i] = i % 2 == 1 ? zuc_s0(u[8*i+:8]) : zuc_s1(u[8*i+:8]);
      s_v[i] = i % 2 == 1 ? zuc_s0(v[8*i+:8]) : zuc_s1(v[8*i+:8]);
    end
  end

  // The LFSR (3.2): six terms modulo 2^31 - 1, the last of them of the initialisation only.
  typedef struct packed {
    logic [30:0] sum;
    logic [30:0] carry;
  } pair31_t;

  // A carry out of bit 30 has weight 1. Carry-save first, so that one carry chain remains.
  function automatic pair31_t compress31(logic [30:0] a, logic [30:0] b, logic [30:0] c);
    logic [30:0] majority;
    majority = (a & b) | (a & c) | (b & c);
    return '{sum: a ^ b ^ c, carry: {majority[29:0], majority[30]}};
  endfunction

  function automatic logic [30:0] add31(logic [30:0] a, logic [30:0] b);
    logic [31:0] sum;
    sum = {1'b0, a} + {1'b0, b};
    return sum[30:0] + 31'(sum[31]);
  endfunction

  function automatic logic [30:0] left(logic [30:0] x, int n);
    return 31'({x, x} << n >> 31);
  endfunction

  pair31_t p, q, r, t;
  logic [30:0] s16;
  always_comb begin
    p = compress31(left(s_q[15], 15), left(s_q[13], 17), left(s_q[10], 21));
    q = compress31(left(s_q[4], 20), left(s_q[0], 8), s_q[0]);
    r = compress31(p.sum, p.carry, q.sum);
    t = compress31(r.sum, r.carry, q.carry);
    r = compress31(t.sum, t.carry, init ? out_q[31:1] : '0);
    s16 = add31(r.sum, r.carry);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      running_q <= running_q || set_up;
      valid_q <= valid_i && ready_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (set_up) begin
      halves_q <= '0;
      for (int i = 0; i < 16; i++) s_q[i] <= {setup_i.key[8*(15-i)+:8], D[i], setup_i.iv[8*(15-i)+:8]};
      {r1_q, r2_q} <= '0;
    end else begin
      if (!ready_o) halves_q <= halves_q + 7'd1;
      if (step_lfsr) s_q <= {s16, s_q[15:1]};
      if (step_f) begin
        r1_q <= {s_u[3], s_u[2], s_u[1], s_u[0]};
        r2_q <= {s_v[3], s_v[2], s_v[1], s_v[0]};
      end
    end
    out_q <= w ^ (init ? '0 : x3 ^ data_i);
  end

  assign valid_o = valid_q;
  assign data_o = out_q;

endmodule
