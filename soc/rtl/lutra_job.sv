// The next job of a message: how much of what is left of associated data and text goes into it, associated data first,
// and what it takes of m2 and m3.

module lutra_job
  import lutra_engine_pkg::*;
  import lutra_layout_pkg::*;
(
  input  descriptor_control_t control_i,
  input  operation_t operation_i,  // its entry: when the job is written
  input  logic [31:0] text_i,      // bytes left
  input  logic [15:0] aad_i,
  input  logic [4:0] tag_i,
  input  logic first_i,
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

  output job_t job_o,
  output logic [31:0] text_left_o,
  output logic [15:0] aad_left_o,
  // Strings of the source, in this order.
  output logic aad_in_o,
  output logic text_in_o,
  output logic tag_in_o
);

  localparam int unsigned LongBytes = 16 * LongRows;

  // ------------------------------------------------------------------------ bytes
  logic fits, aad_full, text_full, last;
  logic [6:0] aad_rows, room_rows, text_rows;
  logic [10:0] aad_bytes, text_bytes;
  logic [28:0] text_rows_left;
  assign fits = 29'(aad_i[15:4]) + 29'(aad_i[3:0] != '0) + text_rows_left <= 29'(ChunkRows);
  assign aad_full = !fits && aad_i >= 16'(LongBytes);
  assign aad_bytes = aad_full ? 11'(LongBytes) : aad_i[10:0];
  assign aad_rows = aad_bytes[10:4] + 7'(aad_bytes[3:0] != '0);
  assign aad_left_o = aad_full ? aad_i - 16'(LongBytes) : '0;

  assign room_rows = 7'(fits ? ChunkRows : LongRows) - aad_rows;
  assign text_rows_left = 29'(text_i[31:4]) + 29'(text_i[3:0] != '0);
  assign text_full = text_rows_left > 29'(room_rows);
  assign text_rows = text_full ? room_rows : text_rows_left[6:0];
  assign text_bytes = text_full ? {room_rows, 4'd0} : text_i[10:0];
  assign text_left_o = text_full ? {text_i[31:4] - 28'(room_rows), text_i[3:0]} : '0;
  assign last = !text_full && aad_left_o == '0;

  // ------------------------------------------------------------------------- rows
  logic text_out, tag_out, restores;
  logic [1:0] written;
  ring_row_t in_rows, out_rows, in_used, out_used;
  assign text_out = !operation_i.mac && !operation_i.sets_key;
  assign tag_out = operation_i.makes_tag && last;
  assign aad_in_o = aad_bytes != '0;
  assign restores = operation_i.sets_key && operation_i.key_rows;
  assign text_in_o = !control_i.inline_payload && (!operation_i.sets_key || restores) && text_bytes != '0;
  assign tag_in_o = operation_i.checks_tag && last;
  always_comb begin
    written = operation_i.inline_key ? 2'd1 : '0;
    if (operation_i.sets_key) written = restores ? '0 : 2'd2;
    else if (control_i.inline_payload) written = text_rows[1:0];
  end
  assign in_rows = ring_row_t'(HeadRows) + ring_row_t'(written) + ring_row_t'(aad_rows) +
                   (text_in_o ? ring_row_t'(text_rows) : '0) + ring_row_t'(tag_in_o);
  assign out_rows = (text_out ? ring_row_t'(text_rows) : '0) + ring_row_t'(tag_out);
  assign out_end_o = out_i + out_rows;

  // The row after the job, where the next header will be, has to be free too.
  assign in_used = in_i - in_free_i;
  assign out_used = out_i - out_free_i;
  assign room_o = 9'(in_used) + 9'(in_rows) < 9'd255 && 9'(out_used) + 9'(out_rows) < 9'd255;

  // A packet is a whole message in one job, of at least two rows of text and at most one of associated data; a tag that
  // is checked has all its bytes.
  logic packet;
  logic [2:0] shape;
  assign packet = first_i && last && text_rows > 7'd1 && aad_rows <= 7'd1 &&
                  (!operation_i.checks_tag || tag_i == 5'd16);
  always_comb begin
    shape = MoreJob;
    if (packet) shape = operation_i.takes_aad && !aad_in_o ? MoreNoAad : MorePacket;
  end

  always_comb begin
    job_o = '0;
    {job_o.text_blocks, job_o.text_bytes} = text_bytes;
    job_o.key = control_i.context_;
    job_o.more = more_i ? shape : '0;
    if (restores) job_o.more = goes_on_i ? MoreKey : '0;
    {job_o.aad_blocks, job_o.aad_bytes} = aad_bytes;
    job_o.first = first_i;
    job_o.last = last;
    job_o.tag = tag_i;
    job_o.entry = operation_i.entry;
    job_o.slot = slot_i;
    job_o.end_row = in_i + in_rows;
    job_o.strings = 2'(aad_in_o) + 2'(text_in_o) + 2'(tag_in_o);
    job_o.written = written;
    job_o.text_out = text_out;
    job_o.tag_out = tag_out;
    job_o.list = control_i.scatter;
    job_o.restores = restores;
  end

endmodule
