// Unpacks rows into beats: a beat takes the next bytes of the string for its lanes. The bytes of a row that no beat has
// taken yet are kept where they are in it; the places before them show the next row.

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

  logic [IndexBits-1:0] next_q, next_d;  // the first byte that is kept; 0: none is
  bytes_t kept_q, kept_d;

  logic row_needed, beat_taken;
  logic [IndexBits:0] next;              // after the beat
  assign next = (IndexBits + 1)'(next_q) + (IndexBits + 1)'(last_lane_i) - (IndexBits + 1)'(first_lane_i)
      + (IndexBits + 1)'(1);
  assign row_needed = next_q == '0 || next > (IndexBits + 1)'(RowBytes);
  assign beat_valid_o = row_valid_i || !row_needed;
  assign beat_taken = beat_valid_o && beat_ready_i;
  assign row_ready_o = beat_taken && row_needed;

  bytes_t row, shown, rotated;
  assign row = bytes_of(row_i);
  always_comb begin
    for (int i = 0; i < RowBytes; i++) shown[i] = next_q == '0 || i < 32'(next_q) ? row[i] : kept_q[i];
  end
  lutra_rotate #(.Bytes(RowBytes)) i_rotate (
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
    if (beat_taken) next_d = last_i ? '0 : next[IndexBits-1:0];
    kept_d = row_ready_o ? row : kept_q;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) next_q <= '0;
    else next_q <= next_d;
  end
  always_ff @(posedge clk_i) kept_q <= kept_d;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) in_order: assert (!beat_taken || first_lane_i <= last_lane_i) else $error("a beat without bytes");
  end
`endif

endmodule
