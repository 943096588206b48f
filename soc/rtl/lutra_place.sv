// Places the rows that the reader delivers: those of a job in m2 after its first rows, then a zero row where the next
// header will be, then the job's header, which makes it visible to the firmware. A raw write goes to any space.

module lutra_place
  import lutra_engine_pkg::*;
  import lutra_isa_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic reset_i,  // the stream begins at row 0

  input  job_index_t issued_i,  // the first job that is not issued
  output job_index_t placed_o,  // the first job that is not placed

  input  logic   raw_valid_i,  // until raw_done_o
  input  space_e raw_space_i,
  input  addr_t  raw_row_i,
  output logic   raw_done_o,

  input  logic   row_valid_i,
  output logic   row_ready_o,
  input  row_t   row_i,
  input  logic   row_last_i,
  input  fault_e row_fault_i,

  output port_request_t port_o,
  input  logic port_grant_i,

  output store_request_t store_o,
  input  logic store_grant_i,
  output logic store_hold_o,
  input  row_t store_data_i,

  output logic  fail_valid_o,
  output message_slot_t fail_slot_o,
  output logic [3:0] fail_status_o,
  output logic [3:0] raw_status_o, // with raw_done_o
  output logic  key_lost_o         // an event, with fail_status_o: what is in a key context is not its key
);

  typedef enum logic [2:0] {
    PlaceIdle,
    PlaceJob,     // the job is at the store's output
    PlaceRows,
    PlaceZero,
    PlaceHeader,  // once the job is at the store's output
    PlaceRaw
  } state_t;

  state_t state_q, state_d;
  job_index_t placed_q, placed_d;
  ring_row_t head_q, head_d;  // where the header goes
  addr_t row_q, row_d;
  logic [1:0] strings_q, strings_d;
  message_slot_t slot_q, slot_d;
  logic live_q, live_d;
  logic restores_q, restores_d;

  job_t job;
  assign job = job_t'(store_data_i);

  always_comb begin
    store_o = '0;
    store_o.valid = state_q == PlaceHeader ? !live_q : state_q == PlaceIdle && placed_q != issued_i;
    store_o.row = job_row(placed_q);

    port_o = '0;
    port_o.write = 1'b1;
    port_o.space = SpaceMem2;
    port_o.row = addr_t'(row_q[7:0]);
    port_o.data = row_i;
    unique case (state_q)
      PlaceRows: port_o.valid = row_valid_i;
      PlaceZero: begin
        port_o.valid = 1'b1;
        port_o.data = '0;
      end
      PlaceHeader: begin
        port_o.valid = live_q;
        port_o.row = addr_t'(head_q);
        port_o.data = header(job);
      end
      PlaceRaw: begin
        port_o.valid = row_valid_i;
        port_o.space = raw_space_i;
        port_o.row = row_q;
      end
      default: ;
    endcase
  end
  assign row_ready_o = state_q inside {PlaceRows, PlaceRaw} && port_grant_i;

  always_comb begin
    state_d = state_q;
    placed_d = placed_q;
    head_d = head_q;
    row_d = row_q;
    strings_d = strings_q;
    slot_d = slot_q;
    live_d = 1'b0;
    restores_d = restores_q;
    raw_done_o = 1'b0;
    fail_valid_o = 1'b0;

    unique case (state_q)
      PlaceJob: begin
        strings_d = job.strings;
        slot_d = job.slot;
        restores_d = job.restores;
        row_d = addr_t'(head_q) + 16'(HeadRows) + 16'(job.written);
        state_d = job.strings == '0 ? PlaceZero : PlaceRows;
      end
      PlaceRows: begin
        if (port_grant_i) begin
          row_d = row_q + 16'd1;
          fail_valid_o = row_fault_i != FaultNone;
          strings_d = strings_q - 2'(row_last_i);
          if (strings_d == '0) state_d = PlaceZero;
        end
      end
      PlaceZero: if (port_grant_i) state_d = PlaceHeader;
      PlaceHeader: begin
        live_d = store_grant_i || (live_q && !port_grant_i);
        if (live_q && port_grant_i) begin
          placed_d = placed_q + 4'd1;
          head_d = row_q[7:0];
          state_d = PlaceIdle;
        end
      end
      PlaceRaw: begin
        if (port_grant_i) begin
          row_d = row_q + 16'd1;
          raw_done_o = row_last_i;
          if (row_last_i) state_d = PlaceIdle;
        end
      end
      default: begin
        row_d = raw_row_i;
        if (store_grant_i) state_d = PlaceJob;
        else if (raw_valid_i) state_d = PlaceRaw;
      end
    endcase

    if (reset_i) begin
      placed_d = '0;
      head_d = '0;
    end
  end

  assign raw_status_o = fail_status_o;
  assign fail_slot_o = slot_q;
  assign fail_status_o = status_of(row_fault_i, StatusReadError);
  assign key_lost_o = state_q == PlaceRows && fail_valid_o && restores_q;
  assign store_hold_o = live_q;
  assign placed_o = placed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= PlaceIdle;
      placed_q <= '0;
      head_q <= '0;
      row_q <= '0;
      strings_q <= '0;
      slot_q <= '0;
      live_q <= 1'b0;
      restores_q <= 1'b0;
    end else begin
      state_q <= state_d;
      placed_q <= placed_d;
      head_q <= head_d;
      row_q <= row_d;
      strings_q <= strings_d;
      slot_q <= slot_d;
      live_q <= live_d;
      restores_q <= restores_d;
    end
  end

endmodule
