// A wipe, with one byte of a data memory and one of a table bank at any place: when it is over, both are zero, and no
// wipe takes longer than it may. Its requests are any; what the core and the host do to the two bytes is too.

module formal_wipe
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
(
  input logic  clk_i,
  input logic  rst_ni,
  input logic  wipe_i,
  input logic  escalate_i,
  input logic  running_i,
  input logic  faulted_i,
  input addr_t row_i,        // of the two bytes
  input logic  written_i,    // by the core or the host
  input logic [7:0] value_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb if (!started_q) reset_first: assume (!rst_ni);

  logic locked, data_rst_n;
  wipe_t wipe;
  logic both;
  addr_t count;
  lutra_wipe u_wipe (
    .clk_i,
    .rst_ni,
    .wipe_i,
    .escalate_i,
    .running_i,
    .faulted_i,
    .locked_o(locked),
    .data_rst_no(data_rst_n),
    .wipe_o(wipe),
    .both_o(both),
    .count_o(count)
  );

  // The bytes' place stays.
  addr_t row_q;
  always_ff @(posedge clk_i) row_q <= row_i;
  always_comb if (started_q) same_place: assume (row_i == row_q);
  always_comb there: assume (32'(row_i) < MemoryRows && 32'(row_i) < TableRows);

  // As lutra_memories has them; while the core is wiped nobody else writes.
  logic [7:0] memory_q, table_q;
  logic here;
  assign here = wipe.write && wipe.row == row_i;
  always_ff @(posedge clk_i) begin
    if (wipe.memories ? here : written_i && !wipe.busy) memory_q <= wipe.busy ? '0 : value_i;
    if (wipe.tables ? here : written_i && !wipe.busy) table_q <= wipe.busy ? '0 : value_i;
  end

  logic busy_q, locked_q, asked_q;
  logic [9:0] cycles_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      locked_q <= 1'b0;
      asked_q <= 1'b0;
      cycles_q <= '0;
    end else begin
      busy_q <= wipe.busy;
      locked_q <= locked;
      asked_q <= (escalate_i && !locked) || faulted_i || (wipe_i && !running_i && !wipe.busy);
      cycles_q <= wipe.busy && !((escalate_i && !locked) || faulted_i) ? cycles_q + 10'd1 : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      registers_cleared: assert (data_rst_n == !wipe.busy);
      swept: assert (!wipe.busy || wipe.write ? !(wipe.busy && wipe.row > row_i) || (memory_q == '0 && table_q == '0)
                                              : memory_q == '0 && table_q == '0);
      zeroed: assert (!(busy_q && !wipe.busy) || (memory_q == '0 && table_q == '0));
      in_time: assert (32'(cycles_q) <= 300);
      bounded: assert (32'(u_wipe.row_q) <= u_wipe.Last);
      counted: assert (!wipe.busy || 32'(cycles_q) == 32'(u_wipe.row_q));
      begins: assert (!asked_q || wipe.busy);
      sticky: assert (!locked_q || locked);
      ended: cover (busy_q && !wipe.busy);
    end
  end

endmodule
