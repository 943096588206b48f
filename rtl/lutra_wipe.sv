// Zeroes all that a core has kept but its programs: registers by their reset, memories row by row (docs/faults.md).
//
// Registers are cleared by a reset that comes from a flip-flop, so that nothing is added to the way of data. All data
// memories and table banks are written at once, a row in a cycle. Then each is read while zeros go down the pipeline,
// whose registers take something in every cycle: neither they nor the outputs of the memories need a reset.

module lutra_wipe
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned MEMORY_ROWS = MemoryRows
) (
  input  logic  clk_i,
  input  logic  rst_ni,

  input  logic  wipe_i,      // the host's; only where no program runs
  input  logic  escalate_i,  // at any time, and for good
  input  logic  running_i,
  input  logic  faulted_i,   // the instruction that met a fault retires

  output logic  locked_o,
  output logic  data_rst_no, // of all registers but the host's view
  output wipe_t wipe_o,
  output logic  both_o,      // both registers say that it goes on (lutra_write_guard)
  output addr_t count_o
);

  localparam int unsigned Rows = MEMORY_ROWS > TableRows ? MEMORY_ROWS : TableRows;
  localparam int unsigned Last = Rows + StageWB[1];

  // Either of the two says so: one that is flipped does not unlock.
  logic locked_q, open_q, locked;
  assign locked = locked_q || !open_q;
  assign locked_o = locked;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      locked_q <= 1'b0;
      open_q <= 1'b1;
    end else begin
      locked_q <= locked || escalate_i;
      open_q <= !(locked || escalate_i);
    end
  end

  // So it is with the wipe itself, one of whose two is the registers' reset.
  logic busy_q, busy_d, busy, clear_nq, begins;
  addr_t row_q, row_d;
  assign busy = busy_q || !clear_nq;
  assign begins = (escalate_i && !locked) || faulted_i || (wipe_i && !running_i && !busy);
  assign busy_d = begins || (busy && 32'(row_q) != Last);
  assign row_d = begins || !busy_d ? '0 : row_q + addr_t'(busy);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b1;
      clear_nq <= 1'b0;
      row_q <= '0;
    end else begin
      busy_q <= busy_d;
      clear_nq <= !busy_d;
      row_q <= row_d;
    end
  end

  assign data_rst_no = clear_nq;
  assign both_o = busy_q && !clear_nq;
  assign count_o = row_q;
  always_comb begin
    wipe_o = '{busy: busy, write: 32'(row_q) < Rows, row: row_q, default: '0};
    if (!wipe_o.write) wipe_o.row = '0;
    wipe_o.memories = busy && 32'(wipe_o.row) < MEMORY_ROWS;
    wipe_o.tables = busy && 32'(wipe_o.row) < TableRows;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) cleared: assert (clear_nq == !busy_q) else $error("registers are not cleared while the core is wiped");
  end
`endif

endmodule
