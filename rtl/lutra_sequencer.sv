// Program counter, fetch, loop stack, call stack, transfers: which instruction is in ID, and which one is next.
//
// A transfer is taken in AG: its target is fetched in that cycle, and the instruction in ID is killed. The stacks
// change at the end of AG; ID sees the loops as the instruction in AG will leave them.

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
  output logic  id_fetch_range_o,  // pc outside of the program memory
  output logic  id_wait_o,         // for a repeat in AG to set its loop up

  input  ctl_t  id_ctl_i,
  input  logic  id_legal_i,    // a legal instruction
  input  logic  id_stall_i,    // the interlock holds it
  input  logic  id_trapped_i,  // it has a trap already
  output logic  id_issue_o,    // leaves ID

  input  logic  abort_i,       // of all that is in ID and fetched; ag_valid_i is low
  input  logic  ag_valid_i,
  input  ctl_t  ag_ctl_i,
  input  addr_t ag_as_i,       // source address register
  input  logic  ag_zero_i,     // result of the address unit is zero
  input  logic  flag_i,
  output trap_e ag_trap_o,     // of the loop and call stacks
  input  logic  ag_trapped_i,  // any trap
  output addr_t ag_pc_o,
  output logic  ag_taken_o,    // a transfer; the cycle is lost for ID

  output logic [7:0] ag_loop_depth_o,  // after the instruction in AG, like the next two
  output addr_t      ag_loop_remaining_o,
  output logic [7:0] ag_call_depth_o
);

  logic  valid_q, valid_d, redirect_valid_q, redirect_valid_d;
  addr_t pc_q, pc_d, redirect_pc_q, redirect_pc_d;

  // Entry 0 is the top, so that the next pc needs no look-up by depth.
  loop_t [LOOP_DEPTH-1:0] loops_q, loops_d;
  addr_t [CALL_DEPTH-1:0] calls_q, calls_d;
  logic [7:0] loop_depth_q, loop_depth_d, call_depth_q, call_depth_d;

  // State from ID of the instruction that is now in AG.
  typedef struct packed {
    addr_t pc;
    addr_t next_pc;  // without a transfer
    logic  counts;   // the last of a loop's body
    logic  pops;     // ... in the last pass
    logic  repeats;
    logic  nests;    // a repeat that would trap for where it is or ends
  } ag_t;
  ag_t ag_q, ag_d;

  // ------------------------------------------------------------------------- ID
  logic popping, counting, at_end, last_pass, id_repeats, id_stops;
  addr_t next_pc;
  assign popping = ag_valid_i && ag_q.pops;
  assign counting = ag_valid_i && ag_q.counts;

  // ID is in the loop on top, or in the one below it where the instruction in AG ends that. All is found for both, and
  // the choice comes last: the fetch waits for it.
  localparam int unsigned Below = LOOP_DEPTH > 1 ? 1 : 0;
  loop_t [1:0] around;
  logic [1:0] ends, last;
  assign around = {loops_q[Below], loops_q[0]};
  for (genvar i = 0; i < 2; i++) begin : gen_around
    assign ends[i] = loop_depth_q > 8'(i) && around[i].end_pc == pc_q;
    assign last[i] = around[i].remaining <= (counting && i == 0 ? 16'd2 : 16'd1);
  end

  // After a repeat the loop is the new one, which is not there yet: ID waits at its end (below), and counts no other.
  assign at_end = ends[popping] && !(ag_valid_i && ag_q.repeats);
  assign last_pass = last[popping];
  assign next_pc = at_end && !last_pass ? around[popping].start_pc : pc_q + 16'd1;

  assign id_repeats = id_ctl_i.sq inside {SqRepeat, SqRepeatAr};
  assign id_stops = id_ctl_i.sq inside {SqWait, SqHalt};
  assign ag_d = '{
    pc: pc_q,
    next_pc: next_pc,
    counts: at_end && !id_trapped_i,
    pops: at_end && last_pass && !id_trapped_i,
    repeats: id_repeats,
    nests: at_end || (loop_depth_q > 8'(popping) && around[popping].end_pc == id_ctl_i.e) || id_ctl_i.e <= pc_q
  };
  always_ff @(posedge clk_i) ag_q <= ag_d;

  // ------------------------------------------------------------------------- AG
  logic ag_repeats, condition, transfers, kill;
  addr_t count, target;
  assign ag_repeats = ag_ctl_i.sq inside {SqRepeat, SqRepeatAr};
  assign count = ag_ctl_i.sq == SqRepeatAr ? ag_as_i : ag_ctl_i.n;

  always_comb begin
    unique case (ag_ctl_i.cc)
      CcZero: condition = ag_zero_i;
      CcNonzero: condition = !ag_zero_i;
      CcFlag: condition = flag_i;
      CcNotFlag: condition = !flag_i;
      default: condition = 1'b1;
    endcase
  end

  always_comb begin
    transfers = 1'b0;
    target = ag_ctl_i.e;
    unique case (ag_ctl_i.sq)
      SqJump: transfers = condition;
      SqCall: transfers = 1'b1;
      SqReturn: begin
        transfers = 1'b1;
        target = calls_q[0];
      end
      SqRepeat, SqRepeatAr: begin
        transfers = count == '0;
        target = ag_ctl_i.e + 16'd1;
      end
      default: ;
    endcase
  end

  always_comb begin
    ag_trap_o = TrapNone;
    if (ag_repeats && count != '0 && loop_depth_q == 8'(LOOP_DEPTH)) ag_trap_o = TrapLoopOverflow;
    else if (ag_repeats && ag_q.nests) ag_trap_o = TrapLoopNesting;
    else if (ag_ctl_i.sq == SqCall && call_depth_q == 8'(CALL_DEPTH)) ag_trap_o = TrapCallOverflow;
    else if (ag_ctl_i.sq == SqReturn && call_depth_q == '0) ag_trap_o = TrapCallUnderflow;
  end

  // An instruction that transfers has no memory slots, so that its traps are those of the stacks.
  assign ag_taken_o = ag_valid_i && transfers && ag_trap_o == TrapNone;
  assign ag_pc_o = ag_q.pc;
  assign kill = ag_taken_o || (ag_valid_i && ag_trapped_i);

  // ----------------------------------------------------------------- IF, ID again
  logic held, goes_on;
  assign id_valid_o = valid_q;
  assign id_pc_o = pc_q;
  assign id_fetch_range_o = 32'(pc_q) >= PROGRAM_WORDS;
  assign id_wait_o = valid_q && ag_valid_i && ag_repeats && ((id_legal_i && id_repeats) || pc_q == ag_ctl_i.e);
  assign held = valid_q && (id_stall_i || id_wait_o);
  assign id_issue_o = valid_q && !held && !kill && !abort_i;

  // While ID waits nothing is fetched, and the program memory holds its word.
  assign fetch_en_o = redirect_valid_q || ag_taken_o || (valid_q && !held);
  assign fetch_pc_o = redirect_valid_q ? redirect_pc_q : ag_taken_o ? target : next_pc;

  // A transfer is known late, and enters last.
  assign goes_on = valid_q && !held && !id_stops && !id_trapped_i;
  assign valid_d = !abort_i && (redirect_valid_q || ag_taken_o ||
      ((held || goes_on) && !(ag_valid_i && ag_trapped_i)));

  // pc stays at the instruction that stops the program, for the host to see; a wait leaves where to go on in the
  // redirect register.
  assign redirect_valid_d = start_i || resume_i;
  always_comb begin
    pc_d = pc_q;
    if (abort_i) pc_d = '0;
    else if (kill && !ag_taken_o) pc_d = ag_q.pc;
    else if (redirect_valid_q || ag_taken_o || goes_on) pc_d = fetch_pc_o;

    redirect_pc_d = redirect_pc_q;
    if (start_i) redirect_pc_d = entry_i;
    else if (id_issue_o && id_stops) redirect_pc_d = next_pc;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      redirect_valid_q <= 1'b0;
      pc_q <= '0;
    end else begin
      valid_q <= valid_d;
      redirect_valid_q <= redirect_valid_d;
      pc_q <= pc_d;
    end
  end
  always_ff @(posedge clk_i) redirect_pc_q <= redirect_pc_d;

  // --------------------------------------------------------------------- stacks
  // A repeat never is at the end of the loop around it (that traps), so one push or one pop a cycle.
  logic ag_commits, loop_push, loop_pop, loop_count;
  assign ag_commits = ag_valid_i && !ag_trapped_i;
  assign loop_push = ag_commits && ag_repeats && count != '0;
  assign loop_pop = ag_commits && ag_q.pops;
  assign loop_count = ag_commits && ag_q.counts && !ag_q.pops;

  always_comb begin
    loops_d = loops_q;
    loop_depth_d = loop_depth_q;
    if (loop_push) begin
      loop_depth_d = loop_depth_q + 8'd1;
      for (int i = 1; i < LOOP_DEPTH; i++) loops_d[i] = loops_q[i-1];
      loops_d[0] = '{start_pc: ag_q.next_pc, end_pc: ag_ctl_i.e, remaining: count};
    end else if (loop_pop) begin
      loop_depth_d = loop_depth_q - 8'd1;
      for (int i = 1; i < LOOP_DEPTH; i++) loops_d[i-1] = loops_q[i];
    end else if (loop_count) begin
      loops_d[0].remaining = loops_q[0].remaining - 16'd1;
    end
  end

  logic call_push, call_pop;
  assign call_push = ag_commits && ag_ctl_i.sq == SqCall;
  assign call_pop = ag_commits && ag_ctl_i.sq == SqReturn;

  always_comb begin
    calls_d = calls_q;
    call_depth_d = call_depth_q;
    if (call_push) begin
      call_depth_d = call_depth_q + 8'd1;
      for (int i = 1; i < CALL_DEPTH; i++) calls_d[i] = calls_q[i-1];
      calls_d[0] = ag_q.next_pc;
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

  assign ag_loop_depth_o = loop_depth_d;
  assign ag_loop_remaining_o = loop_depth_d == '0 ? '0 : loops_d[0].remaining;
  assign ag_call_depth_o = call_depth_d;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      redirect_is_empty: assert (!(redirect_valid_q && (valid_q || ag_valid_i))) else $error("redirect of a program that runs");
      starts_empty: assert (!(start_i || resume_i) || !(valid_q || redirect_valid_q)) else $error("start while running");
      loop_one_change: assert (!(loop_push && ag_q.counts)) else $error("loop stack pushed and counted at once");
      transfer_has_no_slots: assert (!ag_taken_o || !ag_trapped_i) else $error("a transfer that traps is taken");
      loop_bound: assert (loop_depth_q <= 8'(LOOP_DEPTH)) else $error("loop stack deeper than it is");
      call_bound: assert (call_depth_q <= 8'(CALL_DEPTH)) else $error("call stack deeper than it is");
    end
  end
`endif

endmodule
