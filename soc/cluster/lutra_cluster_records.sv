// Records of flows on their way from memory into mailboxes, where they are jobs that set keys, or restore them from
// where the record says. A record that is not that
// of the packet's handle, or could not be read, becomes a job that clears the place of the key, so that no packet behind
// it finds an older key there; its packet becomes a job that no core does. `bad_o` says so, since the core cannot know.

module lutra_cluster_records
  import lutra_cluster_layout_pkg::*;
  import lutra_cluster_pkg::*;
#(
  parameter int unsigned CORES = 4
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic push_i,
  output logic ready_o,
  input  logic [core_bits(CORES)-1:0] core_i,
  input  job_t entry_i,
  input  logic [KeyBits-1:0] key_i,
  input  handle_t handle_i,
  input  logic [31:0] cookie_i,

  input  logic response_valid_i,
  output logic response_ready_o,
  input  logic [63:0] response_data_i,
  input  logic response_error_i,
  input  logic response_last_i,

  output logic [CORES-1:0] write_o,
  output job_row_t row_o,
  output line_t line_o,
  output logic [CORES-1:0] filled_o,
  output logic [CORES-1:0] bad_o,  // the packet after the key
  output job_t filled_entry_o
);

  localparam int unsigned CoreBits = core_bits(CORES);

  typedef struct packed {
    logic [CoreBits-1:0] core;
    job_t entry;
    logic [KeyBits-1:0] key;
    handle_t handle;
    logic [31:0] cookie;
  } asked_t;

  asked_t asked;
  logic over;
  lutra_queue #(
    .Depth(8),
    .Width($bits(asked_t))
  ) u_asked (
    .clk_i,
    .rst_ni,
    .push_valid_i(push_i),
    .push_ready_o(ready_o),
    .push_i({core_i, entry_i, key_i, handle_i, cookie_i}),
    .head_valid_o(),
    .head_ready_i(over),
    .head_o(asked)
  );

  logic [2:0] beat_q, beat_d;
  logic [63:0] low_q, low_d;
  logic bad_q, bad_d;
  // Rewrites the first row of the key, then that of the packet.
  typedef enum logic [1:0] {MendNone, MendKey, MendPacket} mend_e;
  mend_e mend_q, mend_d;
  cluster_control_t record, control, clears;
  logic wrong, row_valid;
  assign record = cluster_control_t'(low_q[31:0]);
  always_comb begin
    control = '0;
    control.generation = asked.handle.generation;
    control.flow = asked.handle.flow;
    control.flags = record.flags & InlinePayload;
    control.operation = record.operation;
    clears = control;
    clears.flags = InlinePayload;
    clears.operation = ClearOperation;
  end
  assign row_valid = response_valid_i && beat_q[0];
  assign wrong = beat_q[2:1] == '0 && handle_of(record) != asked.handle;
  assign response_ready_o = mend_q == MendNone;

  always_comb begin
    beat_d = beat_q + 3'(response_valid_i);
    low_d = response_valid_i && !beat_q[0] ? response_data_i : low_q;
    bad_d = (bad_q || (response_valid_i && (response_error_i || (row_valid && wrong)))) && mend_q == MendNone;
    mend_d = MendNone;
    if (response_valid_i && response_last_i && bad_d) mend_d = MendKey;
    if (mend_q == MendKey) mend_d = MendPacket;
    over = mend_q == MendPacket || (response_valid_i && response_last_i && !bad_d);

    write_o = '0;
    write_o[asked.core] = row_valid || mend_q != MendNone;
    row_o = {asked.entry, beat_q[2:1]};
    line_o = {response_data_i, low_q};
    if (beat_q[2:1] == '0) begin
      line_o[63:0] = {32'd0, core_control(control, 1'b1, asked.key, control.operation)};
    end
    if (mend_q == MendKey) begin
      row_o = {asked.entry, 2'd0};
      line_o = {96'd0, core_control(clears, 1'b1, asked.key, clears.operation)};
    end
    if (mend_q == MendPacket) begin
      row_o = {asked.entry + job_t'(1), 2'd0};
      line_o = {64'd0, asked.cookie, NoOperation};
    end
    filled_o = '0;
    filled_o[asked.core] = over;
    bad_o = '0;
    bad_o[asked.core] = mend_q == MendPacket;
  end
  assign filled_entry_o = asked.entry;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      bad_q <= 1'b0;
      mend_q <= MendNone;
    end else begin
      beat_q <= beat_d;
      bad_q <= bad_d;
      mend_q <= mend_d;
    end
  end
  always_ff @(posedge clk_i) low_q <= low_d;

endmodule
