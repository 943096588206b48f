// Mailbox of a core: the descriptors of its ring 1, in a memory of the cluster, and how far the core is with them.
// Entries are given out in order. Keys come later than packets that need them, so an entry is for the core to see when
// it and all before it are filled.

module lutra_cluster_mailbox
  import lutra_cluster_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,   // the core's ring begins at 0; nothing is in flight

  // Entries.
  input  logic [1:0] take_i,  // how many
  input  entry_t [1:0] entry_i,
  output logic room_o,        // for two
  output job_t next_o,
  output logic idle_o,
  output work_t work_o,

  // Rows.
  input  logic write_i,
  input  job_row_t row_i,
  input  line_t line_i,
  input  logic [1:0] filled_valid_i,
  input  job_t [1:0] filled_i,
  input  logic bad_i,         // the entry after filled_i[1] is a job that no core does, for want of a key

  // Doorbell.
  output logic [15:0] tail_o,
  output logic ring_o,    // the core was told another one
  input  logic rung_i,    // now it was told tail_o

  // The core reads: a row that stays until the next one is read.
  input  logic read_i,
  input  job_row_t read_row_i,
  output logic read_grant_o,
  output line_t line_o,

  // And completes, in order.
  input  job_t done_index_i,
  output entry_t done_entry_o,
  output logic done_bad_o,
  input  logic done_i
);

  logic [15:0] tail_q, tail_d, rung_q, rung_d;
  job_t next_q, next_d;
  logic [$clog2(Jobs):0] used_q, used_d;
  logic [Jobs-1:0] filled_q, filled_d, bad_q, bad_d;
  entry_t [Jobs-1:0] entries_q, entries_d;
  work_t work_q, work_d;

  // The core counts a completion when the tap has answered its last write, which may be later than here: its doorbell is
  // not to run ahead of that count.
  assign room_o = 32'(used_q) <= Jobs - 2 - Unanswered;
  assign next_o = next_q;
  assign idle_o = used_q == '0;
  assign work_o = work_q;
  assign done_entry_o = entries_q[done_index_i];
  assign done_bad_o = bad_q[done_index_i];

  logic seen;  // an entry goes to the core
  assign seen = filled_q[tail_q[$bits(job_t)-1:0]];

  always_comb begin
    entries_d = entries_q;
    bad_d = bad_q;
    if (bad_i) bad_d[filled_i[1]+job_t'(1)] = 1'b1;
    work_d = work_q;
    for (int i = 0; i < 2; i++) begin
      if (32'(take_i) > i) begin
        entries_d[next_q+job_t'(i)] = entry_i[i];
        work_d += entry_i[i].work;
      end
    end
    if (done_i) begin
      work_d -= done_entry_o.work;
      bad_d[done_index_i] = 1'b0;
    end
    next_d = next_q + job_t'(take_i);
    used_d = used_q + 5'(take_i) - 5'(done_i);
    filled_d = filled_q;
    for (int i = 0; i < 2; i++) if (filled_valid_i[i]) filled_d[filled_i[i]] = 1'b1;
    if (seen) filled_d[tail_q[$bits(job_t)-1:0]] = 1'b0;
    tail_d = tail_q + 16'(seen);
    rung_d = rung_i ? tail_q : rung_q;
    if (clear_i) begin
      next_d = '0;
      tail_d = '0;
      rung_d = '0;
    end
  end
  assign tail_o = tail_q;
  assign ring_o = rung_q != tail_q;

  lutra_sram #(
    .Depth(Jobs * JobRows),
    .Width(128)
  ) u_sram (
    .clk_i,
    .req_i(write_i || read_i),
    .we_i(write_i),
    .index_i(write_i ? row_i : read_row_i),
    .wdata_i(line_i),
    .rdata_o(line_o)
  );
  assign read_grant_o = !write_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q <= '0;
      rung_q <= '0;
      next_q <= '0;
      used_q <= '0;
      filled_q <= '0;
      bad_q <= '0;
      work_q <= '0;
    end else begin
      tail_q <= tail_d;
      rung_q <= rung_d;
      next_q <= next_d;
      used_q <= used_d;
      filled_q <= filled_d;
      bad_q <= bad_d;
      work_q <= work_d;
    end
  end
  always_ff @(posedge clk_i) entries_q <= entries_d;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      has_room: assert (take_i == '0 || room_o) else $error("more jobs than entries");
      in_use: assert (!done_i || used_q != '0) else $error("a completion of no job");
    end
  end
`endif

endmodule
