// Unpacks rows into beats: a beat takes the next bytes of the string for its lanes. Bytes at the end of a row that are
// less than a beat are kept where they are in it, so that the next row can come; the places before them show that row.

module lutra_unpack
  import lutra_soc_pkg::*;
#(
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned Lanes = DATA_WIDTH / 8,
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  input  logic   row_valid_i,
  output logic   row_ready_o,
  input  row_t   row_i,

  input  logic [LaneBits-1:0] first_lane_i,
  input  logic [LaneBits-1:0] last_lane_i,
  input  logic   last_i,                       // of the string: what its row has left is dropped
  output logic   beat_valid_o,
  input  logic   beat_ready_i,                 // may depend on beat_valid_o
  output logic [Lanes-1:0][7:0] beat_o,        // zero in other lanes
  output logic [Lanes-1:0] strobe_o
);

  localparam int unsigned IndexBits = $clog2(RowBytes);

  localparam int unsigned FirstKept = RowBytes - Lanes + 1;

  logic [IndexBits-1:0] next_q, next_d;  // the next byte
  logic split_q, split_d;                // it is in the row before
  logic [RowBytes-1:FirstKept][7:0] kept_q, kept_d;

  logic [IndexBits:0] next;              // after the beat
  logic row_used, row_ends, keep, beat_taken;
  assign next = (IndexBits + 1)'(next_q) + (IndexBits + 1)'(last_lane_i) - (IndexBits + 1)'(first_lane_i)
      + (IndexBits + 1)'(1);
  assign row_used = !split_q || next > (IndexBits + 1)'(RowBytes);
  assign row_ends = !split_q && next[IndexBits];
  assign keep = (split_q == next[IndexBits]) && 32'(next[IndexBits-1:0]) >= FirstKept;
  assign beat_valid_o = row_valid_i || !row_used;
  assign beat_taken = beat_valid_o && beat_ready_i;
  assign row_ready_o = beat_taken && (last_i ? row_used : row_ends || keep);

  bytes_t row, shown, rotated;
  assign row = bytes_of(row_i);
  always_comb begin
    shown = row;
    for (int i = FirstKept; i < RowBytes; i++) if (split_q && i >= 32'(next_q)) shown[i] = kept_q[i];
  end
  lutra_rotate #(.Bytes(RowBytes)) u_rotate (
    .bytes_i(shown),
    .amount_i(next_q - IndexBits'(first_lane_i)),
    .bytes_o(rotated)
  );
  always_comb begin
    for (int i = 0; i < Lanes; i++) begin
      strobe_o[i] = i >= 32'(first_lane_i) && i <= 32'(last_lane_i);
      beat_o[i] = strobe_o[i] ? rotated[i] : '0;
    end
  end

  always_comb begin
    next_d = next_q;
    split_d = split_q;
    kept_d = kept_q;
    if (beat_taken) begin
      next_d = last_i ? '0 : next[IndexBits-1:0];
      split_d = !last_i && (keep || (split_q && !next[IndexBits]));
    end
    if (row_ready_o) kept_d = row[RowBytes-1:FirstKept];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q <= '0;
      split_q <= 1'b0;
    end else begin
      next_q <= next_d;
      split_q <= split_d;
    end
  end
  always_ff @(posedge clk_i) kept_q <= kept_d;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) in_order: assert (!beat_taken || first_lane_i <= last_lane_i) else $error("a beat without bytes");
  end
`endif

endmodule
