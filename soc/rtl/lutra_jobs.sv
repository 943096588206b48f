// The jobs of messages, in order: issue, place, run, output. They share the core's host port.

module lutra_jobs
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter bit WIPE = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Registers.
  input  logic raw_lock_i,
  input  logic core_reset_i,
  input  logic [4:0] operations_i,
  input  addr_t reset_entry_i,
  input  logic wipe_i,   // the command
  input  logic [Rings-1:0] closed_i,
  input  logic [23:0] limit_i,
  input  logic tick_i,  // each 256 cycles
  input  logic [Rings-1:0] abort_i,
  input  logic [Rings-1:0] voiding_i,
  output logic [Rings-1:0] void_o,

  // Messages. Failures of issue, place, run, output; done: issued without a job, put out without a write, written.
  input  message_slot_t filled_i,
  input  message_slot_t oldest_i,
  input  logic [Slots-1:0] ring_i,
  input  logic [Slots-1:0][3:0] status_i,
  output logic [3:0] fail_valid_o,
  output message_slot_t [3:0] fail_slot_o,
  output logic [3:0][3:0] fail_status_o,
  output logic [2:0] done_valid_o,
  output message_slot_t [2:0] done_slot_o,
  output logic lost_valid_o,  // with all that the core had of them
  output logic [3:0] lost_status_o,
  output logic begun_valid_o,
  output message_slot_t begun_slot_o,
  output logic raw_result_o,

  // The store: run, place, output, issue.
  output store_request_t [3:0] store_o,
  input  logic [3:0] store_grant_i,
  output logic store_hold_o,
  input  row_t store_data_i,
  input  words_t words_i,

  // Strings of sources, and their rows.
  output string_t source_o,
  output logic source_valid_o,
  input  logic source_ready_i,
  input  logic in_valid_i,
  output logic in_ready_o,
  input  row_t in_row_i,
  input  logic in_last_i,
  input  fault_e in_fault_i,

  // Strings of destinations, and their rows.
  output string_t destination_o,
  output logic destination_valid_o,
  input  logic destination_ready_i,
  output logic out_valid_o,
  input  logic out_ready_i,
  output row_t out_row_o,
  input  logic written_valid_i,
  input  fault_e written_fault_i,

  // The core.
  output logic   core_rst_no,
  output logic   host_req_o,
  output logic   host_we_o,
  output space_e host_space_o,
  output addr_t  host_row_o,
  output vec_t   host_wdata_o,
  input  logic   host_gnt_i,
  input  vec_t   host_rdata_i,
  output logic   start_o,
  output addr_t  entry_o,
  output logic   wipe_o,
  output logic   due_o,    // a wipe is, or takes place
  input  state_e core_state_i,
  input  logic   fault_i,  // an event: the core found a fault, or was locked
  input  logic [7:0] notify_i,
  input  logic   event_i
);

  port_request_t [PortClients-1:0] port_request;
  logic [PortClients-1:0] port_grant;
  logic port_read;
  lutra_row_port u_row_port (
    .clk_i,
    .rst_ni,
    .request_i(port_request),
    .grant_o(port_grant),
    .read_o(port_read),
    .host_req_o,
    .host_we_o,
    .host_space_o,
    .host_row_o,
    .host_wdata_o,
    .host_gnt_i
  );

  // ------------------------------------------------------------------ the units
  logic place_hold, issue_hold;
  message_slot_t issue_slot;
  assign store_hold_o = place_hold || issue_hold;
  assign fail_slot_o[0] = issue_slot;
  assign done_slot_o[0] = issue_slot;
  job_index_t issued, placed, ran, put_out;
  ring_row_t in_free, out_free;
  logic writing, flush, trapped, drained, stream_reset;
  logic [3:0] flush_status, go_status, raw_write_status;
  logic go_valid, go_done, raw_write_done, raw_read_done, key_lost;
  issue_e issue_state;
  message_t message;
  logic barred, wiped, quiet, key_valid, key_set, key_drop;
  addr_t go_entry;
  logic [31:0] go_limit, cycles, bytes;

  assign barred = core_state_i inside {StateFaulted, StateLocked};
  assign wiped = core_state_i == StateWiping;
  assign lost_valid_o = (wiped || barred) && !quiet;
  always_comb begin
    lost_status_o = fault_i ? StatusCoreFault : StatusAborted;
    if (flush) lost_status_o = flush_status;
  end
  assign begun_valid_o = issue_state == IssueControl;
  assign begun_slot_o = issue_slot;

  lutra_leftovers #(
    .WIPE(WIPE)
  ) u_leftovers (
    .clk_i,
    .rst_ni,
    .command_i(wipe_i),
    .closed_i(closed_i == '1),
    .message_i(issue_state == IssueIv),
    .run_i(issue_state == IssueRawRun),
    .raw_i(issue_state == IssueRawWait),
    .quiet_i(quiet),
    .core_state_i,
    .wipe_o,
    .due_o
  );

  lutra_keys #(
    .WIPE(WIPE)
  ) u_keys (
    .clk_i,
    .rst_ni,
    .context_i(message.control.context_),
    .ring_i(ring_i[issue_slot]),
    .valid_o(key_valid),
    .set_i(key_set),
    .drop_i(key_drop),
    .clear_i(trapped || wiped),  // a trap can have changed what is behind any handle
    .closed_i
  );

  lutra_issue u_issue (
    .clk_i,
    .rst_ni,
    .raw_lock_i,
    .core_reset_i,
    .barred_i(barred),
    .wiped_i(wiped),
    .due_i(due_o),
    .operations_i,
    .reset_entry_i,
    .abort_i,
    .voiding_i,
    .void_o,
    .filled_i,
    .oldest_i,
    .ring_i,
    .status_i,
    .slot_o(issue_slot),
    .fail_valid_o(fail_valid_o[0]),
    .fail_status_o(fail_status_o[0]),
    .done_valid_o(done_valid_o[0]),
    .issued_o(issued),
    .out_i(put_out),
    .in_free_i(in_free),
    .out_free_i(out_free),
    .writing_i(writing),
    .flush_i(flush),
    .flush_status_i(flush_status),
    .trapped_i(trapped),
    .drained_o(drained),
    .quiet_o(quiet),
    .state_o(issue_state),
    .message_o(message),
    .key_valid_i(key_valid),
    .key_set_o(key_set),
    .key_drop_o(key_drop),
    .reset_o(stream_reset),
    .go_valid_o(go_valid),
    .go_entry_o(go_entry),
    .go_limit_o(go_limit),
    .go_done_i(go_done),
    .go_status_i(go_status),
    .raw_write_done_i(raw_write_done),
    .raw_write_status_i(raw_write_status),
    .raw_read_done_i(raw_read_done),
    .raw_result_o,
    .cycles_i(cycles),
    .bytes_i(bytes),
    .store_o(store_o[3]),
    .store_grant_i(store_grant_i[3]),
    .store_hold_o(issue_hold),
    .store_data_i,
    .words_i,
    .port_o(port_request[PortIssue]),
    .port_grant_i(port_grant[PortIssue]),
    .string_valid_o(source_valid_o),
    .string_ready_i(source_ready_i),
    .string_o(source_o)
  );

  lutra_place u_place (
    .clk_i,
    .rst_ni,
    .reset_i(stream_reset),
    .issued_i(issued),
    .placed_o(placed),
    .raw_valid_i(issue_state == IssueRawWrite),
    .raw_space_i(space_e'(message.tag[2:0])),
    .raw_row_i(message.aad),
    .raw_done_o(raw_write_done),
    .row_valid_i(in_valid_i),
    .row_ready_o(in_ready_o),
    .row_i(in_row_i),
    .row_last_i(in_last_i),
    .row_fault_i(in_fault_i),
    .port_o(port_request[PortPlace]),
    .port_grant_i(port_grant[PortPlace]),
    .store_o(store_o[1]),
    .store_grant_i(store_grant_i[1]),
    .store_hold_o(place_hold),
    .store_data_i,
    .fail_valid_o(fail_valid_o[1]),
    .fail_slot_o(fail_slot_o[1]),
    .fail_status_o(fail_status_o[1]),
    .raw_status_o(raw_write_status),
    .key_lost_o(key_lost)
  );

  lutra_run u_run (
    .clk_i,
    .rst_ni,
    .reset_i(stream_reset),
    .limit_i,
    .tick_i,
    .core_reset_i,
    .fault_i,
    .barred_i(barred),
    .key_lost_i(key_lost),
    .key_lost_status_i(fail_status_o[1]),
    .placed_i(placed),
    .drained_i(drained),
    .ran_o(ran),
    .in_free_o(in_free),
    .go_valid_i(go_valid),
    .go_entry_i(go_entry),
    .go_limit_i(go_limit),
    .go_done_o(go_done),
    .go_status_o(go_status),
    .flush_o(flush),
    .flush_status_o(flush_status),
    .trapped_o(trapped),
    .cycles_o(cycles),
    .store_o(store_o[0]),
    .store_grant_i(store_grant_i[0]),
    .store_data_i,
    .fail_valid_o(fail_valid_o[2]),
    .fail_slot_o(fail_slot_o[2]),
    .fail_status_o(fail_status_o[2]),
    .core_rst_no,
    .start_o,
    .entry_o,
    .core_state_i,
    .notify_i,
    .event_i
  );

  lutra_output u_output (
    .clk_i,
    .rst_ni,
    .reset_i(stream_reset),
    .ran_i(ran),
    .out_o(put_out),
    .out_free_o(out_free),
    .writing_o(writing),
    .ring_i,
    .status_i,
    .raw_valid_i(issue_state == IssueRawRead),
    .raw_slot_i(issue_slot),
    .raw_space_i(space_e'(message.tag[2:0])),
    .raw_row_i(message.aad),
    .raw_bytes_i(message.text),
    .raw_list_i(message.control.scatter),
    .raw_done_o(raw_read_done),
    .bytes_o(bytes),
    .store_o(store_o[2]),
    .store_grant_i(store_grant_i[2]),
    .store_data_i,
    .words_i,
    .port_o(port_request[PortOutput]),
    .port_grant_i(port_grant[PortOutput]),
    .port_read_i(port_read),
    .port_data_i(host_rdata_i),
    .string_valid_o(destination_valid_o),
    .string_ready_i(destination_ready_i),
    .string_o(destination_o),
    .row_valid_o(out_valid_o),
    .row_ready_i(out_ready_i),
    .row_o(out_row_o),
    .done_valid_i(written_valid_i),
    .done_fault_i(written_fault_i),
    .fail_valid_o(fail_valid_o[3]),
    .fail_slot_o(fail_slot_o[3]),
    .fail_status_o(fail_status_o[3]),
    .done_valid_o(done_valid_o[2:1]),
    .done_slot_o(done_slot_o[2:1])
  );

endmodule
