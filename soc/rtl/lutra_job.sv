// The next job of a message: how much of what is left of associated data and text goes into it, associated data first,
// and what it takes of m2 and m3. It is computed in steps of a cycle, while the rest of the descriptor is checked. All
// outputs are valid five cycles after what is left has changed; until then `room_o` is low.

module lutra_job
  import lutra_engine_pkg::*;
  import lutra_layout_pkg::*;
(
  input  logic clk_i,

  input  descriptor_control_t control_i,
  input  operation_t operation_i,
  input  logic [31:0] text_i,      // bytes left
  input  logic [15:0] aad_i,
  input  logic [4:0] tag_i,
  input  logic first_i,
  input  logic next_i,             // from the next cycle on, less of the message is left
  input  logic more_i,             // the job before is of the same operation
  input  logic goes_on_i,          // there is one, whose routine can restore a saved key
  input  message_slot_t slot_i,

  // Rows: the next free one, and the first one in use.
  input  ring_row_t in_i,
  input  ring_row_t in_free_i,
  input  ring_row_t out_i,
  input  ring_row_t out_free_i,
  output logic room_o,
  output ring_row_t out_end_o,

  output job_t job_o,              // without an entry
  output logic [31:0] text_left_o,
  output logic [15:0] aad_left_o,
  // Strings of the source, in this order.
  output logic aad_in_o,
  output logic text_in_o,
  output logic tag_in_o
);

  localparam int unsigned LongBytes = 16 * LongRows;

  // ------------------------------------------------------------------------- rows
  // Rows that are left, or more than a job has.
  localparam int unsigned RowBits = $clog2(ChunkRows + 1);
  typedef logic [RowBits-1:0] rows_t;
  typedef logic [RowBits:0] limited_t;
  logic [28:0] text_rows_left;
  logic [12:0] aad_rows_left;
  limited_t text_limited_q, text_limited_d, aad_limited_q, aad_limited_d;
  assign text_rows_left = 29'(text_i[31:4]) + 29'(text_i[3:0] != '0);
  assign aad_rows_left = 13'(aad_i[15:4]) + 13'(aad_i[3:0] != '0);
  assign text_limited_d = |text_rows_left[28:RowBits] ? limited_t'(1 << RowBits) : limited_t'(text_rows_left);
  assign aad_limited_d = |aad_rows_left[12:RowBits] ? limited_t'(1 << RowBits) : limited_t'(aad_rows_left);

  // Associated data, and what they leave for text.
  logic fits, aad_full_q, aad_full_d;
  rows_t room_rows_q, room_rows_d, aad_rows_q, aad_rows_d;
  assign fits = (RowBits + 2)'(aad_limited_q) + (RowBits + 2)'(text_limited_q) <= (RowBits + 2)'(ChunkRows);
  assign aad_full_d = !fits && aad_i >= 16'(LongBytes);
  assign aad_rows_d = aad_full_d ? rows_t'(LongRows) : rows_t'(aad_limited_q);
  assign room_rows_d = rows_t'(fits ? ChunkRows : LongRows) - aad_rows_d;

  // Text.
  logic text_full, last;
  rows_t text_rows;
  assign text_full = text_limited_q > limited_t'(room_rows_q);
  assign text_rows = text_full ? room_rows_q : rows_t'(text_limited_q);
  assign last = !text_full && (!aad_full_q || aad_i == 16'(LongBytes));

  // ------------------------------------------------------------------------- job
  job_t job_q, job_d;
  logic aad_in, text_in, tag_in, text_full_q, restores;
  ring_row_t in_rows_q, in_rows_d, out_rows_q, out_rows_d;
  always_comb begin
    restores = operation_i.sets_key && operation_i.key_rows;
    job_d = '0;
    {job_d.aad_blocks, job_d.aad_bytes} = aad_full_q ? 11'(LongBytes) : aad_i[10:0];
    {job_d.text_blocks, job_d.text_bytes} = text_full ? {room_rows_q, 4'd0} : text_i[10:0];
    aad_in = aad_rows_q != '0;
    text_in = !control_i.inline_payload && (!operation_i.sets_key || restores) && text_rows != '0;
    tag_in = operation_i.checks_tag && last;
    job_d.first = first_i;
    job_d.last = last;
    job_d.text_out = !operation_i.mac && !operation_i.sets_key;
    job_d.tag_out = operation_i.makes_tag && last;
    job_d.restores = restores;
    job_d.written = operation_i.inline_key ? 2'd1 : '0;
    if (operation_i.sets_key) job_d.written = restores ? '0 : 2'd2;
    else if (control_i.inline_payload) job_d.written = text_rows[1:0];
    job_d.strings = 2'(aad_in) + 2'(text_in) + 2'(tag_in);

    // A packet is a whole message in one job, of at least two rows of text and at most one of associated data; a tag
    // that is checked has all its bytes.
    job_d.more = MoreJob;
    if (first_i && last && text_rows > rows_t'(1) && aad_rows_q <= rows_t'(1) &&
        (!operation_i.checks_tag || tag_i == 5'd16)) begin
      job_d.more = operation_i.takes_aad && !aad_in ? MoreNoAad : MorePacket;
    end
    if (!more_i) job_d.more = '0;
    if (restores) job_d.more = goes_on_i ? MoreKey : '0;
  end
  assign in_rows_d = ring_row_t'(HeadRows) + ring_row_t'(job_d.written) + ring_row_t'(aad_rows_q) +
                     (text_in ? ring_row_t'(text_rows) : '0) + ring_row_t'(tag_in);
  assign out_rows_d = (job_d.text_out ? ring_row_t'(text_rows) : '0) + ring_row_t'(job_d.tag_out);

  always_ff @(posedge clk_i) begin
    text_limited_q <= text_limited_d;
    aad_limited_q <= aad_limited_d;
    aad_full_q <= aad_full_d;
    aad_rows_q <= aad_rows_d;
    room_rows_q <= room_rows_d;
    job_q <= job_d;
    {aad_in_o, text_in_o, tag_in_o} <= {aad_in, text_in, tag_in};
    text_full_q <= text_full;
    in_rows_q <= in_rows_d;
    out_rows_q <= out_rows_d;
  end
  assign text_left_o = text_full_q ? {text_i[31:4] - 28'(job_q.text_blocks), text_i[3:0]} : '0;
  assign aad_left_o = aad_full_q ? aad_i - 16'(LongBytes) : '0;

  // ------------------------------------------------------------------------ space
  // One of the 256 rows stays free: in m2 for the next header, after the job; in m3 to tell full from empty.
  ring_row_t in_used, out_used, end_row_q;
  logic [8:0] in_sum, out_sum;
  logic [2:0] settles_q;
  logic settled;
  assign settled = !next_i && settles_q == '0;
  assign in_used = in_i - in_free_i;
  assign out_used = out_i - out_free_i;
  assign in_sum = 9'(in_used) + 9'(in_rows_q);
  assign out_sum = 9'(out_used) + 9'(out_rows_q);
  always_ff @(posedge clk_i) begin
    end_row_q <= in_i + in_rows_q;
    out_end_o <= out_i + out_rows_q;
    settles_q <= {settles_q[1:0], next_i};
    room_o <= settled && in_sum <= 9'd255 && out_sum <= 9'd255;
  end

  always_comb begin
    job_o = job_q;
    job_o.key = control_i.context_;
    job_o.tag = tag_i;
    job_o.slot = slot_i;
    job_o.end_row = end_row_q;
    job_o.list = control_i.scatter;
  end

endmodule
