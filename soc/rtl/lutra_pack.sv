// Packs the bytes of beats into rows. Each beat has bytes in some of its lanes; a string begins with a new row, and
// zeros follow its last byte.
//
// The bytes of a row that is not complete are kept where they belong in it. A beat that completes a row goes on to the
// row's register, and what it has for the next row is kept.

module lutra_pack
  import lutra_soc_pkg::*;
#(
  parameter int unsigned DATA_WIDTH = 64,
  localparam int unsigned Lanes = DATA_WIDTH / 8,
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  input  logic   beat_valid_i,              // is taken where beat_ready_o is set
  output logic   beat_ready_o,              // does not depend on the beat
  input  logic [Lanes-1:0][7:0] beat_i,
  input  logic   zero_i,                    // instead of what is in the beat
  input  logic [LaneBits-1:0] first_lane_i,
  input  logic [LaneBits-1:0] last_lane_i,
  input  logic   last_i,                    // of the string
  input  fault_e fault_i,

  output logic   row_valid_o,
  input  logic   row_ready_i,
  output row_t   row_o,
  output logic   row_last_o,
  output fault_e row_fault_o                // the first of the string so far
);

  localparam int unsigned IndexBits = $clog2(RowBytes);

  // Bytes kept; with flush_q the string has ended, and they are its last row.
  logic [IndexBits-1:0] fill_q, fill_d;
  bytes_t kept_q, kept_d;
  logic flush_q, flush_d;
  fault_e fault_q, fault_d;

  logic row_valid_q, row_valid_d, row_last_q, row_last_d;
  bytes_t row_q, row_d;
  fault_e row_fault_q, row_fault_d;

  // On a bus of 64 bits the register may be empty for a cycle between two rows, for less than half a row is kept after
  // one. So what takes the rows, which is the core's port, is not in the path to RREADY.
  logic row_free, beat_taken;
  assign row_free = !row_valid_q || (Lanes == RowBytes && row_ready_i);
  assign beat_ready_o = !flush_q && (row_free || (Lanes < RowBytes && !fill_q[IndexBits-1]));
  assign beat_taken = beat_valid_i && beat_ready_o;

  logic [Lanes-1:0][7:0] rotated;
  lutra_rotate #(.Bytes(Lanes)) u_rotate (
    .bytes_i(flush_q || zero_i ? '0 : beat_i),
    .amount_i(first_lane_i - fill_q[LaneBits-1:0]),
    .bytes_o(rotated)
  );

  logic [IndexBits:0] fill;  // with the beat
  assign fill = (IndexBits + 1)'(fill_q) + (IndexBits + 1)'(last_lane_i) - (IndexBits + 1)'(first_lane_i)
      + (IndexBits + 1)'(1);

  always_comb begin
    fill_d = fill_q;
    kept_d = kept_q;
    flush_d = flush_q;
    fault_d = fault_q;
    row_valid_d = row_valid_q && !row_ready_i;
    row_d = row_q;
    row_last_d = row_last_q;
    row_fault_d = row_fault_q;

    if (beat_taken) begin
      fill_d = fill[IndexBits-1:0];
      if (fault_q == FaultNone) fault_d = fault_i;
      flush_d = last_i && fill_d != '0;
      for (int i = 0; i < RowBytes; i++) begin
        if (i >= 32'(fill_q) || fill[IndexBits]) kept_d[i] = rotated[i%Lanes];
      end
    end

    if ((beat_taken && fill[IndexBits]) || (flush_q && row_free)) begin
      row_valid_d = 1'b1;
      for (int i = 0; i < RowBytes; i++) begin
        row_d[i] = rotated[i%Lanes];
        if (i < 32'(fill_q)) row_d[i] = kept_q[i];
      end
      row_last_d = flush_q || (last_i && fill_d == '0);
      row_fault_d = fault_d;
      if (row_last_d) begin
        fill_d = '0;
        flush_d = 1'b0;
        fault_d = FaultNone;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q <= '0;
      flush_q <= 1'b0;
      fault_q <= FaultNone;
      row_valid_q <= 1'b0;
    end else begin
      fill_q <= fill_d;
      flush_q <= flush_d;
      fault_q <= fault_d;
      row_valid_q <= row_valid_d;
    end
  end
  always_ff @(posedge clk_i) begin
    kept_q <= kept_d;
    row_q <= row_d;
    row_last_q <= row_last_d;
    row_fault_q <= row_fault_d;
  end

  assign row_valid_o = row_valid_q;
  assign row_o = row_of(row_q);
  assign row_last_o = row_last_q;
  assign row_fault_o = row_fault_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      in_order: assert (!beat_taken || first_lane_i <= last_lane_i) else $error("a beat without bytes");
      not_lost: assert (!(beat_taken && fill[IndexBits]) || row_free) else $error("a row is overwritten");
    end
  end
`endif

endmodule
