// Program counter, fetch, loop stack, call stack, redirect: which instruction is in ID, and which one is next.

module lutra_sequencer
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned LOOP_DEPTH = LoopDepth,
  parameter int unsigned CALL_DEPTH = CallDepth
) (
  input  logic  clk_i,
  input  logic  rst_ni,

  input  logic  start_i,   // only when not running
  input  logic  resume_i,  // only when waiting
  input  addr_t entry_i,

  output logic  fetch_en_o,
  output addr_t fetch_pc_o,

  output logic  id_valid_o,
  output addr_t id_pc_o,
  output logic  id_bubble_o,       // the cycle lost after a taken transfer
  output logic  id_fetch_range_o,  // pc outside of the program memory
  output trap_e id_trap_o,         // of the loop and call stacks

  input  ctl_t  id_ctl_i,
  input  addr_t id_as_i,       // source address register
  input  addr_t id_au_i,       // what the address unit computes; the source register where it keeps
  input  logic  flag_i,
  input  logic  id_issue_i,    // leaves ID
  input  logic  id_trapped_i,  // ... with a trap, without any effect

  output logic [7:0] id_loop_depth_o,  // after the instruction in ID, like the next two
  output addr_t      id_loop_remaining_o,
  output logic [7:0] id_call_depth_o
);

  logic  valid_q, valid_d, bubble_q, bubble_d, redirect_valid_q, redirect_valid_d;
  addr_t pc_q, pc_d, redirect_pc_q, redirect_pc_d;

  // Entry 0 is the top, so that the next pc needs no look-up by depth.
  loop_t [LOOP_DEPTH-1:0] loops_q, loops_d;
  addr_t [CALL_DEPTH-1:0] calls_q, calls_d;
  logic [7:0] loop_depth_q, loop_depth_d, call_depth_q, call_depth_d;

  logic in_loop, at_end, last_time;
  addr_t next_pc;
  assign in_loop = loop_depth_q != '0;
  assign at_end = in_loop && loops_q[0].end_pc == pc_q;
  assign last_time = loops_q[0].remaining <= 16'd1;
  assign next_pc = at_end && !last_time ? loops_q[0].start_pc : pc_q + 16'd1;

  // What the instruction in ID wants.
  logic is_repeat, condition, taken, stops;
  addr_t count, target;
  assign is_repeat = id_ctl_i.sq inside {SqRepeat, SqRepeatAr};
  assign count = id_ctl_i.sq == SqRepeatAr ? id_as_i : id_ctl_i.n;

  always_comb begin
    unique case (id_ctl_i.cc)
      CcZero: condition = id_au_i == '0;
      CcNonzero: condition = id_au_i != '0;
      CcFlag: condition = flag_i;
      CcNotFlag: condition = !flag_i;
      default: condition = 1'b1;
    endcase
  end

  always_comb begin
    taken = 1'b0;
    target = id_ctl_i.e;
    stops = 1'b0;
    unique case (id_ctl_i.sq)
      SqJump: taken = condition;
      SqCall: taken = 1'b1;
      SqReturn: begin
        taken = 1'b1;
        target = calls_q[0];
      end
      SqRepeat, SqRepeatAr: begin
        taken = count == '0;
        target = id_ctl_i.e + 16'd1;
      end
      SqWait, SqHalt: stops = 1'b1;
      default: ;
    endcase
  end

  always_comb begin
    id_trap_o = TrapNone;
    if (is_repeat && count != '0 && loop_depth_q == 8'(LOOP_DEPTH)) id_trap_o = TrapLoopOverflow;
    else if (is_repeat && (at_end || (in_loop && loops_q[0].end_pc == id_ctl_i.e) || id_ctl_i.e <= pc_q))
      id_trap_o = TrapLoopNesting;
    else if (id_ctl_i.sq == SqCall && call_depth_q == 8'(CALL_DEPTH)) id_trap_o = TrapCallOverflow;
    else if (id_ctl_i.sq == SqReturn && call_depth_q == '0) id_trap_o = TrapCallUnderflow;
  end

  assign id_valid_o = valid_q;
  assign id_pc_o = pc_q;
  assign id_bubble_o = bubble_q;
  assign id_fetch_range_o = 32'(pc_q) >= PROGRAM_WORDS;

  // While ID stalls nothing is fetched, and the program memory holds its word. After a taken transfer the word of
  // next_pc is fetched all the same and dropped.
  assign fetch_en_o = redirect_valid_q || id_issue_i;
  assign fetch_pc_o = redirect_valid_q ? redirect_pc_q : next_pc;

  logic commit;
  assign commit = id_issue_i && !id_trapped_i;

  always_comb begin
    bubble_d = commit && taken;
    redirect_valid_d = start_i || resume_i || bubble_d;
    valid_d = valid_q;
    if (redirect_valid_q) valid_d = 1'b1;
    else if (id_issue_i) valid_d = !(id_trapped_i || stops || taken);
  end

  // pc stays at the instruction that stops the program, for the host to see; a wait leaves where to go on in the
  // redirect register.
  always_comb begin
    pc_d = pc_q;
    if (redirect_valid_q) pc_d = redirect_pc_q;
    else if (commit && !stops) pc_d = next_pc;

    redirect_pc_d = redirect_pc_q;
    if (start_i) redirect_pc_d = entry_i;
    else if (commit && (taken || stops)) redirect_pc_d = taken ? target : next_pc;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      bubble_q <= 1'b0;
      redirect_valid_q <= 1'b0;
      pc_q <= '0;
    end else begin
      valid_q <= valid_d;
      bubble_q <= bubble_d;
      redirect_valid_q <= redirect_valid_d;
      pc_q <= pc_d;
    end
  end
  always_ff @(posedge clk_i) redirect_pc_q <= redirect_pc_d;

  // A repeat never is at the end of the loop around it (that traps), so one push or one pop a cycle.
  logic loop_push, loop_pop, loop_count;
  assign loop_push = commit && is_repeat && count != '0;
  assign loop_pop = commit && at_end && last_time;
  assign loop_count = commit && at_end && !last_time;

  always_comb begin
    loops_d = loops_q;
    loop_depth_d = loop_depth_q;
    if (loop_push) begin
      loop_depth_d = loop_depth_q + 8'd1;
      for (int i = 1; i < LOOP_DEPTH; i++) loops_d[i] = loops_q[i-1];
      loops_d[0] = '{start_pc: pc_q + 16'd1, end_pc: id_ctl_i.e, remaining: count};
    end else if (loop_pop) begin
      loop_depth_d = loop_depth_q - 8'd1;
      for (int i = 1; i < LOOP_DEPTH; i++) loops_d[i-1] = loops_q[i];
    end else if (loop_count) begin
      loops_d[0].remaining = loops_q[0].remaining - 16'd1;
    end
  end

  logic call_push, call_pop;
  assign call_push = commit && id_ctl_i.sq == SqCall;
  assign call_pop = commit && id_ctl_i.sq == SqReturn;

  always_comb begin
    calls_d = calls_q;
    call_depth_d = call_depth_q;
    if (call_push) begin
      call_depth_d = call_depth_q + 8'd1;
      for (int i = 1; i < CALL_DEPTH; i++) calls_d[i] = calls_q[i-1];
      calls_d[0] = next_pc;
    end else if (call_pop) begin
      call_depth_d = call_depth_q - 8'd1;
      for (int i = 1; i < CALL_DEPTH; i++) calls_d[i-1] = calls_q[i];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loop_depth_q <= '0;
      call_depth_q <= '0;
    end else if (start_i) begin
      loop_depth_q <= '0;
      call_depth_q <= '0;
    end else begin
      loop_depth_q <= loop_depth_d;
      call_depth_q <= call_depth_d;
    end
  end

  always_ff @(posedge clk_i) begin
    loops_q <= loops_d;
    calls_q <= calls_d;
  end

  assign id_loop_depth_o = loop_depth_d;
  assign id_loop_remaining_o = loop_depth_d == '0 ? '0 : loops_d[0].remaining;
  assign id_call_depth_o = call_depth_d;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      issue_is_valid: assert (!id_issue_i || valid_q) else $error("issue without an instruction");
      redirect_is_empty: assert (!(redirect_valid_q && valid_q)) else $error("redirect after an instruction in ID");
      starts_empty: assert (!(start_i || resume_i) || !(valid_q || redirect_valid_q)) else $error("start while running");
      loop_one_change: assert (!(loop_push && at_end)) else $error("loop stack pushed and counted at once");
      loop_bound: assert (loop_depth_q <= 8'(LOOP_DEPTH)) else $error("loop stack deeper than it is");
      call_bound: assert (call_depth_q <= 8'(CALL_DEPTH)) else $error("call stack deeper than it is");
    end
  end
`endif

endmodule
