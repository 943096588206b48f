// The architectural state of a core, for simulation. It is bound into lutra_core and not part of it: rtl/lutra.f,
// which synthesis and proofs read, names no file of this folder.

module lutra_state
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_state_pkg::*;
  import lutra_stream_pkg::*;
(
  input state_e     state_i,
  input logic       flag_i,
  input hash_t      hash_i,
  input logic [7:0] notify_i
);

  if ($bits(registers_t) != RegistersBits) begin : gen_unlike
    $error("registers_t has other bits than the C++ side unpacks");
  end

  // Called when somebody wants to know: a signal that follows the registers would be made anew in every cycle. What
  // instructions in flight have not yet written is as it was before them.
  function automatic void registers(output registers_t r);
    // verilator public
    context_t c;
    r = '0;
    r.v = u_operands.v_q;
    r.ctr = u_counter.value_q;
    r.ctr_width = counter_bits(u_counter.width_q);
    r.wk = u_operands.wk_q;
    r.hold = u_operands.hold_q;
    r.ar = u_agu.ar_q;
    for (int i = 0; i < AddressRegs; i++) begin
      r.step[i] = u_agu.config_q[i].step;
      r.window_start[i] = u_agu.config_q[i].window_start;
      r.window_end[i] = u_agu.config_q[i].window_end;
    end
    r.flag = flag_i;
    for (int i = 0; i < StreamContexts; i++) begin
      c = u_execute.u_stream.context_q[i];
      r.context_lfsr0[i] = context_save(c, imm_t'(StreamRowLfsr0));
      r.context_lfsr1[i] = context_save(c, imm_t'(StreamRowLfsr1));
      r.context_lfsr2[i] = context_save(c, imm_t'(StreamRowLfsr2));
      r.context_lfsr3[i] = context_save(c, imm_t'(StreamRowLfsr3));
      r.context_registers[i] = context_save(c, imm_t'(StreamRowRegisters));
      r.context_buffer[i] = context_save(c, imm_t'(StreamRowBuffer));
    end
    r.gh = hash_i.gh;
    r.gx = hash_i.gx;
    r.gy = hash_i.gy;
    r.gt = hash_i.gt;
    r.gu = 8'(hash_i.gu);
    r.loops = u_sequencer.loop_depth_q;
    for (int i = 0; i < LoopDepth; i++)
      if (8'(i) < u_sequencer.loop_depth_q) begin
        r.loop_start[i] = u_sequencer.loops_q[i].start_pc;
        r.loop_end[i] = u_sequencer.loops_q[i].end_pc;
        r.loop_remaining[i] = u_sequencer.loops_q[i].remaining;
      end
    r.calls = u_sequencer.call_depth_q;
    for (int i = 0; i < CallDepth; i++)
      if (8'(i) < u_sequencer.call_depth_q) r.call_return[i] = u_sequencer.calls_q[i];
    r.notify = notify_i;
    r.resume = state_i == StateWaiting ? u_sequencer.redirect_pc_q : '0;
  endfunction

endmodule

bind lutra_core lutra_state u_state (
  .state_i(state_o),
  .flag_i(flag_q),
  .notify_i(notify_o),
  .hash_i(wb_hash)
);
