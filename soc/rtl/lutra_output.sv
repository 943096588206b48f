// Puts out what jobs have left in m3: rows of text, then the row of the tag, as strings for the writer. Rows of a
// failed message are dropped. A raw read puts out rows of any space.

module lutra_output
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic reset_i,      // the stream begins at row 0

  input  job_index_t ran_i,  // the first job that has not run
  output job_index_t out_o,  // the first job in flight
  output ring_row_t out_free_o,  // of m3, the first row in use
  output logic writing_o,    // strings are not done

  input  logic [Slots-1:0] ring_i,
  input  logic [Slots-1:0][3:0] status_i,

  input  logic   raw_valid_i,  // until raw_done_o
  input  message_slot_t  raw_slot_i,
  input  space_e raw_space_i,
  input  addr_t  raw_row_i,
  input  logic [31:0] raw_bytes_i,
  input  logic   raw_list_i,
  output logic   raw_done_o,

  output logic [31:0] bytes_o,  // of the message so far

  output store_request_t store_o,
  input  logic store_grant_i,
  input  row_t store_data_i,
  input  words_t words_i,    // the same as words

  output port_request_t port_o,
  input  logic port_grant_i,
  input  logic port_read_i,  // the row of an earlier grant is there
  input  row_t port_data_i,

  // Strings of destinations.
  output logic string_valid_o,
  input  logic string_ready_i,
  output string_t string_o,
  output logic row_valid_o,
  input  logic row_ready_i,
  output row_t row_o,
  input  logic done_valid_i,  // of a string
  input  fault_e done_fault_i,

  output logic  fail_valid_o,
  output message_slot_t fail_slot_o,
  output logic [3:0] fail_status_o,
  // Without a write, after a write.
  output logic [1:0] done_valid_o,
  output message_slot_t [1:0] done_slot_o
);

  typedef enum logic [3:0] {
    OutIdle,
    OutJob,      // the job is at the store's output
    OutCount,
    OutRecord,
    OutString,   // the destination
    OutRows,
    OutDone,
    OutRaw,
    OutRawRows,
    OutRawEnd    // what was read ahead is dropped
  } out_e;

  out_e state_q, state_d;
  job_index_t out_q, out_d;
  addr_t row_q, row_d;            // in m3 the next row of the stream
  message_slot_t slot_q, slot_d;
  logic [6:0] text_rows_q, text_rows_d;
  logic [10:0] text_bytes_q, text_bytes_d;
  logic [4:0] tag_q, tag_d;       // bytes
  logic last_q, last_d, started_q, started_d, ended_q, ended_d;
  logic list_q, list_d, live_q, live_d;
  logic [31:0] bytes_q, bytes_d;

  job_t job;
  assign job = job_t'(store_data_i);

  // ------------------------------------------------------------------------ rows
  // Rows are read ahead of the writer, as many as there is space for. The writer takes a row in two cycles, and a row is
  // here six cycles after it was asked for if the core's routine uses m3 in every other one.
  localparam int unsigned Ahead = 4;
  logic fetch, drop_rows, row_taken, queued;
  logic [2:0] asked_q, asked_d;  // and not taken
  assign row_valid_o = queued && !drop_rows;
  assign row_taken = queued && (row_ready_i || drop_rows);
  assign asked_d = asked_q + 3'(port_grant_i) - 3'(row_taken);
  row_t read;
  // A word of the program memory goes into the first bytes of its row, the least significant byte first.
  row_t word;
  assign word = {swapped(port_data_i[31:0]), swapped(port_data_i[63:32]), 64'd0};
  assign read = state_q == OutRawRows && raw_space_i == SpaceProgram ? word : port_data_i;
  logic room;
  lutra_queue #(
    .Depth(Ahead),
    .Width($bits(row_t))
  ) u_rows (
    .clk_i,
    .rst_ni,
    .push_valid_i(port_read_i),
    .push_ready_o(room),
    .push_i(read),
    .head_valid_o(queued),
    .head_ready_i(row_ready_i || drop_rows),
    .head_o(row_o)
  );
  always_comb begin
    port_o = '0;
    port_o.valid = fetch && asked_q != 3'(Ahead);
    port_o.space = state_q == OutRawRows ? raw_space_i : SpaceMem3;
    port_o.row = state_q == OutRawRows ? row_q : addr_t'(row_q[7:0]);
  end

  // --------------------------------------------------------------------- strings
  // Those in work: message, and whether it is its last.
  logic push, pop_valid, string_last, track_ready;
  message_slot_t pop_slot;
  logic pop_last;
  logic [3:0] pending_q, pending_d;
  lutra_queue #(
    .Depth(8),
    .Width($bits(message_slot_t) + 1)
  ) u_strings (
    .clk_i,
    .rst_ni,
    .push_valid_i(push),
    .push_ready_o(track_ready),
    .push_i({slot_q, string_last}),
    .head_valid_o(pop_valid),
    .head_ready_i(done_valid_i),
    .head_o({pop_slot, pop_last})
  );
  assign pending_d = pending_q + 4'(push) - 4'(done_valid_i);
  assign writing_o = pending_q != '0;
  assign fail_valid_o = done_valid_i && done_fault_i != FaultNone;
  assign fail_slot_o = pop_slot;
  assign fail_status_o = status_of(done_fault_i, StatusWriteError);
  assign done_valid_o[1] = done_valid_i && pop_last;
  assign done_slot_o = {pop_slot, slot_q};
  assign raw_done_o = state_q == OutRawEnd && asked_q == '0;
  assign drop_rows = state_q == OutRawEnd;

  logic is_text;
  assign is_text = text_bytes_q != '0;
  always_comb begin
    string_o.address = {words_i[DescriptorDestinationHigh%4], words_i[DescriptorDestinationLow%4]};
    string_o.bytes = is_text ? 32'(text_bytes_q) : 32'(tag_q);
    if (state_q == OutRaw) string_o.bytes = raw_bytes_i;
    string_o.list = list_q;
    string_o.ring = ring_i[slot_q];
    string_o.continues = started_q;
  end
  assign string_last = state_q != OutRaw && last_q && (!is_text || tag_q == '0);
  assign push = string_valid_o && string_ready_i;

  always_comb begin
    store_o = '0;
    unique case (state_q)
      OutIdle: begin
        store_o.valid = out_q != ran_i;
        store_o.row = job_row(out_q);
      end
      OutRecord: begin
        // Before the last string, whose end completes the message.
        store_o.valid = last_q;
        store_o.write = 2'b01;
        store_o.row = descriptor_row(slot_q, 2'(IvRow));
        store_o.data[31:0] = bytes_q;
      end
      OutString, OutRaw: begin
        // A string is taken in the cycle in which its address is at the store's output.
        store_o.valid = !live_q && !started_q && string_ready_i && track_ready;
        store_o.row = descriptor_row(slot_q, 2'(DescriptorDestinationLow / 4));
      end
      default: ;
    endcase
  end
  assign live_d = state_q inside {OutString, OutRaw} && store_grant_i;
  assign string_valid_o = live_q || (state_q == OutString && started_q && track_ready);
  assign fetch = (state_q == OutRows && (text_rows_q != '0 || (!is_text && tag_q != '0))) ||
                 state_q == OutRawRows;

  logic failed;
  logic [6:0] job_rows;
  assign job_rows = job.text_out ? job.text_blocks + 7'(job.text_bytes != '0) : '0;
  assign failed = status_i[slot_q] != StatusOk;

  always_comb begin
    state_d = state_q;
    out_d = out_q;
    row_d = row_q;
    slot_d = slot_q;
    text_rows_d = text_rows_q;
    text_bytes_d = text_bytes_q;
    tag_d = tag_q;
    ended_d = ended_q || (push && string_last);
    last_d = last_q;
    started_d = started_q;
    list_d = list_q;
    bytes_d = bytes_q;
    done_valid_o[0] = 1'b0;

    unique case (state_q)
      OutJob: begin
        slot_d = job.slot;
        last_d = job.last;
        text_rows_d = job_rows;
        text_bytes_d = job.text_out ? {job.text_blocks, job.text_bytes} : '0;
        tag_d = job.tag_out ? job.tag : '0;
        list_d = job.list;
        ended_d = 1'b0;
        if (job.first) bytes_d = '0;
        if (job.first) started_d = 1'b0;
        state_d = OutCount;
      end
      OutCount: begin
        if (failed) begin
          text_bytes_d = '0;
          tag_d = '0;
          text_rows_d = '0;
          row_d = row_q + 16'(text_rows_q) + 16'(tag_q != '0);
        end else bytes_d = bytes_q + 32'(12'(text_bytes_q) + 12'(tag_q));
        state_d = OutRecord;
      end
      OutRecord: begin
        if (!last_q || store_grant_i) state_d = is_text || tag_q != '0 ? OutString : OutDone;
      end
      OutString: begin
        if (string_valid_o && string_ready_i) begin
          started_d = 1'b1;
          state_d = OutRows;
        end
      end
      OutRows: begin
        if (port_grant_i) begin
          row_d = row_q + 16'd1;
          if (is_text) text_rows_d = text_rows_q - 7'd1;
          else tag_d = '0;
        end
        // Rows and strings keep their order, so the next string need not wait for the rows of this one.
        if (text_rows_q == '0) begin
          text_bytes_d = '0;
          if (is_text && tag_q != '0) state_d = OutString;
          else if (is_text || tag_q == '0) state_d = OutDone;
        end
      end
      OutDone: begin
        // Where this job writes nothing, what the message wrote before comes to its end first.
        if (!last_q || ended_q || !started_q || !writing_o) begin
          done_valid_o[0] = last_q && !ended_q;
          out_d = out_q + 4'd1;
          state_d = OutIdle;
        end
      end
      OutRaw: begin
        if (string_valid_o && string_ready_i) state_d = OutRawRows;
      end
      OutRawRows: begin
        if (port_grant_i) row_d = row_q + 16'd1;
        if (done_valid_i) state_d = OutRawEnd;
      end
      OutRawEnd: if (raw_done_o) state_d = OutIdle;
      default: begin
        if (store_grant_i) state_d = OutJob;
        else if (raw_valid_i) begin
          slot_d = raw_slot_i;
          row_d = raw_row_i;
          list_d = raw_list_i;
          started_d = 1'b0;
          state_d = OutRaw;
        end
      end
    endcase

    if (reset_i) begin
      out_d = '0;
      row_d = '0;
    end
  end

  assign out_o = out_q;
  assign out_free_o = row_q[7:0];
  assign bytes_o = bytes_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= OutIdle;
      out_q <= '0;
      row_q <= '0;
      slot_q <= '0;
      text_rows_q <= '0;
      text_bytes_q <= '0;
      tag_q <= '0;
      last_q <= 1'b0;
      started_q <= 1'b0;
      ended_q <= 1'b0;
      list_q <= 1'b0;
      live_q <= 1'b0;
      bytes_q <= '0;
      pending_q <= '0;
      asked_q <= '0;
    end else begin
      state_q <= state_d;
      out_q <= out_d;
      row_q <= row_d;
      slot_q <= slot_d;
      text_rows_q <= text_rows_d;
      text_bytes_q <= text_bytes_d;
      tag_q <= tag_d;
      last_q <= last_d;
      started_q <= started_d;
      ended_q <= ended_d;
      list_q <= list_d;
      live_q <= live_d;
      bytes_q <= bytes_d;
      pending_q <= pending_d;
      asked_q <= asked_d;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      row_kept: assert (!port_read_i || room) else $error("a row is lost");
      string_known: assert (!done_valid_i || pop_valid) else $error("the end of a string that was not begun");
      address_used: assert (!(live_q && string_valid_o) || string_ready_i) else $error("an address is lost");
    end
  end
`endif

endmodule
