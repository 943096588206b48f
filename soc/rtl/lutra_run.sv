// Runs the core: starts it when a job is placed and it does not run, counts its notifies, and sees to it that a trap or
// a job without end fails what is in flight and nothing else.
//
// Short jobs can end faster than the store can be read. So a notify is counted when it comes, and what follows from the
// end of a job is done later.

module lutra_run
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic reset_i,      // the stream begins at row 0

  input  logic [23:0] limit_i,
  input  logic tick_i,       // each 256 cycles
  input  logic core_reset_i, // asked for by the host
  input  logic fault_i,      // an event: the core found a fault, or was locked
  input  logic barred_i,     // it is faulted or locked since
  input  logic key_lost_i,   // an event: a key context does not have its key, and jobs behind it may not use it
  input  logic [3:0] key_lost_status_i,

  input  job_index_t placed_i,
  input  logic drained_i,    // no job is in flight, or about to be issued
  output job_index_t ran_o,  // the first job that has not run
  output ring_row_t in_free_o,  // of m2, the first row in use

  // A run to the end: the routine that resets the stream, or a raw run. The stream is empty.
  input  logic  go_valid_i,  // until go_done_o
  input  addr_t go_entry_i,
  input  logic [31:0] go_limit_i,
  output logic  go_done_o,
  output logic [3:0] go_status_o,

  // What is in flight fails.
  output logic flush_o,
  output logic [3:0] flush_status_o,
  output logic trapped_o,    // an event: what the firmware keeps can have changed

  output logic [31:0] cycles_o,

  output store_request_t store_o,
  input  logic store_grant_i,
  input  row_t store_data_i,
  output logic  fail_valid_o,
  output message_slot_t fail_slot_o,
  output logic [3:0] fail_status_o,

  // The core.
  output logic  core_rst_no,
  output logic  start_o,
  output addr_t entry_o,
  input  state_e core_state_i,
  input  logic [7:0] notify_i,
  input  logic event_i
);

  localparam logic [7:0] NotifyOk = 8'd1;
  localparam logic [7:0] NotifyKey = 8'd3;  // the key after the job is restored, and ends with it

  typedef enum logic [2:0] {
    RunIdle,
    RunStart,   // the job is at the store's output
    RunFinish,  // likewise
    RunRecord,
    RunGo
  } run_e;

  run_e state_q, state_d;
  job_index_t ran_q, ran_d, ended_q, ended_d;  // ended: the first job without a notify
  ring_row_t in_free_q, in_free_d;
  message_slot_t slot_q, slot_d;
  logic [Jobs-1:0] mismatch_q, mismatch_d;
  logic flush_q, flush_d, core_reset_q, core_reset_d, started_q, started_d;
  logic taken_q, taken_d;  // a key that is restored and has not ended
  logic [3:0] flush_status_q, flush_status_d;
  logic [31:0] cycles_q, cycles_d;
  logic [23:0] timer_q, timer_d;

  job_t job;
  assign job = job_t'(store_data_i);

  logic running, ready, waits, ends, notified, took, looks, trap, timeout, over_q, over_d, spent_q, spent_d;
  assign running = core_state_i == StateRunning;
  assign ready = !running && core_state_i != StateWiping && !core_reset_q;
  assign waits = placed_i != ran_q;
  assign ends = ended_q != ran_q || flush_q;
  assign took = event_i && running && notify_i == NotifyKey;
  assign notified = event_i && running && ended_q != placed_i && !took;
  assign looks = state_q == RunIdle && !go_valid_i && waits && (ends || ready);
  assign trap = event_i && core_state_i == StateTrapped;
  // Limits are looked at a cycle ahead. One tick more than asked for, because the first comes early.
  assign over_d = limit_i != '0 && timer_q > limit_i && timer_d != '0;
  assign spent_d = state_q == RunGo && running && go_limit_i != '0 && 33'(cycles_q) + 33'd1 >= 33'(go_limit_i);
  assign timeout = (over_q && !flush_q && (waits || go_valid_i)) || (spent_q && running);

  always_comb begin
    store_o = '0;
    if (state_q == RunRecord) begin
      store_o.valid = 1'b1;
      store_o.write = 2'b10;
      store_o.row = descriptor_row(slot_q, 2'(IvRow));
      store_o.data[127:96] = cycles_q;
    end else begin
      store_o.valid = looks;
      store_o.row = job_row(ran_q);
    end
  end

  always_comb begin
    state_d = state_q;
    ran_d = ran_q;
    in_free_d = in_free_q;
    slot_d = slot_q;
    ended_d = ended_q + 4'(notified) + 4'(notified && taken_q);
    taken_d = (taken_q || took) && !notified && !flush_q;
    mismatch_d = mismatch_q;
    if (notified) mismatch_d[ended_q] = notify_i != NotifyOk;
    flush_d = flush_q;
    flush_status_d = flush_status_q;
    core_reset_d = core_reset_i || timeout;
    cycles_d = cycles_q + 32'(running);
    timer_d = timer_q + 24'(tick_i);
    started_d = 1'b0;
    start_o = 1'b0;
    entry_o = job.entry;
    go_done_o = 1'b0;
    fail_valid_o = 1'b0;

    unique case (state_q)
      RunStart: begin
        start_o = !flush_q;
        state_d = RunIdle;
      end
      RunFinish: begin
        fail_valid_o = flush_q || mismatch_q[ran_q];
        in_free_d = job.end_row;
        slot_d = job.slot;
        timer_d = '0;
        if (job.last) state_d = RunRecord;
        else begin
          state_d = RunIdle;
          ran_d = ran_q + 4'd1;
        end
      end
      RunRecord: begin
        if (store_grant_i) begin
          cycles_d = 32'(running);
          ran_d = ran_q + 4'd1;
          state_d = RunIdle;
        end
      end
      RunGo: begin
        started_d = 1'b1;
        // What stopped the core is known in the cycle after.
        go_done_o = started_q && !running && !event_i && !core_reset_q;
        if (go_done_o) state_d = RunIdle;
      end
      default: begin
        if (go_valid_i) begin
          if (ready) begin
            start_o = 1'b1;
            entry_o = go_entry_i;
            cycles_d = '0;
            timer_d = '0;
            state_d = RunGo;
          end
        end else if (waits) begin
          if (store_grant_i) state_d = ends ? RunFinish : RunStart;
        end else begin
          timer_d = '0;
        end
      end
    endcase

    if (trapped_o) begin
      flush_d = 1'b1;
      flush_status_d = timeout ? StatusTimeout : StatusCoreTrap;
      if (key_lost_i) flush_status_d = key_lost_status_i;
      if (fault_i) flush_status_d = StatusCoreFault;
    end else if (flush_q && drained_i && state_q != RunGo && !barred_i && core_state_i != StateWiping) begin
      flush_d = 1'b0;
    end
    if (flush_q) ended_d = ran_d;
    if (reset_i) begin
      ran_d = '0;
      ended_d = '0;
      in_free_d = '0;
      taken_d = 1'b0;
      cycles_d = '0;
    end
  end

  assign fail_slot_o = job.slot;
  assign fail_status_o = flush_q ? flush_status_q : StatusTagMismatch;
  assign go_status_o = flush_q ? flush_status_q : StatusOk;
  assign trapped_o = fault_i || trap || timeout || key_lost_i;
  assign flush_o = flush_q;
  assign flush_status_o = flush_status_q;
  assign ran_o = ran_q;
  assign in_free_o = in_free_q;
  assign cycles_o = cycles_q;
  assign core_rst_no = rst_ni && !core_reset_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= RunIdle;
      ran_q <= '0;
      in_free_q <= '0;
      slot_q <= '0;
      ended_q <= '0;
      mismatch_q <= '0;
      flush_q <= 1'b0;
      flush_status_q <= '0;
      core_reset_q <= 1'b0;
      cycles_q <= '0;
      timer_q <= '0;
      over_q <= 1'b0;
      spent_q <= 1'b0;
      started_q <= 1'b0;
      taken_q <= 1'b0;
    end else begin
      state_q <= state_d;
      ran_q <= ran_d;
      in_free_q <= in_free_d;
      slot_q <= slot_d;
      ended_q <= ended_d;
      mismatch_q <= mismatch_d;
      flush_q <= flush_d;
      flush_status_q <= flush_status_d;
      core_reset_q <= core_reset_d;
      cycles_q <= cycles_d;
      timer_q <= timer_d;
      over_q <= over_d;
      spent_q <= spent_d;
      started_q <= started_d;
      taken_q <= taken_d;
    end
  end

endmodule
