// SNOW 3G (TS 35.216): a word of keystream in each cycle, added to the data. A set-up takes 34 cycles.

module lutra_fixed_snow3g
  import lutra_fixed_pkg::*;
  import lutra_fixed_sbox_pkg::*;
  import lutra_stream_pkg::snow_mix;
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

  // Clocks of the initialisation, and one whose output is discarded (4.1, 4.2).
  localparam logic [5:0] InitClocks = 6'd32;

  logic [5:0] clocks_q;
  logic running_q, valid_q;
  word_t [15:0] s_q;
  word_t r1_q, r2_q, r3_q, out_q;
  word_t f, v, s1, s2;
  logic set_up, init;

  assign setup_ready_o = 1'b1;
  assign set_up = setup_valid_i;
  assign init = clocks_q < InitClocks;
  assign ready_o = running_q && clocks_q > InitClocks;

  // FSM and LFSR (3.3, 3.4).
  always_comb begin
    f = (s_q[15] + r1_q) ^ r2_q;
    for (int i = 0; i < 4; i++) begin
      s1[8*i+:8] = aes(r1_q[8*i+:8]);
      s2[8*i+:8] = snow_sq(r2_q[8*i+:8]);
    end
    v = {s_q[0][23:0], 8'h00} ^ mul_alpha(s_q[0][31:24]) ^ s_q[2] ^ {8'h00, s_q[11][31:8]} ^ div_alpha(s_q[11][7:0]) ^
        (init ? f : '0);
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

  word_t [3:0] k, iv;
  assign k = {setup_i.key[31:0], setup_i.key[63:32], setup_i.key[95:64], setup_i.key[127:96]};
  assign iv = {setup_i.iv[31:0], setup_i.iv[63:32], setup_i.iv[95:64], setup_i.iv[127:96]};

  always_ff @(posedge clk_i) begin
    if (set_up) begin
      clocks_q <= '0;
      // 4.1
      s_q[3:0] <= ~k;
      s_q[7:4] <= k;
      s_q[8] <= ~k[0];
      s_q[9] <= ~k[1] ^ iv[3];
      s_q[10] <= ~k[2] ^ iv[2];
      s_q[11] <= ~k[3];
      s_q[12] <= k[0] ^ iv[1];
      s_q[14:13] <= k[2:1];
      s_q[15] <= k[3] ^ iv[0];
      {r1_q, r2_q, r3_q} <= '0;
    end else if (!ready_o || valid_i) begin
      if (!ready_o) clocks_q <= clocks_q + 6'd1;
      s_q <= {v, s_q[15:1]};
      r1_q <= r2_q + (r3_q ^ s_q[5]);
      r2_q <= snow_mix(s1, 8'h1b);
      r3_q <= snow_mix(s2, 8'h69);
    end
    out_q <= data_i ^ f ^ s_q[0];
  end

  assign valid_o = valid_q;
  assign data_o = out_q;

endmodule
