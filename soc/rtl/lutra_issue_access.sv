// The accesses of each step of lutra_issue: to the store, to the rows of a job in m2, to strings of the source. It has
// no state.

module lutra_issue_access
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
(
  input  issue_e state_i,
  input  logic live_i,          // what was asked for is at the store's output
  input  message_slot_t slot_i,
  input  logic ring_i,
  input  message_t message_i,
  input  logic [3:0] status_i,
  input  logic failed_i,        // the message has, before this step
  input  logic raw_i,
  input  job_t job_i,           // without its entry
  input  job_index_t index_i,   // of the job
  input  ring_row_t in_i,       // where it begins
  input  logic [31:0] cycles_i,
  input  logic [31:0] bytes_i,

  output logic copies_o,        // the row at the store's output, or what is made of it, goes to the port
  output store_request_t store_o,
  output logic store_hold_o,
  input  row_t store_data_i,
  input  words_t words_i,       // the same as words
  output port_request_t port_o,
  output logic string_valid_o,
  input  logic string_ready_i,
  output string_t string_o
);

  logic raw_run;
  descriptor_extra_t lengths;
  assign raw_run = raw_i && message_i.control.operation == RawRun;
  assign lengths = descriptor_extra_t'(words_i[DescriptorExtra]);

  // An inline payload ends with zeros. Its rows begin in the middle of those of the descriptor.
  row_t inline_row, payload;
  logic [4:0] payload_bytes;
  assign payload = message_i.second ? {store_data_i[63:0], 64'd0} : {store_data_i[63:0], store_data_i[127:64]};
  always_comb begin
    payload_bytes = message_i.text > 32'd16 ? 5'd16 : message_i.text[4:0];
    if (message_i.second) payload_bytes = {1'b0, message_i.text[3:0]};
  end
  always_comb begin
    inline_row = store_data_i;
    if (!message_i.operation.sets_key && !message_i.operation.inline_key) begin
      for (int i = 0; i < 16; i++) inline_row[8*(15-i)+:8] = 5'(i) < payload_bytes ? payload[8*(15-i)+:8] : '0;
    end
  end

  // Rows are asked for, then used in the next cycle, when live_i is set. Where they go to the core's port they are held
  // until it takes them. The address of a string is used at once: it is asked for when lutra_segments is ready.
  logic asks;
  logic [31:0] string_bytes;
  logic [63:0] string_address;
  logic string_list, string_continues;
  assign asks = state_i inside {IssueAad, IssueText, IssueTag, IssueRawSource};
  assign string_valid_o = asks && live_i;
  assign string_o = '{
    address: string_address, bytes: string_bytes, list: string_list, ring: ring_i, continues: string_continues
  };

  // The entry of the operation is at the store's output while the job is written.
  job_t job;
  operation_t operation;
  assign operation = operation_t'(store_data_i[127:96]);
  always_comb begin
    job = job_i;
    job.entry = operation.entry;
  end

  // Rows of a job: header, IV, lengths, inline ones.
  ring_row_t in_row;
  always_comb begin
    in_row = in_i + 8'd1;
    if (state_i == IssueLengths) in_row = in_i + 8'd2;
    if (state_i == IssueInline) in_row = in_i + ring_row_t'(HeadRows) + ring_row_t'(message_i.second);
  end

  logic copies;
  assign copies_o = copies;
  assign copies = state_i inside {IssueIv, IssueLengths, IssueInline};
  assign store_hold_o = live_i && (copies || state_i == IssueJob);

  always_comb begin
    store_o = '0;
    store_o.valid = !live_i && (!asks || string_ready_i);
    store_o.row = descriptor_row(slot_i, 2'd0);
    port_o = '0;
    port_o.valid = copies && live_i;
    port_o.write = 1'b1;
    port_o.space = SpaceMem2;
    port_o.row = addr_t'(in_row);
    string_address = {words_i[DescriptorSourceHigh%4], words_i[DescriptorSourceLow%4]};
    string_bytes = message_i.text;
    string_list = message_i.control.gather;
    string_continues = message_i.started;

    unique case (state_i)
      IssueControl: ;
      IssueOperation: store_o.row = operation_row(message_i.control.operation[3:0]);
      IssueKey: store_o.row = key_row(message_i.control.context_);
      IssueReserved: store_o.row = descriptor_row(slot_i, 2'd3);
      IssueAad: begin
        store_o.row = descriptor_row(slot_i, 2'(DescriptorAadLow / 4));
        string_address = {words_i[DescriptorAadHigh%4], words_i[DescriptorAadLow%4]};
        string_bytes = 32'({job_i.aad_blocks, job_i.aad_bytes});
        string_list = 1'b0;
        string_continues = !message_i.first;
      end
      IssueText: begin
        store_o.row = descriptor_row(slot_i, 2'(DescriptorSourceLow / 4));
        string_bytes = 32'({job_i.text_blocks, job_i.text_bytes});
      end
      IssueTag: begin
        store_o.row = descriptor_row(slot_i, 2'(DescriptorSourceLow / 4));
        string_bytes = 32'(message_i.tag);
      end
      IssueRawSource: store_o.row = descriptor_row(slot_i, 2'(DescriptorSourceLow / 4));
      IssueIv: begin
        store_o.row = descriptor_row(slot_i, 2'(IvRow));
        port_o.data = store_data_i;
      end
      IssueLengths: begin
        // In bits, as the last block of GHASH.
        port_o.data = {64'({lengths.aad, 3'd0}), 64'({words_i[DescriptorLength], 3'd0})};
      end
      IssueInline: begin
        // A key is in rows 2 and 3, an inline key in row 3, a payload in both from the middle of row 2 on.
        store_o.row = descriptor_row(slot_i, message_i.operation.inline_key || message_i.second ? 2'd3 : 2'd2);
        store_o.shifted = !message_i.operation.sets_key && !message_i.operation.inline_key && !message_i.second;
        port_o.data = inline_row;
      end
      IssueJob: begin
        store_o.valid = 1'b1;
        store_o.write = {2{live_i}};
        store_o.row = live_i ? job_row(index_i) : operation_row(message_i.control.operation[3:0]);
        store_o.data = row_t'(job);
      end
      IssueSetKey: begin
        store_o.write = 2'b10;
        store_o.row = key_row(message_i.control.context_);
        store_o.data[79:64] = {ring_i, message_i.control.generation, message_i.operation.class_};
      end
      IssueFail: begin
        // Nothing ran, nothing was written.
        store_o.write = 2'b11;
        store_o.row = descriptor_row(slot_i, 2'(IvRow));
      end
      IssueRecord: begin
        store_o.write = 2'b11;
        store_o.row = descriptor_row(slot_i, 2'(IvRow));
        if (raw_run || !raw_i) store_o.data[127:96] = cycles_i;
        if (!raw_i) store_o.data[31:0] = bytes_i;
        else if (!raw_run && !failed_i && status_i == StatusOk) store_o.data[31:0] = message_i.text;
      end
      default: store_o.valid = 1'b0;
    endcase
  end

endmodule
