// The stream unit with the fields of the control words that it looks at as ports.

module formal_stream
  import lutra_isa_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned STREAM_CONTEXTS = StreamContexts
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic perm_valid_i,
  input  stream_fn_e perm_fn_i,
  input  logic [StreamContexts-1:0] perm_c_i,
  input  vec_t perm_value_i,
  output logic [StreamContexts-1:0] lookup_en_o,
  output vec_t [StreamContexts-1:0] lookup_o,
  input  logic x1_valid_i,
  input  stream_fn_e x1_fn_i,
  input  logic [StreamContexts-1:0] x1_c_i,
  input  logic x1_o_i,
  input  addr_t x1_n_i,
  input  vec_t x1_value_i,
  input  vec_t [StreamContexts-1:0] table_i,
  output vec_t x1_result_o,
  output context_digest_t [StreamContexts-1:0] digest_o
);

  ctl_t perm_ctl, x1_ctl;
  always_comb begin
    perm_ctl = '0;
    perm_ctl.st = perm_fn_i;
    perm_ctl.c = perm_c_i;
    x1_ctl = '0;
    x1_ctl.st = x1_fn_i;
    x1_ctl.c = x1_c_i;
    x1_ctl.o = x1_o_i;
    x1_ctl.n = x1_n_i;
  end

  lutra_stream #(
    .STREAM_CONTEXTS(STREAM_CONTEXTS)
  ) u_stream (
    .clk_i,
    .rst_ni,
    .perm_valid_i,
    .perm_ctl_i(perm_ctl),
    .perm_value_i,
    .lookup_en_o,
    .lookup_o,
    .x1_step_i(steps_of(x1_valid_i, x1_ctl)),
    .x1_ctl_i(x1_ctl),
    .x1_value_i,
    .table_i,
    .x1_result_o,
    .abort_i(1'b0),
    .digest_o
  );

endmodule
