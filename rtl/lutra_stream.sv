// The stream unit: contexts, clocked at the end of X1; context i looks up in bank i, its address presented in PERM.
//
// The address comes from the state after the instruction in X1, so the unit sustains one clock per cycle.

module lutra_stream
  import lutra_isa_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned STREAM_CONTEXTS = StreamContexts,
  parameter int unsigned SHADOW_WORDS = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic perm_valid_i,
  input  ctl_t perm_ctl_i,
  input  vec_t perm_value_i,                      // on the path
  output logic [StreamContexts-1:0] lookup_en_o,  // PERM
  output vec_t [StreamContexts-1:0] lookup_o,

  input  step_t [StreamContexts-1:0] x1_step_i,   // steps_of the instruction there, found in PERM
  input  logic x1_valid_i,                        // for faults only: without a step nothing is shown
  input  ctl_t x1_ctl_i,
  input  vec_t x1_value_i,                        // on the path
  input  vec_t [StreamContexts-1:0] table_i,      // result of the look-up
  output vec_t x1_result_o,                       // zero without a clock or a save
  output logic x1_fault_o,                        // a context that is used differs from its shadow

  output context_digest_t [StreamContexts-1:0] digest_o  // in the cycle after X1
);

  context_t [StreamContexts-1:0] context_q;
  vec_t [StreamContexts-1:0] shown;
  logic [StreamContexts-1:0] fault;
  assign x1_fault_o = fault != '0;

  // The first clock after a reset, and every one during it, clears the contexts; so does the one after a fault.
  logic clear_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) clear_q <= 1'b1;
    else clear_q <= x1_fault_o;
  end

  // Both banks serve one register, that of c0, which takes the sum only if it is clocked.
  word_t crc_sum;
  assign crc_sum = crc_fold(table_i[0]) ^ (x1_ctl_i.c[1] ? crc_fold(table_i[1]) : '0);

  logic perm_zuc, perm_crc;
  assign perm_zuc = HasZuc && perm_ctl_i.st inside {StreamZucInit, StreamZucWork, StreamZucF};
  assign perm_crc = HasCrc && perm_ctl_i.st == StreamCrc;

  for (genvar i = 0; i < StreamContexts; i++) begin : gen_context
    if (i < STREAM_CONTEXTS) begin : gen_context
      logic shows, saves;
      logic [StreamRows-1:0] show_row;
      assign shows = x1_ctl_i.c != '0 && x1_ctl_i.o == 1'(i);
      assign saves = x1_ctl_i.st == StreamContextSave && x1_ctl_i.o == 1'(i);
      always_comb begin
        for (int row = 0; row < StreamRows; row++) show_row[row] = saves && x1_ctl_i.n[2:0] == 3'(row);
        if (shows && !x1_step_i[i].emit) show_row[StreamRowBuffer] = 1'b1;
      end

      lutra_stream_context #(
        .SHADOW_WORDS(SHADOW_WORDS)
      ) u_context (
        .clk_i,
        .clear_i(clear_q),
        .x1_step_i(x1_step_i[i]),
        .x1_value_i,
        .table_i(table_i[i]),
        .crc_i(i == 0 ? crc_sum : '0),
        .perm_zuc_i(perm_zuc),
        .perm_crc_i(perm_crc),
        .perm_word_i(word_of(perm_value_i, 2'(i))),
        .crc_chained_i(i == 0),
        .lookup_o(lookup_o[i]),
        .show_row_i(show_row),
        .show_key_i(shows && x1_step_i[i].emit),
        .x1_shown_o(shown[i]),
        .used_i(x1_valid_i && (x1_ctl_i.c[i] || saves)),
        .context_o(context_q[i]),
        .x1_fault_o(fault[i])
      );
      assign lookup_en_o[i] = perm_valid_i && perm_ctl_i.c[i];
    end else begin : gen_none
      assign context_q[i] = '0;
      assign shown[i] = '0;
      assign fault[i] = 1'b0;
      assign lookup_en_o[i] = 1'b0;
      assign lookup_o[i] = '0;
      logic unused;
      assign unused = &{1'b0, x1_step_i[i]};
    end
    assign digest_o[i] = digest(context_q[i]);
  end

  always_comb begin
    x1_result_o = '0;
    for (int i = 0; i < StreamContexts; i++) x1_result_o |= shown[i];
  end

endmodule
