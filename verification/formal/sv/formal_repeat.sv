// The sequencer under any program. An arbitrary REPEAT is followed from the cycle in which it is in AG.

module formal_repeat
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
(
  input logic  clk_i,
  input logic  rst_ni,
  input logic  start_i,
  input logic  resume_i,
  input addr_t entry_i,
  // In ID.
  input sq_fn_e sq_i,
  input cc_fn_e cc_i,
  input addr_t n_i,
  input addr_t e_i,
  input logic  legal_i,
  input logic  stall_i,
  // In AG.
  input addr_t as_i,
  input logic zero_i,
  input logic  flag_i,
  input logic  other_trap_i,
  input logic  follow_i     // this REPEAT
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) reset_first: assume (!rst_ni);

  ctl_t id_ctl;
  always_comb begin
    id_ctl = '0;
    id_ctl.sq = sq_i;
    id_ctl.cc = cc_i;
    id_ctl.n = n_i;
    id_ctl.e = e_i;
  end

  logic id_valid, id_issue, id_range, id_trapped;
  addr_t id_pc, ag_pc;
  trap_e stack_trap;
  logic [7:0] depth_after;
  assign id_trapped = id_range || !legal_i;

  // The instruction that has left ID is in AG, as in the core.
  logic ag_valid_q, ag_id_trapped_q, ag_taken, trapped;
  ctl_t ag_ctl_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ag_valid_q <= 1'b0;
    else ag_valid_q <= id_issue;
  end
  always_ff @(posedge clk_i) begin
    ag_id_trapped_q <= id_trapped;
    ag_ctl_q <= id_trapped ? no_effect() : id_ctl;
  end
  assign trapped = ag_id_trapped_q || stack_trap != TrapNone || other_trap_i;

  lutra_sequencer u_sequencer (
    .clk_i,
    .rst_ni,
    .start_i,
    .resume_i,
    .entry_i,
    .fetch_en_o(),
    .fetch_pc_o(),
    .id_valid_o(id_valid),
    .id_pc_o(id_pc),
    .id_fetch_range_o(id_range),
    .id_wait_o(),
    .id_ctl_i(id_ctl),
    .id_legal_i(id_valid && legal_i),
    .id_stall_i(stall_i),
    .id_trapped_i(id_trapped),
    .id_issue_o(id_issue),
    .abort_i(1'b0),  // a fault ends the program
    .ag_valid_i(ag_valid_q),
    .ag_ctl_i(ag_ctl_q),
    .ag_as_i(as_i),
    .ag_zero_i(zero_i),
    .flag_i,
    .ag_trap_o(stack_trap),
    .ag_trapped_i(trapped),
    .ag_pc_o(ag_pc),
    .ag_taken_o(ag_taken),
    .ag_loop_depth_o(depth_after),
    .ag_loop_remaining_o(),
    .ag_call_depth_o()
  );

  // What the core around it guarantees (starts_empty, idle_at_start and transfer_has_no_slots are proven there).
  always_comb begin
    idle_at_start: assume (!(start_i || resume_i) || !(u_sequencer.valid_q || u_sequencer.redirect_valid_q || ag_valid_q));
    no_slots: assume (!ag_taken || !other_trap_i);
  end

  // Executed: in AG without a trap.
  logic executes, repeats;
  addr_t count;
  assign executes = ag_valid_q && !trapped;
  assign repeats = ag_ctl_q.sq inside {SqRepeat, SqRepeatAr};
  assign count = ag_ctl_q.sq == SqRepeatAr ? as_i : ag_ctl_q.n;

  // The REPEAT that is followed: its body, count, the depth of its entry, and how often its last instruction has been
  // executed with that entry on top.
  logic following_q, straight_q;
  addr_t start_q, end_q, count_q, done_q;
  logic [7:0] level_q, depth;
  assign depth = u_sequencer.loop_depth_q;

  logic ends, last;
  assign ends = executes && depth == level_q && ag_pc == end_q;
  assign last = done_q + 16'd1 == count_q;

  // While the body has had neither transfers nor loops of its own: the instruction that must come next.
  addr_t expected_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      following_q <= 1'b0;
      straight_q <= 1'b0;
    end else if (start_i) begin
      following_q <= 1'b0;
      straight_q <= 1'b0;
    end else if (ag_valid_q && trapped) begin
      following_q <= 1'b0;
      straight_q <= 1'b0;
    end else if (executes && repeats && follow_i && !following_q) begin
      // No iteration: straight to what follows the body.
      following_q <= count != '0;
      straight_q <= 1'b1;
      start_q <= ag_pc + 16'd1;
      end_q <= ag_ctl_q.e;
      count_q <= count;
      done_q <= '0;
      level_q <= depth + 8'd1;
      expected_q <= count != '0 ? ag_pc + 16'd1 : ag_ctl_q.e + 16'd1;
    end else if (executes) begin
      if (following_q && ends) begin
        done_q <= done_q + 16'd1;
        if (last) following_q <= 1'b0;
      end
      // After the loop one more instruction is checked.
      straight_q <= straight_q && following_q && ag_ctl_q.sq inside {SqNext, SqNotify, SqWait};
      expected_q <= ends && !last ? start_q : ag_pc + 16'd1;
    end
  end

  // Facts about the sequencer's stack that the induction needs.
  logic [7:0] place;
  loop_t entry, top;
  assign place = depth - level_q;
  assign entry = u_sequencer.loops_q[place[1:0]];
  assign top = u_sequencer.loops_q[0];
  logic none_empty;
  always_comb begin
    none_empty = 1'b1;
    for (int i = 0; i < LoopDepth; i++) none_empty &= 8'(i) >= depth || u_sequencer.loops_q[i].remaining != '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      counts_left: assert (none_empty);
      if (ag_valid_q && !ag_id_trapped_q) begin
        // The stack in AG is as ID saw it.
        seen: assert (u_sequencer.ag_q.counts == (depth != '0 && top.end_pc == ag_pc));
        seen_last: assert (u_sequencer.ag_q.pops == (u_sequencer.ag_q.counts && top.remaining == 16'd1));
        seen_next: assert (u_sequencer.ag_q.next_pc ==
                           (u_sequencer.ag_q.counts && !u_sequencer.ag_q.pops ? top.start_pc : ag_pc + 16'd1));
        seen_nests: assert (!repeats || u_sequencer.ag_q.nests ==
                            (u_sequencer.ag_q.counts || (depth != '0 && top.end_pc == ag_ctl_q.e) || ag_ctl_q.e <= ag_pc));
        // It is followed by the next instruction, or by nothing until the host resumes.
        follows: assert ((id_valid ? id_pc : u_sequencer.redirect_pc_q) == u_sequencer.ag_q.next_pc);
      end
      if (following_q) begin
        entry_kept: assert (depth >= level_q && level_q != '0 && depth <= 8'(LoopDepth));
        entry_right: assert (entry == {start_q, end_q, count_q - done_q});
        not_yet: assert (done_q < count_q);
        // The loop ends after its n-th iteration and not before, whatever the body does.
        exactly: assert (!executes || (depth_after < level_q) == (ends && last));
        again: assert (!(ends && !last) || u_sequencer.ag_q.next_pc == start_q);
        leaves: assert (!(ends && last) || u_sequencer.ag_q.next_pc == end_q + 16'd1);
      end
      if (straight_q && following_q) level_top: assert (depth == level_q);
      if (straight_q) begin
        in_order: assert (!ag_valid_q || ag_pc == expected_q);
        // In ID, on its way to ID, or after a WAIT.
        fetched: assert (ag_valid_q || (id_valid ? id_pc : u_sequencer.redirect_pc_q) == expected_q);
      end
      twice: cover (following_q && count_q == 16'd2 && ends && last);
      nested: cover (following_q && depth > level_q && place == 8'd2);
      none: cover (straight_q && !following_q && count_q == '0 && id_valid);
    end
  end

endmodule
