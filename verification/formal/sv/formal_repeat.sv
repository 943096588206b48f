// The sequencer under any program. One REPEAT, whichever, is followed from the cycle in which it issues.

module formal_repeat
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
(
  input logic  clk_i,
  input logic  rst_ni,
  input logic  start_i,
  input logic  resume_i,
  input addr_t entry_i,
  input sq_fn_e sq_i,
  input cc_fn_e cc_i,
  input addr_t n_i,
  input addr_t e_i,
  input addr_t as_i,
  input addr_t au_i,
  input logic  flag_i,
  input logic  issue_i,
  input logic  other_trap_i,
  input logic  follow_i     // this REPEAT
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) reset_first: assume (!rst_ni);

  ctl_t ctl;
  always_comb begin
    ctl = '0;
    ctl.sq = sq_i;
    ctl.cc = cc_i;
    ctl.n = n_i;
    ctl.e = e_i;
  end

  logic id_valid;
  addr_t id_pc;
  trap_e id_trap;
  logic [7:0] depth_after;
  logic trapped;
  assign trapped = id_trap != TrapNone || other_trap_i;

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
    .id_bubble_o(),
    .id_fetch_range_o(),
    .id_trap_o(id_trap),
    .id_ctl_i(ctl),
    .id_as_i(as_i),
    .id_au_i(au_i),
    .flag_i,
    .id_issue_i(issue_i),
    .id_trapped_i(trapped),
    .id_loop_depth_o(depth_after),
    .id_loop_remaining_o(),
    .id_call_depth_o()
  );

  // What the core around it guarantees (issue_is_valid and starts_empty are proven there).
  always_comb begin
    issues_valid: assume (!issue_i || id_valid);
    starts_empty: assume (!(start_i || resume_i) || !(u_sequencer.valid_q || u_sequencer.redirect_valid_q));
  end

  // Executed: issued without a trap.
  logic executes, repeats;
  addr_t count;
  assign executes = issue_i && !trapped;
  assign repeats = sq_i inside {SqRepeat, SqRepeatAr};
  assign count = sq_i == SqRepeatAr ? as_i : n_i;

  // The REPEAT that is followed: its body, count, the depth of its entry, and how often its last instruction has been
  // executed with that entry on top.
  logic following_q, straight_q;
  addr_t start_q, end_q, count_q, done_q;
  logic [7:0] level_q, depth;
  assign depth = u_sequencer.loop_depth_q;

  logic ends, last;
  assign ends = executes && depth == level_q && id_pc == end_q;
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
    end else if (issue_i && trapped) begin
      following_q <= 1'b0;
      straight_q <= 1'b0;
    end else if (executes && repeats && follow_i && !following_q) begin
      // None at all: straight to behind the body.
      following_q <= count != '0;
      straight_q <= 1'b1;
      start_q <= id_pc + 16'd1;
      end_q <= e_i;
      count_q <= count;
      done_q <= '0;
      level_q <= depth + 8'd1;
      expected_q <= count != '0 ? id_pc + 16'd1 : e_i + 16'd1;
    end else if (executes) begin
      if (following_q && ends) begin
        done_q <= done_q + 16'd1;
        if (last) following_q <= 1'b0;
      end
      // Behind the loop one more instruction is looked at.
      straight_q <= straight_q && following_q && sq_i inside {SqNext, SqNotify, SqWait};
      expected_q <= ends && !last ? start_q : id_pc + 16'd1;
    end
  end

  // Facts about the sequencer's stack, that the induction needs.
  logic [7:0] place;
  loop_t entry;
  assign place = depth - level_q;
  assign entry = u_sequencer.loops_q[place[1:0]];

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (following_q) begin
        entry_kept: assert (depth >= level_q && level_q != '0 && depth <= 8'(LoopDepth));
        entry_right: assert (entry == {start_q, end_q, count_q - done_q});
        not_yet: assert (done_q < count_q);
        // The loop is left with its n-th end and not before, whatever the body does.
        exactly: assert (!executes || (depth_after < level_q) == (ends && last));
        again: assert (!(ends && !last) || u_sequencer.next_pc == start_q);
        leaves: assert (!(ends && last) || u_sequencer.next_pc == end_q + 16'd1);
      end
      if (straight_q && following_q) level_top: assert (depth == level_q);
      if (straight_q) begin
        // In ID, on its way to ID, or behind a WAIT.
        in_order: assert (!id_valid || id_pc == expected_q);
        fetched: assert (id_valid || u_sequencer.redirect_pc_q == expected_q);
      end
      twice: cover (following_q && count_q == 16'd2 && ends && last);
      nested: cover (following_q && depth > level_q && place == 8'd2);
      none: cover (straight_q && !following_q && count_q == '0 && id_valid);
    end
  end

endmodule
