// The stream unit: contexts, clocked at the end of X1; context i looks up in bank i, its address presented in PERM.
//
// The address comes from the state that the instruction in X1 leaves, so that a clock a cycle is sustained.

module lutra_stream
  import lutra_isa_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned STREAM_CONTEXTS = StreamContexts
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic perm_valid_i,
  input  ctl_t perm_ctl_i,
  input  vec_t perm_value_i,                      // on the path
  output logic [StreamContexts-1:0] lookup_en_o,  // PERM
  output vec_t [StreamContexts-1:0] lookup_o,

  input  logic x1_valid_i,
  input  ctl_t x1_ctl_i,
  input  vec_t x1_value_i,                        // on the path
  input  vec_t [StreamContexts-1:0] table_i,      // what the look-up gave
  output vec_t x1_result_o,

  output context_digest_t [StreamContexts-1:0] digest_o  // in the cycle after X1
);

  context_t [StreamContexts-1:0] context_q, context_d;
  logic saves;
  assign saves = x1_ctl_i.st == StreamContextSave;

  // Both banks serve one register, that of c0, which takes the sum only if it is clocked.
  vec_t crc_sum;
  assign crc_sum = table_i[0] ^ (x1_ctl_i.c[1] ? table_i[1] : '0);

  for (genvar i = 0; i < StreamContexts; i++) begin : gen_context
    if (i < STREAM_CONTEXTS) begin : gen_context
      logic selected;
      assign selected = x1_valid_i && (x1_ctl_i.c[i] || x1_ctl_i.st == StreamContextLoad && x1_ctl_i.o == 1'(i));
      always_comb begin
        context_d[i] = context_q[i];
        if (selected) begin
          unique case (x1_ctl_i.st)
            StreamSnowInit: context_d[i] = snow_init(context_q[i], table_i[i]);
            StreamSnowWork: context_d[i] = snow_work(context_q[i], table_i[i]);
            StreamZucInit: context_d[i] = zuc_init(context_q[i], table_i[i]);
            StreamZucWork: context_d[i] = zuc_work(context_q[i], table_i[i]);
            StreamZucF: context_d[i] = zuc_f(context_q[i], table_i[i]);
            StreamZucLfsrInit: context_d[i] = zuc_lfsr_init(context_q[i]);
            StreamZucLfsrWork: context_d[i] = zuc_lfsr_work(context_q[i]);
            StreamCrc: if (i == 0) context_d[i] = crc(context_q[i], crc_sum);
            StreamContextLoad: context_d[i] = context_load(context_q[i], x1_value_i, imm_t'(x1_ctl_i.n));
            default: ;
          endcase
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) context_q[i] <= '0;
        else if (selected) context_q[i] <= context_d[i];
      end

      assign lookup_en_o[i] = perm_valid_i && perm_ctl_i.c[i];
      always_comb begin
        unique case (perm_ctl_i.st)
          StreamZucInit, StreamZucWork, StreamZucF: lookup_o[i] = zuc_addresses(context_d[i]);
          StreamCrc: lookup_o[i] = crc_addresses(word_of(perm_value_i, 2'(i)) ^ (i == 0 ? context_d[0].r1 : '0));
          default: lookup_o[i] = snow_addresses(context_d[i]);
        endcase
      end
    end else begin : gen_none
      assign context_q[i] = '0;
      assign context_d[i] = '0;
      assign lookup_en_o[i] = 1'b0;
      assign lookup_o[i] = '0;
    end
    assign digest_o[i] = digest(context_q[i]);
  end

  always_comb begin
    x1_result_o = x1_value_i;
    if (saves) x1_result_o = context_save(context_q[x1_ctl_i.o], imm_t'(x1_ctl_i.n));
    else if (x1_ctl_i.c != '0) x1_result_o = context_d[x1_ctl_i.o].buffer;
  end

endmodule
