// From PERM's operands to WB's value: the datapath, and next to it the stream unit and the hash unit.

module lutra_execute
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  parameter int unsigned STREAM_CONTEXTS = StreamContexts,
  parameter int unsigned SHADOW_WORDS = 0
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  data_rst_ni,  // of registers that hold data, where anything clears them

  input  logic  perm_valid_i,
  input  ctl_t  perm_ctl_i,
  input  logic  x1_valid_i,
  input  ctl_t  x1_ctl_i,
  input  logic  x2_valid_i,
  input  ctl_t  x2_ctl_i,

  input  vec_t  perm_a_i,
  input  vec_t  perm_b_i,
  input  late_t perm_late_i,
  input  vec_t  perm_w_i,
  input  vec_t  perm_k0_i,
  input  vec_t  perm_k1_i,
  input  vec_t  perm_d_i,
  input  vec_t  x2_c_i,      // the third register

  // Look-ups, whose results come in the cycle after.
  output banks_t lookup_en_o,
  output vec_t [TableBanks-1:0] lookup_o,
  input  vec_t [TableBanks-1:0] table_i,
  output logic  x2_scatter_o,  // of the third register, to the rows of x2_value_o

  output forward_t forward_o,
  output vec_t  x2_value_o,  // result of the first half
  output vec_t  wb_value_o,  // what goes to memories, tables and the flag

  output logic x1_fault_o,   // nothing of the instruction in X1, and of those after it, may be kept
  output context_digest_t [StreamContexts-1:0] context_o,  // after X1
  output hash_t hash_o,                                    // after X2

  input  logic abort_i       // of all in PERM and X1, and of the contexts
);

  // ------------------------------------------------------------------ the datapath
  banks_t path_lookup, stream_lookup;
  vec_t [TableBanks-1:0] path_in, stream_in;
  vec_t perm_l0, x1_value, x1_stream, x2_moved, x2_row;

  lutra_datapath #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) u_datapath (
    .clk_i,
    .perm_valid_i,
    .perm_ctl_i,
    .perm_a_i,
    .perm_b_i,
    .perm_late_i,
    .perm_w_i,
    .perm_k0_i,
    .perm_k1_i,
    .perm_d_i,
    .perm_l0_o(perm_l0),
    .x1_valid_i,
    .x1_ctl_i,
    .x1_value_o(x1_value),
    .x1_stream_i(x1_stream),
    .x1_gy_i(hash_o.gy),
    .x2_ctl_i,
    .x2_c_i,
    .x2_value_o,
    .x2_moved_o(x2_moved),
    .x2_row_o(x2_row),
    .forward_o,
    .wb_value_o,
    .t0_en_o(path_lookup[0]),
    .t0_lookup_o(path_in[0]),
    .t0_i(table_i[0]),
    .t1_en_o(path_lookup[1]),
    .t1_lookup_o(path_in[1]),
    .t1_i(table_i[1])
  );

  assign x2_scatter_o = HasScatter && x2_valid_i && x2_ctl_i.res == ResScatter;

  // ---------------------------------------------------------------- the stream unit
  // Which cipher's clock a context makes is found in PERM: in X1 its sums begin with that choice.
  // A context and its shadow, which differ at power-up, begin as the same.
  logic stream_rst_n;
  assign stream_rst_n = SHADOW_WORDS != 0 ? rst_ni : data_rst_ni;
  step_t [StreamContexts-1:0] x1_step_q, x1_step_d;
  assign x1_step_d = steps_of(perm_valid_i && !abort_i, perm_ctl_i);
  always_ff @(posedge clk_i or negedge stream_rst_n) begin
    if (!stream_rst_n) x1_step_q <= '0;
    else x1_step_q <= x1_step_d;
  end

  lutra_stream #(
    .STREAM_CONTEXTS(STREAM_CONTEXTS),
    .SHADOW_WORDS(SHADOW_WORDS)
  ) u_stream (
    .clk_i,
    .rst_ni(stream_rst_n),
    .perm_valid_i,
    .perm_ctl_i,
    .perm_value_i(perm_l0),
    .lookup_en_o(stream_lookup),
    .lookup_o(stream_in),
    .x1_step_i(x1_step_q),
    .x1_valid_i,
    .x1_ctl_i,
    .x1_value_i(x1_value),
    .table_i,
    .x1_result_o(x1_stream),
    .x1_fault_o,
    .abort_i,
    .digest_o(context_o)
  );

  // The interlock keeps the two apart (docs/microarchitecture.md).
  assign lookup_en_o = path_lookup | stream_lookup;
  for (genvar t = 0; t < TableBanks; t++) begin : gen_lookup
    assign lookup_o[t] = ({VectorBits{path_lookup[t]}} & path_in[t]) | ({VectorBits{stream_lookup[t]}} & stream_in[t]);
  end

  // ------------------------------------------------------------------ the hash unit
  if (HasGhash) begin : gen_hash
    lutra_hash #(
      .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
    ) u_hash (
      .clk_i,
      .rst_ni(data_rst_ni),
      .x1_prime_i(multiplies(x1_ctl_i)),
      .valid_i(x2_valid_i),
      .res_i(x2_ctl_i.res),
      .h_i(x2_ctl_i.h),
      .prime_i(multiplies(x2_ctl_i)),
      .x_i(x2_value_o),
      .moved_i(x2_moved),
      .row_i(x2_row),
      .hash_o
    );
  end else begin : gen_no_hash
    assign hash_o = '0;
    logic unused;
    assign unused = &{1'b0, x2_value_o, x2_moved, x2_row};
  end

`ifndef SYNTHESIS
  localparam bit OneRound = StageX1[ROUNDS_PER_INSTR-1] == StageX2[ROUNDS_PER_INSTR-1];
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      cleared: assert (!u_stream.clear_q || x1_step_q == '0) else $error("contexts are cleared and changed");
      bank_once: assert ((path_lookup & stream_lookup) == '0) else $error("a look-up beside a stream context's");
      parts: assert (OneRound || !x2_valid_i || x2_ctl_i.p2 == PairingPairJoin ||
                     {forward_o.x2_result, forward_o.x2_partner} ==
                     {forward_o.x2_core ^ forward_o.x2_side, forward_o.x2_side_partner})
        else $error("a function of P2 or L2 that is not linear");
    end
  end
`endif

endmodule
