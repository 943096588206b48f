// Takes message after message in the order of the stream: checks its descriptor, then cuts it into jobs. For each job
// it waits for space, writes the rows that it knows into m2, leaves the job to lutra_place, and asks the reader for the
// job's strings. Raw operations run here from their beginning to their end, when nothing else is in flight.

module lutra_issue
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  // Registers.
  input  logic raw_lock_i,
  input  logic core_reset_i,
  input  logic barred_i,   // the core is faulted or locked
  input  logic wiped_i,    // it is being wiped: keys and constants are gone
  input  logic due_i,      // no message begins, and no raw operation
  input  logic [4:0] operations_i,
  input  addr_t reset_entry_i,
  input  logic [Rings-1:0] abort_i,
  input  logic [Rings-1:0] voiding_i,
  output logic [Rings-1:0] void_o,

  // Messages.
  input  message_slot_t filled_i,
  input  message_slot_t oldest_i,
  input  logic [Slots-1:0] ring_i,
  input  logic [Slots-1:0][3:0] status_i,
  output message_slot_t slot_o,
  output logic fail_valid_o,
  output logic [3:0] fail_status_o,
  output logic done_valid_o,

  // Jobs.
  output job_index_t issued_o,
  input  job_index_t out_i,
  input  ring_row_t in_free_i,
  input  ring_row_t out_free_i,
  input  logic writing_i,
  input  logic flush_i,
  input  logic [3:0] flush_status_i,
  input  logic trapped_i,
  output logic drained_o,  // no job is in flight, or about to be
  output logic quiet_o,    // nor anything else
  output issue_e state_o,
  output message_t message_o,
  output logic reset_o,    // the stream begins at row 0

  // Keys.
  input  logic key_valid_i,
  output logic key_set_o,
  output logic key_drop_o,

  // Runs, raw rows.
  output logic  go_valid_o,
  output addr_t go_entry_o,
  output logic [31:0] go_limit_o,
  input  logic  go_done_i,
  input  logic [3:0] go_status_i,
  input  logic  raw_write_done_i,
  input  logic [3:0] raw_write_status_i,
  input  logic  raw_read_done_i,
  output logic  raw_result_o,  // the completion shows the core
  input  logic [31:0] cycles_i,
  input  logic [31:0] bytes_i,

  output store_request_t store_o,
  input  logic store_grant_i,
  output logic store_hold_o,
  input  row_t store_data_i,
  input  words_t words_i,  // the same as words

  output port_request_t port_o,
  input  logic port_grant_i,

  // Strings of sources.
  output logic string_valid_o,
  input  logic string_ready_i,
  output string_t string_o
);

  issue_e state_q, state_d;
  message_slot_t slot_q, slot_d;
  message_t message_q, message_d;
  logic [3:0] status_q, status_d;
  logic live_q, live_d;            // what was asked for is at the store's output
  logic fresh_q, fresh_d;          // the stream was reset
  logic continues_q, continues_d;  // the job before this one is of operation previous_q
  logic [4:0] previous_q, previous_d;  // [4]: it sets a key
  job_index_t issued_q, issued_d;
  ring_row_t in_q, in_d, out_q, out_d;  // the next free row of m2 and of m3
  logic ring;
  assign ring = ring_i[slot_q];

  // ---------------------------------------------------------------------- checks
  descriptor_control_t control;
  descriptor_extra_t extra, lengths;
  operation_t operation;
  key_t key;
  logic raw, raw_run, at_control;
  logic [3:0] control_status, operation_status, key_status, reserved_status;
  assign raw_run = raw && message_q.control.operation == RawRun;
  assign at_control = state_q == IssueControl;
  assign control = at_control ? descriptor_control_t'(words_i[DescriptorControl]) : message_q.control;
  assign lengths = descriptor_extra_t'(words_i[DescriptorExtra]);
  always_comb begin
    extra = lengths;
    if (!at_control) extra = '{reserved_31: '0, tag: message_q.tag, aad: message_q.aad};
  end
  assign operation = operation_t'(store_data_i[127:96]);
  assign key = key_t'(store_data_i[79:64]);

  lutra_check u_check (
    .control_i(control),
    .length_i(message_q.text),
    .extra_i(extra),
    .operations_i,
    .aborting_i(abort_i[ring]),
    .barred_i,
    .raw_allowed_i(!ring && !raw_lock_i),
    .raw_o(raw),
    .control_status_o(control_status),
    .operation_i(state_q == IssueOperation ? operation : message_q.operation),
    .operation_status_o(operation_status),
    .key_i(key),
    .key_valid_i,
    .ring_i(ring),
    .key_status_o(key_status),
    .reserved_i(store_data_i[63:0]),
    .reserved_status_o(reserved_status)
  );

  // --------------------------------------------------------------------- the job
  job_t job;
  logic [31:0] text_left;
  logic [15:0] aad_left;
  logic room, aad_in, text_in, tag_in;
  ring_row_t out_end;
  lutra_job u_job (
    .clk_i,
    .control_i(message_q.control),
    .operation_i(message_q.operation),
    .text_i(message_q.text),
    .aad_i(message_q.aad),
    .tag_i(message_q.tag),
    .first_i(message_q.first),
    .next_i(state_q == IssueNext),
    .more_i(continues_q && previous_q[3:0] == message_q.control.operation[3:0]),
    .goes_on_i(continues_q && !previous_q[4]),
    .slot_i(slot_q),
    .in_i(in_q),
    .in_free_i,
    .out_i(out_q),
    .out_free_i,
    .room_o(room),
    .out_end_o(out_end),
    .job_o(job),
    .text_left_o(text_left),
    .aad_left_o(aad_left),
    .aad_in_o(aad_in),
    .text_in_o(text_in),
    .tag_in_o(tag_in)
  );

  // ---------------------------------------------------------------- their accesses
  logic copies;
  lutra_issue_access u_access (
    .state_i(state_q),
    .live_i(live_q),
    .slot_i(slot_q),
    .ring_i(ring),
    .message_i(message_q),
    .status_i(status_q),
    .failed_i(status_i[slot_q] != StatusOk),
    .raw_i(raw),
    .job_i(job),
    .index_i(issued_q),
    .in_i(in_q),
    .cycles_i,
    .bytes_i,
    .copies_o(copies),
    .store_o,
    .store_hold_o,
    .store_data_i,
    .words_i,
    .port_o,
    .string_valid_o,
    .string_ready_i,
    .string_o
  );

  // ------------------------------------------------------------------- the steps
  logic issuing, empty, overwrites;
  assign overwrites = message_q.operation.sets_key || (message_q.operation.inline_key && message_q.operation.uses_key);
  assign issuing = state_q inside {IssueAad, IssueText, IssueTag, IssueIv, IssueLengths, IssueInline, IssueJob};
  assign empty = issued_q == out_i;
  assign drained_o = empty && !issuing;
  assign quiet_o = empty && !writing_i && !flush_i && state_q inside {IssueWait, IssueRawWait};
  assign live_d = (store_grant_i && store_o.write == '0) ||
                  (store_hold_o && (copies ? !port_grant_i : !store_grant_i));

  assign go_valid_o = state_q inside {IssueReset, IssueRawRun};
  // The core's state stays as it is until it has been read.
  assign raw_result_o = state_q == IssueEnd && raw_run;

  // Only what takes a job's rows lets the reader go on to its next string, so the job comes before them.
  issue_e strings, after_aad, after_text;
  assign after_text = tag_in ? IssueTag : IssueNext;
  assign after_aad = text_in ? IssueText : after_text;
  assign strings = aad_in ? IssueAad : after_aad;

  // From one check to the next.
  function automatic issue_e checked(logic [3:0] status, issue_e next);
    return status == StatusOk ? next : IssueFail;
  endfunction

  always_comb begin
    state_d = state_q;
    slot_d = slot_q;
    message_d = message_q;
    status_d = status_q;
    fresh_d = fresh_q && !trapped_i && !core_reset_i && !wiped_i;
    continues_d = continues_q;
    previous_d = previous_q;
    issued_d = issued_q;
    in_d = in_q;
    out_d = out_q;
    key_set_o = 1'b0;
    key_drop_o = 1'b0;
    void_o = '0;
    fail_valid_o = 1'b0;
    fail_status_o = status_q;
    done_valid_o = 1'b0;
    reset_o = 1'b0;

    unique case (state_q)
      IssueControl: begin
        if (live_q) begin
          message_d.control = control;
          message_d.text = words_i[DescriptorLength];
          message_d.aad = extra.aad;
          message_d.tag = extra.tag;
          message_d.first = 1'b1;
          message_d.started = 1'b0;
          message_d.second = 1'b0;
          status_d = control_status;
          state_d = checked(control_status, raw ? IssueRawWait : IssueOperation);
        end
      end
      IssueOperation: begin
        if (live_q) begin
          message_d.operation = operation;
          status_d = operation_status;
          state_d = checked(operation_status, IssueKey);
        end
      end
      IssueKey: begin
        if (live_q) begin
          status_d = key_status;
          state_d = checked(key_status, IssueReserved);
        end
      end
      IssueReserved: begin
        if (live_q) begin
          status_d = reserved_status;
          state_d = checked(reserved_status, IssueRoom);
        end
      end
      IssueFail: begin
        if (store_grant_i) begin
          fail_valid_o = 1'b1;
          done_valid_o = 1'b1;
          slot_d = slot_q + 4'd1;
          state_d = IssueWait;
        end
      end

      IssueRoom: begin
        if (barred_i || ((flush_i || !fresh_q) && !message_q.first)) begin
          // Its beginning was lost with the stream.
          status_d = barred_i ? StatusCoreFault : flush_status_i;
          state_d = IssueDrain;
        end else if (!message_q.first && status_i[slot_q] != StatusOk) state_d = IssueDrain;
        else if (!fresh_q) begin
          if (!flush_i && empty) state_d = IssueReset;
        end else if (!flush_i && room && job_index_t'(issued_q + 4'd1) != out_i) begin
          state_d = IssueIv;
        end
      end
      IssueReset: begin
        if (go_done_i) begin
          status_d = go_status_i;
          reset_o = 1'b1;
          fresh_d = go_status_i == StatusOk;
          continues_d = 1'b0;
          issued_d = '0;
          in_d = '0;
          out_d = '0;
          state_d = checked(go_status_i, IssueKey);  // which may be gone since it was looked at
        end
      end
      IssueIv: if (port_grant_i) state_d = IssueLengths;
      IssueLengths: if (port_grant_i) state_d = job.written != '0 ? IssueInline : IssueJob;
      IssueInline: begin
        if (port_grant_i) begin
          message_d.second = !message_q.second && job.written == 2'd2;
          if (!message_d.second) state_d = IssueJob;
        end
      end
      IssueJob: begin
        if (live_q && store_grant_i) begin
          issued_d = issued_q + 4'd1;
          in_d = job.end_row;
          out_d = out_end;
          continues_d = 1'b1;
          previous_d[4] = message_q.operation.sets_key;
          if (job.more != MoreKey) previous_d[3:0] = message_q.control.operation[3:0];
          state_d = overwrites ? IssueSetKey : strings;
        end
      end
      IssueSetKey: begin
        // In the order of the stream, so that messages after this one may use the key at once.
        if (store_grant_i) begin
          key_set_o = message_q.operation.sets_key && message_q.text != '0 && fresh_q;
          key_drop_o = !key_set_o;
          state_d = strings;
        end
      end
      IssueAad: if (live_q) state_d = after_aad;
      IssueText: begin
        if (live_q) begin
          message_d.started = 1'b1;
          state_d = after_text;
        end
      end
      IssueTag: if (live_q) state_d = IssueNext;
      IssueNext: begin
        message_d.text = text_left;
        message_d.aad = aad_left;
        message_d.first = 1'b0;
        state_d = IssueRoom;
        if (job.last) begin
          slot_d = slot_q + 4'd1;
          state_d = IssueWait;
        end
      end
      IssueDrain: if (empty && !writing_i) state_d = IssueRecord;

      IssueRawWait: begin
        fresh_d = 1'b0;
        status_d = StatusCoreFault;
        if (barred_i) state_d = IssueDrain;
        else if (quiet_o && !due_i) begin
          status_d = StatusOk;
          if (raw_run) state_d = IssueRawRun;
          else if (message_q.text == '0) state_d = IssueRecord;
          else state_d = message_q.control.operation == RawRead ? IssueRawRead : IssueRawSource;
        end
      end
      IssueRawSource: if (live_q) state_d = IssueRawWrite;
      IssueRawWrite: begin
        if (raw_write_done_i) begin
          status_d = raw_write_status_i;
          state_d = IssueRecord;
        end
      end
      IssueRawRead: if (raw_read_done_i) state_d = IssueRecord;
      IssueRawRun: begin
        if (go_done_i) begin
          status_d = go_status_i;
          state_d = IssueRecord;
        end
      end
      IssueRecord: begin
        if (store_grant_i) begin
          fail_valid_o = status_q != StatusOk;
          done_valid_o = 1'b1;
          state_d = IssueEnd;
        end
      end
      IssueEnd: begin
        if (oldest_i != slot_q) begin
          slot_d = slot_q + 4'd1;
          state_d = IssueWait;
        end
      end

      default: begin  // IssueWait
        if (slot_q != filled_i && !due_i) begin
          if (status_i[slot_q] == StatusVoid || voiding_i[ring]) begin
            void_o[ring] = 1'b1;
            fail_valid_o = 1'b1;
            fail_status_o = StatusVoid;
            done_valid_o = 1'b1;
            slot_d = slot_q + 4'd1;
          end else begin
            state_d = IssueControl;
          end
        end
      end
    endcase
  end

  assign slot_o = slot_q;
  assign state_o = state_q;
  assign message_o = message_q;
  assign issued_o = issued_q;
  assign go_entry_o = state_q == IssueReset ? reset_entry_i : message_q.aad;
  assign go_limit_o = state_q == IssueReset ? '0 : message_q.text;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= IssueWait;
      slot_q <= '0;
      live_q <= 1'b0;
      fresh_q <= 1'b0;
      continues_q <= 1'b0;
      issued_q <= '0;
      in_q <= '0;
      out_q <= '0;
    end else begin
      state_q <= state_d;
      slot_q <= slot_d;
      live_q <= live_d;
      fresh_q <= fresh_d;
      continues_q <= continues_d;
      issued_q <= issued_d;
      in_q <= in_d;
      out_q <= out_d;
    end
  end
  always_ff @(posedge clk_i) begin
    message_q <= message_d;
    status_q <= status_d;
    previous_q <= previous_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) string_taken: assert (!string_valid_o || string_ready_i) else $error("the address of a string is lost");
  end
`endif

endmodule
