// The part of a cluster that its cores share: registers, ring, choice of cores, keys on their way, order of completions.

module lutra_cluster_front
  import lutra_cluster_pkg::*;
  import lutra_cluster_regs_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned CORES = 4,
  parameter int unsigned LOCKSTEP_PAIRS = 0,
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned RegisterBits = AddressBits,
  parameter int unsigned CoreRegisterBits = CoreAddressBits
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,
  output logic [ADDR_WIDTH-1:12] mailbox_o,

  // The host's registers.
  input  logic s_axil_awvalid,
  output logic s_axil_awready,
  input  logic [RegisterBits-1:0] s_axil_awaddr,
  input  logic s_axil_wvalid,
  output logic s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0] s_axil_wstrb,
  output logic s_axil_bvalid,
  input  logic s_axil_bready,
  input  logic s_axil_arvalid,
  output logic s_axil_arready,
  input  logic [RegisterBits-1:0] s_axil_araddr,
  output logic s_axil_rvalid,
  input  logic s_axil_rready,
  output logic [31:0] s_axil_rdata,

  // The cores' registers.
  output logic [CORES-1:0] core_awvalid_o,
  input  logic [CORES-1:0] core_awready_i,
  output logic [CORES-1:0] core_arvalid_o,
  input  logic [CORES-1:0] core_arready_i,
  output logic [CoreRegisterBits-1:0] core_address_o,
  output logic [31:0] core_data_o,
  output logic [3:0] core_strobe_o,
  input  logic [CORES-1:0] core_bvalid_i,
  input  logic [CORES-1:0] core_rvalid_i,
  input  logic [CORES-1:0][31:0] core_data_i,

  // The bus: descriptors, records of flows, completions.
  output logic arvalid_o,
  input  logic arready_i,
  output logic [IdWidth-1:0] arid_o,
  output logic [ADDR_WIDTH-1:0] araddr_o,
  output logic [7:0] arlen_o,
  output logic [2:0] arsize_o,
  output logic [1:0] arburst_o,
  input  logic rvalid_i,
  output logic rready_o,
  input  logic [IdWidth-1:0] rid_i,
  input  logic [63:0] rdata_i,
  input  logic [1:0] rresp_i,
  input  logic rlast_i,
  output logic awvalid_o,
  input  logic awready_i,
  output logic [IdWidth-1:0] awid_o,
  output logic [ADDR_WIDTH-1:0] awaddr_o,
  output logic [7:0] awlen_o,
  output logic [2:0] awsize_o,
  output logic [1:0] awburst_o,
  output logic wvalid_o,
  input  logic wready_i,
  output logic [63:0] wdata_o,
  output logic [7:0] wstrb_o,
  output logic wlast_o,
  input  logic bvalid_i,
  output logic bready_o,
  input  logic [IdWidth-1:0] bid_i,
  input  logic [1:0] bresp_i,

  // Mailboxes and keys.
  output logic [CORES-1:0] clear_o,       // the core takes no packets, and none is in it
  output logic [CORES-1:0] keys_clear_o,
  output logic [CORES-1:0][1:0] take_o,
  output entry_t [1:0] entry_o,
  input  logic [CORES-1:0] room_i,
  input  job_t [CORES-1:0] next_i,
  input  logic [CORES-1:0] idle_i,
  input  work_t [CORES-1:0] work_i,
  output logic [CORES-1:0] write_o,
  output job_row_t row_o,
  output line_t line_o,
  output logic [CORES-1:0][1:0] filled_o,
  output job_t [1:0] filled_entry_o,
  output logic [CORES-1:0] bad_o,
  input  logic [CORES-1:0][15:0] tail_i,
  input  logic [CORES-1:0] ring_i,
  output logic [CORES-1:0] rung_o,
  output handle_t handle_o,
  input  logic [CORES-1:0] hit_i,
  input  logic [CORES-1:0][KeyBits-1:0] key_i,
  input  logic [CORES-1:0][KeyBits-1:0] free_i,
  output logic [CORES-1:0] key_take_o,

  // Completions of cores.
  input  logic [CORES-1:0] done_valid_i,
  output logic [CORES-1:0] done_ready_o,
  input  logic [CORES-1:0] done_half_i,
  input  logic [CORES-1:0][63:0] done_data_i,
  input  entry_t [CORES-1:0] done_entry_i,
  input  logic [CORES-1:0] done_bad_i,
  input  logic [CORES-1:0] done_differs_i,  // of a pair: the other core has something else
  output logic [CORES-1:0] done_o,

  // Pairs.
  output logic [CORES-1:0] out_o,  // of control.cores, and nothing is in it
  output logic [CORES-1:0] takes_o,
  output logic [MostPairs-1:0] couple_o,
  output logic [7:0] patience_o,
  input  logic [MostPairs-1:0] coupled_i,
  input  logic [MostPairs-1:0] differs_i
);

  // ------------------------------------------------------------------- registers
  lutra_cluster__in_t registers_in;
  lutra_cluster__out_t registers;
  lutra_cluster_registers #(
    .CORES(CORES),
    .RegisterBits(RegisterBits),
    .CoreRegisterBits(CoreRegisterBits)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .s_axil_awvalid,
    .s_axil_awready,
    .s_axil_awaddr,
    .s_axil_wvalid,
    .s_axil_wready,
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_bvalid,
    .s_axil_bready,
    .s_axil_arvalid,
    .s_axil_arready,
    .s_axil_araddr,
    .s_axil_rvalid,
    .s_axil_rready,
    .s_axil_rdata,
    .ring_i,
    .tail_i,
    .rung_o,
    .core_awvalid_o,
    .core_awready_i,
    .core_arvalid_o,
    .core_arready_i,
    .core_address_o,
    .core_data_o,
    .core_strobe_o,
    .core_bvalid_i,
    .core_rvalid_i,
    .core_data_i,
    .registers_i(registers_in),
    .registers_o(registers)
  );

  logic [CORES-1:0] cores;
  logic [CORES-1:0][3:0] groups;
  logic [ADDR_WIDTH-1:0] flows;
  // The second core of a pair gets what the first one gets, not packets of its own.
  assign takes_o = registers.control.cores.value[CORES-1:0];
  assign out_o = clear_o & ~takes_o;
  always_comb begin
    cores = takes_o;
    for (int c = 1; c < CORES; c += 2) if (coupled_i[c/2]) cores[c] = 1'b0;
  end
  assign couple_o = registers.pairs.couple.value;
  assign patience_o = registers.pairs.patience.value;
  assign groups = registers.groups.cores.value[4*CORES-1:0];
  assign flows = ADDR_WIDTH'({registers.flows_high.value.value, registers.flows_low.value.value});
  assign mailbox_o = (ADDR_WIDTH-12)'({registers.mailbox_high.value.value, registers.mailbox_low.value.value[31:12]});

  // ---------------------------------------------------------------------- the bus
  logic [ReadClients-1:0] read_valid, read_ready, answer_valid, answer_ready;
  logic [ReadClients-1:0][ADDR_WIDTH-1:0] read_address;
  logic [ReadClients-1:0][3:0] read_beats;
  logic [63:0] answer_data;
  logic answer_error, answer_last;
  assign read_beats = '{default: 4'd7};
  assign read_valid[ReadDestinations] = 1'b0;
  assign read_valid[ReadData] = 1'b0;
  assign read_address[ReadDestinations] = '0;
  assign read_address[ReadData] = '0;
  assign answer_ready[ReadDescriptors] = 1'b1;
  assign answer_ready[ReadDestinations] = 1'b1;
  assign answer_ready[ReadData] = 1'b1;
  lutra_read_port #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(64)
  ) u_read_port (
    .clk_i,
    .rst_ni,
    .request_valid_i(read_valid),
    .request_ready_o(read_ready),
    .request_address_i(read_address),
    .request_beats_i(read_beats),
    .response_valid_o(answer_valid),
    .response_ready_i(answer_ready),
    .response_data_o(answer_data),
    .response_error_o(answer_error),
    .response_last_o(answer_last),
    .arvalid_o,
    .arready_i,
    .arid_o,
    .araddr_o,
    .arlen_o,
    .arsize_o,
    .arburst_o,
    .rvalid_i,
    .rready_o,
    .rid_i,
    .rdata_i,
    .rresp_i,
    .rlast_i
  );

  logic [2:0] ignored_ready;  // nothing but completions is written
  logic post_valid, post_ready, half_valid, half_ready, posted, posted_error;
  logic [ADDR_WIDTH-1:0] post_address;
  logic [63:0] half;
  lutra_write_port #(
    .ADDR_WIDTH(ADDR_WIDTH),
    .DATA_WIDTH(64)
  ) u_write_port (
    .clk_i,
    .rst_ni,
    .request_valid_i({post_valid, 1'b0}),
    .request_ready_o({post_ready, ignored_ready[0]}),
    .request_address_i({post_address, ADDR_WIDTH'(0)}),
    .request_beats_i('0),
    .beat_valid_i({half_valid, 1'b0}),
    .beat_ready_o({half_ready, ignored_ready[1]}),
    .beat_data_i({half, 64'd0}),
    .beat_strobe_i('1),
    .beat_last_i('1),
    .response_valid_o({posted, ignored_ready[2]}),
    .response_ready_i('1),
    .response_error_o(posted_error),
    .awvalid_o,
    .awready_i,
    .awid_o,
    .awaddr_o,
    .awlen_o,
    .awsize_o,
    .awburst_o,
    .wvalid_o,
    .wready_i,
    .wdata_o,
    .wstrb_o,
    .wlast_o,
    .bvalid_i,
    .bready_o,
    .bid_i,
    .bresp_i
  );

  // --------------------------------------------------------------------- the ring
  logic clear, stopped, stops, lost, acked, late, ring_idle, reorder_idle, place_idle, place_waits;
  logic [3:0] reason;
  logic [15:0] head, posted_count;
  logic first_valid, first_more, first_read, first_grant, first_pop;
  logic [1:0] first_row;
  line_t first_line;
  lutra_cluster_fetch #(
    .ADDR_WIDTH(ADDR_WIDTH)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .enable_i(registers.control.enable.value),
    .log2_i(registers.size.log2.value),
    .tail_i(registers.tail.tail.value),
    .posted_i(posted_count),
    .base_i(ADDR_WIDTH'({registers.descriptors_high.value.value, registers.descriptors_low.value.value})),
    .clear_o(clear),
    .idle_o(ring_idle),
    .stopped_o(stopped),
    .reason_o(reason),
    .stops_o(stops),
    .elsewhere_i(!place_idle || !reorder_idle || idle_i != '1),
    .lost_i(lost),
    .request_valid_o(read_valid[ReadDescriptors]),
    .request_ready_i(read_ready[ReadDescriptors]),
    .request_address_o(read_address[ReadDescriptors]),
    .response_valid_i(answer_valid[ReadDescriptors]),
    .response_data_i(answer_data),
    .response_error_i(answer_error),
    .response_last_i(answer_last),
    .valid_o(first_valid),
    .more_o(first_more),
    .read_i(first_read),
    .read_row_i(first_row),
    .read_grant_o(first_grant),
    .line_o(first_line),
    .pop_i(first_pop)
  );

  localparam int unsigned CoreBits = core_bits(CORES);
  logic packet_look, packet_room, packet_take, full, record_ready;
  order_t packet;
  logic [CoreBits-1:0] record_core;
  job_t record_entry;
  logic [KeyBits-1:0] record_key;
  logic [31:0] record_cookie;
  logic [CORES-1:0] place_write, place_filled, record_write, record_filled;
  job_row_t place_row, record_row;
  line_t place_line, record_line;
  lutra_cluster_place #(
    .CORES(CORES),
    .ADDR_WIDTH(ADDR_WIDTH)
  ) u_place (
    .clk_i,
    .rst_ni,
    .cores_i(cores),
    .groups_i(groups),
    .flows_i(flows),
    .idle_o(place_idle),
    .waits_o(place_waits),
    .full_o(full),
    .valid_i(first_valid),
    .more_i(first_more),
    .read_o(first_read),
    .read_row_o(first_row),
    .read_grant_i(first_grant),
    .line_i(first_line),
    .pop_o(first_pop),
    .look_o(packet_look),
    .room_i(packet_room),
    .packet_i(packet),
    .take_o(packet_take),
    .handle_o,
    .hit_i,
    .key_i,
    .free_i,
    .keys_clear_i(keys_clear_o),
    .key_take_o,
    .request_valid_o(read_valid[ReadSources]),
    .request_address_o(read_address[ReadSources]),
    .request_ready_i(read_ready[ReadSources]),
    .record_ready_i(record_ready),
    .record_core_o(record_core),
    .record_entry_o(record_entry),
    .record_key_o(record_key),
    .record_cookie_o(record_cookie),
    .mailbox_room_i(room_i),
    .work_i,
    .next_i,
    .entries_o(take_o),
    .entry_o,
    .write_o(place_write),
    .row_o(place_row),
    .write_line_o(place_line),
    .write_grant_i(record_write == '0),
    .filled_o(place_filled),
    .filled_entry_o(filled_entry_o[0])
  );

  lutra_cluster_records #(
    .CORES(CORES)
  ) u_records (
    .clk_i,
    .rst_ni,
    .push_i(|key_take_o),
    .ready_o(record_ready),
    .core_i(record_core),
    .entry_i(record_entry),
    .key_i(record_key),
    .handle_i(handle_o),
    .cookie_i(record_cookie),
    .response_valid_i(answer_valid[ReadSources]),
    .response_ready_o(answer_ready[ReadSources]),
    .response_data_i(answer_data),
    .response_error_i(answer_error),
    .response_last_i(answer_last),
    .write_o(record_write),
    .row_o(record_row),
    .line_o(record_line),
    .filled_o(record_filled),
    .bad_o,
    .filled_entry_o(filled_entry_o[1])
  );
  assign write_o = record_write != '0 ? record_write : place_write;
  assign row_o = record_write != '0 ? record_row : place_row;
  assign line_o = record_write != '0 ? record_line : place_line;
  for (genvar c = 0; c < CORES; c++) begin : gen_filled
    assign filled_o[c] = {record_filled[c], place_filled[c]};
  end

  // ------------------------------------------------------------------- completions
  // The lowest core first: a completion takes two cycles of many.
  logic [CORES-1:0] grant;
  logic done_valid, done_half, done_bad, done_differs, done_is_key;
  logic [63:0] done_data;
  order_t done_packet;
  completion_result_t result;
  assign grant = done_valid_i & ~(done_valid_i - CORES'(1));
  assign done_ready_o = grant;
  always_comb begin
    done_half = 1'b0;
    done_bad = 1'b0;
    done_differs = 1'b0;
    done_is_key = 1'b0;
    done_data = '0;
    done_packet = '0;
    for (int c = 0; c < CORES; c++) begin
      if (grant[c]) begin
        done_half |= done_half_i[c];
        done_bad |= done_bad_i[c];
        done_differs |= done_differs_i[c];
        done_is_key |= done_entry_i[c].is_key;
        done_data |= done_data_i[c];
        done_packet |= done_entry_i[c].packet;
      end
    end
    result = completion_result_t'(done_data[63:32]);
    if (done_bad && !done_half) result.status = StatusBadKey;
    if (done_differs && !done_half) result.status = StatusMismatch;
  end
  assign done_valid = |grant && !done_is_key;
  assign done_o = done_half ? '0 : grant;

  logic keys_lost, place_free;
  assign keys_lost = !done_half && (done_is_key ? result.status != StatusOk :
                     result.status inside {StatusBadKey, StatusCoreTrap, StatusTimeout, StatusAborted,
                                           StatusMismatch});
  assign place_free = place_idle || place_waits;
  assign clear_o = place_free ? idle_i & ~cores : '0;
  assign keys_clear_o = ~cores | (keys_lost ? grant : '0);

  lutra_cluster_reorder #(
    .ADDR_WIDTH(ADDR_WIDTH)
  ) u_reorder (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .by_flow_i(registers.control.by_flow.value),
    .log2_i(registers.size.log2.value),
    .base_i(ADDR_WIDTH'({registers.completions_high.value.value, registers.completions_low.value.value})),
    .posted_o(posted_count),
    .head_o(head),
    .idle_o(reorder_idle),
    .late_o(late),
    .error_o(lost),
    .acked_o(acked),
    .look_i(packet_look),
    .flow_i(handle_o.flow),
    .take_i(packet_take),
    .room_o(packet_room),
    .packet_o(packet),
    .done_valid_i(done_valid),
    .done_packet_i(done_packet),
    .done_half_i(done_half),
    .done_data_i(done_half ? done_data : {result, done_data[31:0]}),
    .request_valid_o(post_valid),
    .request_ready_i(post_ready),
    .request_address_o(post_address),
    .beat_valid_o(half_valid),
    .beat_ready_i(half_ready),
    .beat_data_o(half),
    .response_valid_i(posted),
    .response_error_i(posted_error)
  );

  // ------------------------------------------------------------------- statistics
  logic [CORES-1:0] taken;
  logic [CORES-1:0][31:0] packets;
  lutra_cluster_counters #(
    .CORES(CORES),
    .LOCKSTEP_PAIRS(LOCKSTEP_PAIRS)
  ) u_counters (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .key_i(|key_take_o),
    .full_i(full),
    .late_i(late),
    .mismatch_i(done_valid && !done_half && done_differs),
    .taken_i(taken),
    .keys_o(registers_in.keys_fetched.value.next),
    .full_cycles_o(registers_in.full_cycles.value.next),
    .order_cycles_o(registers_in.order_cycles.value.next),
    .mismatches_o(registers_in.mismatches.value.next),
    .packets_o(packets)
  );
  for (genvar c = 0; c < CORES; c++) begin : gen_taken
    assign taken[c] = take_o[c] != '0;
  end
  for (genvar c = 0; c < 8; c++) begin : gen_packets
    if (c < CORES) begin : gen_counted
      assign registers_in.packets[c].value.next = packets[c];
    end else begin : gen_none
      assign registers_in.packets[c].value.next = '0;
    end
  end

  assign registers_in.capabilities.cores.next = 4'(CORES);
  assign registers_in.state.idle.next = ring_idle;
  assign registers_in.state.stopped.next = stopped;
  assign registers_in.state.reason.next = reason;
  assign registers_in.state.busy.next = 8'({~idle_i | {CORES{!place_free}}});
  assign registers_in.pairs.couple.swwe = LOCKSTEP_PAIRS != 0;
  assign registers_in.pairs.patience.swwe = LOCKSTEP_PAIRS != 0;
  assign registers_in.pairs.coupled.next = coupled_i;
  assign registers_in.pairs.differs.next = differs_i;
  assign registers_in.pairs.available.next = 3'(LOCKSTEP_PAIRS);
  assign registers_in.head.head.next = head;
  assign registers_in.interrupt.completed.hwset = acked;
  assign registers_in.interrupt.stopped.hwset = stops;
  assign irq_o = (registers.interrupt.completed.value && registers.interrupt_enable.completed.value) ||
                 (registers.interrupt.stopped.value && registers.interrupt_enable.stopped.value);

endmodule
