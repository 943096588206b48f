// The retirement record for verification: collected from all stages of an instruction, complete in its WB.

module lutra_retire
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_stream_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  parameter bit RETIREMENT_PORT = 1,
  localparam int unsigned Wb = StageWB[ROUNDS_PER_INSTR-1]
) (
  input  logic       clk_i,
  input  insn_t      id_insn_i,
  input  ag_record_t ag_record_i,

  input  logic       perm_ar_write_i,
  input  ar_t        perm_ar_i,
  input  addr_t      perm_ar_value_i,
  input  vec_t       mem_ctr_i,  // after ctr++
  input  vec_t       mem_hold_i,
  input  vec_t       x2_result_i,
  input  vec_t       x2_partner_i,
  input  vec_t       x2_value_i,   // rows of a scatter
  input  vec_t       x2_c_i,       // stored row

  input  context_digest_t [StreamContexts-1:0] context_i,  // after X1

  input  hash_t      wb_hash_i,  // after X2

  input  logic       wb_valid_i,
  input  issued_t    wb_i,
  input  logic       wb_ctr_en_i,
  input  logic       wb_store_en_i,
  input  logic [VectorBytes-1:0] wb_store_lanes_i,
  input  vec_t       wb_store_value_i,
  input  logic       wb_flag_en_i,
  input  logic       wb_flag_i,
  input  logic [63:0] cycle_i,

  output logic       valid_o,
  output retire_t    retire_o
);

  if (RETIREMENT_PORT) begin : gen_port
    localparam int unsigned Ag = StageAG[ROUNDS_PER_INSTR-1];
    localparam int unsigned Mem = StageMEM[ROUNDS_PER_INSTR-1];
    localparam int unsigned Perm = StagePERM[ROUNDS_PER_INSTR-1];

    // By stage.
    insn_t [Wb:Ag] insn_q;
    ag_record_t [Wb:Ag+1] record_q, record_d;
    vec_t [Wb:Mem+1] ctr_q, hold_q;
    vec_t wb_result_q, wb_partner_q, wb_rows_q, wb_entries_q;
    always_comb begin
      record_d = {record_q[Wb-1:Ag+1], ag_record_i};
      if (perm_ar_write_i) begin
        record_d[Perm+1].ar_mask[perm_ar_i] = 1'b1;
        record_d[Perm+1].ar_value[perm_ar_i] = perm_ar_value_i;
      end
    end
    // X1 is followed by WB at once with one round, by X2 with two.
    context_digest_t [StreamContexts-1:0] wb_context;
    if (Wb == StageX1[ROUNDS_PER_INSTR-1] + 1) begin : gen_at_once
      assign wb_context = context_i;
    end else begin : gen_later
      context_digest_t [StreamContexts-1:0] wb_context_q;
      always_ff @(posedge clk_i) wb_context_q <= context_i;
      assign wb_context = wb_context_q;
    end

    always_ff @(posedge clk_i) begin
      insn_q <= {insn_q[Wb-1:Ag], id_insn_i};
      record_q <= record_d;
      ctr_q <= {ctr_q[Wb-1:Mem+1], mem_ctr_i};
      hold_q <= {hold_q[Wb-1:Mem+1], mem_hold_i};
      wb_result_q <= x2_result_i;
      wb_partner_q <= x2_partner_i;
      wb_rows_q <= x2_value_i;
      wb_entries_q <= x2_c_i;
    end

    if ($bits(retire_t) != RetireBits) begin : gen_unlike
      $error("retire_t width differs from RetireBits");
    end

    ctl_t ctl;
    assign ctl = wb_i.ctl;
    assign valid_o = wb_valid_i;
    always_comb begin
      retire_o = '0;
      retire_o.cycle = cycle_i;
      retire_o.pc = record_q[Wb].pc;
      retire_o.insn = insn_q[Wb];
      retire_o.trap = wb_i.trap;
      retire_o.loop_depth = record_q[Wb].loop_depth;
      retire_o.loop_remaining = record_q[Wb].loop_remaining;
      retire_o.call_depth = record_q[Wb].call_depth;
      retire_o.ar_mask = record_q[Wb].ar_mask;
      retire_o.ar_value = record_q[Wb].ar_value;
      if (wb_valid_i && ctl.rd != VecNONE) begin
        retire_o.rd_en = 1'b1;
        retire_o.rd = ctl.rd;
        retire_o.rd_value = wb_result_q;
      end
      if (ctl.pair) begin
        retire_o.partner_en = 1'b1;
        retire_o.partner_value = wb_partner_q;
      end
      if (ctl.mv inside {MoveHoldRow, MoveHoldCtr}) begin
        retire_o.hold_en = 1'b1;
        retire_o.hold_value = hold_q[Wb];
      end
      if (wb_ctr_en_i) begin
        retire_o.ctr_en = 1'b1;
        retire_o.ctr_value = ctr_q[Wb];
      end
      if (key_blocks(ctl) != '0) begin
        retire_o.key_en = 1'b1;
        retire_o.key_address = record_q[Wb].key_address;
      end
      if (ctl.d.en) begin
        retire_o.data_en = 1'b1;
        retire_o.data_address = record_q[Wb].data_address;
      end
      if (ctl.res == ResScatter) begin
        retire_o.scatter_en = 1'b1;
        retire_o.scatter_rows = wb_rows_q;
        retire_o.scatter_value = wb_entries_q;
      end
      if (wb_store_en_i) begin
        retire_o.store_en = 1'b1;
        retire_o.store_space = ctl.s_space;
        retire_o.store_address = wb_i.s_address;
        retire_o.store_lanes = wb_store_lanes_i;
        retire_o.store_value = wb_store_value_i;
      end
      retire_o.flag_en = wb_flag_en_i;
      retire_o.flag = wb_flag_en_i && wb_flag_i;
      retire_o.step_en = ctl.au == AuSetStep;
      retire_o.window_en = ctl.au == AuSetWindow;
      retire_o.width_en = ctl.au == AuSetWidth;
      if (ctl.au inside {AuSetStep, AuSetWindow, AuSetWidth}) begin
        retire_o.config_ar = ctl.ad;
        retire_o.config_n = ctl.n;
      end
      if (ctl.au == AuSetWindow) retire_o.config_e = ctl.e;
      if (ctl.sq == SqNotify) begin
        retire_o.notify_en = 1'b1;
        retire_o.notify = ctl.n[7:0];
      end
      retire_o.context_mask = ctl.c;
      if (ctl.st == StreamContextLoad) retire_o.context_mask[ctl.o] = 1'b1;
      for (int i = 0; i < StreamContexts; i++) if (retire_o.context_mask[i]) begin
        retire_o.context_state[i] = wb_context[i].state;
        retire_o.context_buffer[i] = wb_context[i].buffer;
        retire_o.context_lfsr[i] = wb_context[i].lfsr;
      end
      if (HasGhash && (ctl.h != '0 || ctl.g || hashes(ctl.res))) begin
        retire_o.hash_en = 1'b1;
        retire_o.hash_factor = wb_hash_i.gh;
        retire_o.hash_input = wb_hash_i.gx;
        retire_o.hash_sum = wb_hash_i.gy;
        retire_o.hash_digit = wb_hash_i.gt;
        retire_o.hash_upper = 8'(wb_hash_i.gu);
      end
      retire_o.halt_en = ctl.sq == SqHalt;
      retire_o.wait_en = ctl.sq == SqWait;
    end
  end else begin : gen_no_port
    assign valid_o = 1'b0;
    assign retire_o = '0;
  end

endmodule
