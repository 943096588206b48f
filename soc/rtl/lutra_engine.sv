// From descriptors to completions: rings, fetch, the jobs of messages, complete. Each unit goes through the same stream
// of messages in the same order; what they share is the store and the state of messages.

module lutra_engine
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_regs_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  parameter bit WIPE = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  lutra_axi__out_t registers_i,
  output lutra_axi__in_t registers_o,
  output logic [Rings-1:0] irq_o,

  // Registers that are in the memory of places.
  output place_register_t place_register_o,
  input  logic place_register_ready_i,
  input  logic [RowBytes-1:0][7:0] place_row_i,

  // Entries of rings: descriptors, completions.
  output logic [1:0] entry_valid_o,
  output logic [1:0] entry_ring_o,
  output logic [1:0][14:0] entry_index_o,
  input  logic [1:0] entry_ready_i,
  output logic [1:0] entry_taken_o,
  input  logic [ADDR_WIDTH-1:0] entry_address_i,
  input  logic entry_fault_i,

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

  // Reads of descriptors.
  output logic fetch_valid_o,
  input  logic fetch_ready_i,
  output logic [ADDR_WIDTH-1:0] fetch_address_o,
  output logic [3:0] fetch_beats_o,
  input  logic fetched_valid_i,
  input  logic [DATA_WIDTH-1:0] fetched_data_i,
  input  logic fetched_error_i,
  input  logic fetched_last_i,

  // Writes of completions.
  output logic post_valid_o,
  input  logic post_ready_i,
  output logic [ADDR_WIDTH-1:0] post_address_o,
  output logic [3:0] post_beats_o,
  output logic post_beat_valid_o,
  input  logic post_beat_ready_i,
  output logic [DATA_WIDTH-1:0] post_data_o,
  output logic post_last_o,
  input  logic posted_valid_i,
  input  logic posted_error_i,

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
  input  logic   alert_i,
  input  logic   fault_i,  // an event: the alert has risen
  input  state_e core_state_i,
  input  trap_e  trap_i,
  input  logic [7:0] notify_i,
  input  logic   event_i
);

  logic big_endian;
  assign big_endian = registers_i.control.big_endian.value;

  // ------------------------------------------------------------- store and port
  store_request_t [StoreClients-1:0] store_request;
  logic [StoreClients-1:0] store_grant;
  logic store_hold;
  row_t store_data;
  words_t words;
  lutra_store u_store (
    .clk_i,
    .request_i(store_request),
    .grant_o(store_grant),
    .hold_i(store_hold),
    .data_o(store_data)
  );
  assign words = words_of(store_data, registers_i.control.big_endian.value);

  // ----------------------------------------------------------------------- ticks
  logic [7:0] ticks_q, ticks_d;
  logic tick_64, tick_256;
  assign ticks_d = ticks_q + 8'd1;
  assign tick_64 = ticks_q[5:0] == '1;
  assign tick_256 = ticks_q == '1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ticks_q <= '0;
    else ticks_q <= ticks_d;
  end

  // ----------------------------------------------------------------------- rings
  logic [Rings-1:0] want, asking, fetched, refused, failed, posted, dropped, barred, acked, lost;
  logic [Rings-1:0] void_event, voiding, phase;
  logic [Rings-1:0] idle, stopped, stops, abort, completed;
  logic [Rings-1:0][3:0] reason;
  logic [Rings-1:0] closed_q, idle_q, interrupt;
  logic [Rings-1:0][14:0] fetch_index, post_index;
  logic [Rings-1:0][15:0] head;
  logic ack_error, ack_interrupt;

  for (genvar r = 0; r < Rings; r++) begin : gen_ring
    assign abort[r] = registers_i.ring[r].control.abort.value;

    lutra_ring u_ring (
      .clk_i,
      .rst_ni,
      .active_i(registers_i.control.enable.value),
      .enable_i(registers_i.ring[r].control.enable.value),
      .log2_i(registers_i.ring[r].size.log2.value),
      .tail_i(registers_i.ring[r].tail.tail.value),
      .head_o(head[r]),
      .idle_o(idle[r]),
      .stopped_o(stopped[r]),
      .reason_o(reason[r]),
      .stops_o(stops[r]),
      .want_o(want[r]),
      .fetch_index_o(fetch_index[r]),
      .asking_i(asking[r]),
      .fetched_i(fetched[r]),
      .refused_i(refused[r]),
      .post_index_o(post_index[r]),
      .phase_o(phase[r]),
      .posted_i(posted[r]),
      .dropped_i(dropped[r]),
      .acked_i(acked[r]),
      .error_i(ack_error),
      .barred_i(barred[r]),
      .lost_o(lost[r]),
      .failed_i(failed[r]),
      .void_i(void_event[r]),
      .voiding_o(voiding[r])
    );

    lutra_interrupts u_interrupts (
      .clk_i,
      .rst_ni,
      .tick_i(tick_64),
      .count_i(registers_i.ring[r].moderation.count.value),
      .timer_i(registers_i.ring[r].moderation.timer.value),
      .completed_i(acked[r] && !ack_error && !lost[r]),
      .at_once_i(ack_interrupt),
      .completed_o(completed[r])
    );
    assign interrupt[r] =
        (registers_i.ring[r].interrupt.completed.value && registers_i.ring[r].interrupt_enable.completed.value) ||
        (registers_i.ring[r].interrupt.stopped.value && registers_i.ring[r].interrupt_enable.stopped.value);

    assign registers_o.ring[r].head.head.next = head[r];
    assign registers_o.ring[r].state.idle.next = idle[r];
    assign registers_o.ring[r].state.stopped.next = stopped[r];
    assign registers_o.ring[r].state.reason.next = reason[r];
    assign registers_o.ring[r].interrupt.completed.hwset = completed[r];
    assign registers_o.ring[r].interrupt.stopped.hwset = stops[r];
  end

  // A ring's first descriptor comes long after the ring is not idle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      idle_q <= '1;
      closed_q <= '1;
    end else begin
      idle_q <= idle;
      for (int r = 0; r < Rings; r++) closed_q[r] <= !registers_i.ring[r].control.enable.value && idle[r];
    end
  end

  // --------------------------------------------------------------------- the alert
  assign registers_o.alert.raised.hwset = fault_i;
  assign registers_o.status.alert.next = alert_i;
  assign irq_o = interrupt | Rings'(registers_i.alert.raised.value && registers_i.alert.enable.value);

  assign entry_index_o = {post_index[entry_ring_o[1]], fetch_index[entry_ring_o[0]]};

  // -------------------------------------------------------------------- messages
  message_slot_t filled, oldest, begin_slot;
  message_slot_t [3:0] fail_slot;
  message_slot_t [2:0] done_slot;
  logic begin_valid, begin_ring, fetch_void, begun_valid, lost_valid;
  message_slot_t begun_slot;
  logic [3:0] lost_status;
  logic [3:0] fail_valid;
  logic [3:0][3:0] fail_status;
  logic [2:0] done_valid;
  logic [Slots-1:0] ring, done;
  logic [Slots-1:0][3:0] status;
  lutra_messages u_messages (
    .clk_i,
    .begin_valid_i(begin_valid),
    .begin_slot_i(begin_slot),
    .begin_ring_i(begin_ring),
    .fail_valid_i({fail_valid, fetch_void}),
    .fail_slot_i({fail_slot, filled}),
    .fail_status_i({fail_status, StatusVoid}),
    .lost_valid_i(lost_valid),
    .lost_status_i(lost_status),
    .begun_valid_i(begun_valid),
    .begun_slot_i(begun_slot),
    .done_valid_i(done_valid),
    .done_slot_i(done_slot),
    .ring_o(ring),
    .status_o(status),
    .done_o(done)
  );

  lutra_fetch #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .want_i(want),
    .asking_o(asking),
    .fetched_o(fetched),
    .refused_o(refused),
    .failed_o(failed),
    .address_valid_o(entry_valid_o[0]),
    .address_ring_o(entry_ring_o[0]),
    .address_ready_i(entry_ready_i[0]),
    .address_taken_o(entry_taken_o[0]),
    .address_i(entry_address_i),
    .address_fault_i(entry_fault_i),
    .request_valid_o(fetch_valid_o),
    .request_ready_i(fetch_ready_i),
    .request_address_o(fetch_address_o),
    .request_beats_o(fetch_beats_o),
    .response_valid_i(fetched_valid_i),
    .response_data_i(fetched_data_i),
    .response_error_i(fetched_error_i),
    .response_last_i(fetched_last_i),
    .oldest_i(oldest),
    .begin_valid_o(begin_valid),
    .begin_slot_o(begin_slot),
    .begin_ring_o(begin_ring),
    .filled_o(filled),
    .void_valid_o(fetch_void),
    .void_ring_i(ring[filled]),
    .store_o(store_request[StoreFetch])
  );

  // ------------------------------------------------------------------ the stream
  logic raw_result, due;
  lutra_jobs #(
    .WIPE(WIPE)
  ) u_jobs (
    .clk_i,
    .rst_ni,
    .raw_lock_i(registers_i.control.raw_lock.value),
    .core_reset_i(registers_i.control.core_reset.value),
    .wipe_i(registers_i.control.wipe.value),
    .closed_i(closed_q),
    .operations_i(registers_i.operations.count.value),
    .reset_entry_i(registers_i.stream_reset.entry.value),
    .limit_i(registers_i.watchdog.limit.value),
    .tick_i(tick_256),
    .abort_i(abort),
    .voiding_i(voiding),
    .void_o(void_event),
    .filled_i(filled),
    .oldest_i(oldest),
    .ring_i(ring),
    .status_i(status),
    .fail_valid_o(fail_valid),
    .fail_slot_o(fail_slot),
    .fail_status_o(fail_status),
    .done_valid_o(done_valid),
    .done_slot_o(done_slot),
    .lost_valid_o(lost_valid),
    .lost_status_o(lost_status),
    .begun_valid_o(begun_valid),
    .begun_slot_o(begun_slot),
    .raw_result_o(raw_result),
    .store_o({
      store_request[StoreIssue], store_request[StoreOutput], store_request[StorePlace], store_request[StoreRun]
    }),
    .store_grant_i({store_grant[StoreIssue], store_grant[StoreOutput], store_grant[StorePlace], store_grant[StoreRun]}),
    .store_hold_o(store_hold),
    .store_data_i(store_data),
    .words_i(words),
    .source_o,
    .source_valid_o,
    .source_ready_i,
    .in_valid_i,
    .in_ready_o,
    .in_row_i,
    .in_last_i,
    .in_fault_i,
    .destination_o,
    .destination_valid_o,
    .destination_ready_i,
    .out_valid_o,
    .out_ready_i,
    .out_row_o,
    .written_valid_i,
    .written_fault_i,
    .core_rst_no,
    .host_req_o,
    .host_we_o,
    .host_space_o,
    .host_row_o,
    .host_wdata_o,
    .host_gnt_i,
    .host_rdata_i,
    .start_o,
    .entry_o,
    .wipe_o,
    .due_o(due),
    .core_state_i,
    .fault_i,
    .notify_i,
    .event_i
  );

  lutra_complete #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(DATA_WIDTH)
  ) u_complete (
    .clk_i,
    .rst_ni,
    .big_endian_i(big_endian),
    .filled_i(filled),
    .oldest_o(oldest),
    .ring_i(ring),
    .status_i(status),
    .done_i(done),
    .core_i(raw_result ? core_state_i : StateIdle),
    .trap_i(raw_result ? trap_i : TrapNone),
    .notify_i(raw_result ? notify_i : '0),
    .lost_i(lost),
    .phase_i(phase),
    .posted_o(posted),
    .dropped_o(dropped),
    .barred_o(barred),
    .acked_o(acked),
    .error_o(ack_error),
    .interrupt_o(ack_interrupt),
    .address_valid_o(entry_valid_o[1]),
    .address_ring_o(entry_ring_o[1]),
    .address_ready_i(entry_ready_i[1]),
    .address_taken_o(entry_taken_o[1]),
    .address_i(entry_address_i),
    .address_fault_i(entry_fault_i),
    .store_o(store_request[StoreComplete]),
    .store_grant_i(store_grant[StoreComplete]),
    .store_data_i(store_data),
    .words_i(words),
    .request_valid_o(post_valid_o),
    .request_ready_i(post_ready_i),
    .request_address_o(post_address_o),
    .request_beats_o(post_beats_o),
    .beat_valid_o(post_beat_valid_o),
    .beat_ready_i(post_beat_ready_i),
    .beat_data_o(post_data_o),
    .beat_last_o(post_last_o),
    .response_valid_i(posted_valid_i),
    .response_error_i(posted_error_i)
  );

  // ------------------------------------------------------------------- registers
  logic busy;
  assign busy = idle_q != '1 || due || core_state_i inside {StateRunning, StateWiping};
  lutra_operations u_operations (
    .clk_i,
    .rst_ni,
    .locked_i(registers_i.control.enable.value || idle_q != '1),
    .registers_i(registers_i.operation),
    .registers_o(registers_o.operation),
    .store_o(store_request[StoreRegisters]),
    .store_grant_i(store_grant[StoreRegisters]),
    .store_data_i(store_data[127:96])
  );

  logic place_write_ack, place_read_ack;
  logic [31:0] place_data;
  lutra_place_registers u_place_registers (
    .clk_i,
    .rst_ni,
    .registers_i,
    .write_ack_o(place_write_ack),
    .read_ack_o(place_read_ack),
    .data_o(place_data),
    .register_o(place_register_o),
    .register_ready_i(place_register_ready_i),
    .row_i(place_row_i)
  );
  // The registers take any of the answers.
  for (genvar r = 0; r < Rings; r++) begin : gen_place_answer
    assign registers_o.window[r].base_low = '{place_read_ack, place_data, place_write_ack};
    assign registers_o.window[r].base_high = '{place_read_ack, place_data, place_write_ack};
    assign registers_o.window[r].limit_low = '{place_read_ack, place_data, place_write_ack};
    assign registers_o.window[r].limit_high = '{place_read_ack, place_data, place_write_ack};
    assign registers_o.ring[r].descriptors_low = '{place_read_ack, place_data, place_write_ack};
    assign registers_o.ring[r].descriptors_high = '{place_read_ack, place_data, place_write_ack};
    assign registers_o.ring[r].completions_low = '{place_read_ack, place_data, place_write_ack};
    assign registers_o.ring[r].completions_high = '{place_read_ack, place_data, place_write_ack};
  end

  // Sizes that are also in the description of the registers, and the rows of the circular buffers.
  if (Rings != lutra_layout_pkg::CapableRings) begin : gen_rings_differ
    $error("another number of rings than in the description");
  end
  if (MemoryRows != 2 ** $bits(ring_row_t)) begin : gen_rows_differ
    $error("the circular buffers have other rows than the memories");
  end
  assign registers_o.capabilities.bus.next = 3'($clog2(DATA_WIDTH / 8));
  assign registers_o.capabilities.address_bits.next = 7'(ADDR_WIDTH);
  assign registers_o.capabilities.wipe.next = WIPE;
  assign registers_o.operations.count.hwclr = core_state_i == StateWiping;
  assign registers_o.status.busy.next = busy;
  assign registers_o.status.core.next = core_state_i;
  assign registers_o.status.trap.next = trap_i;

endmodule
