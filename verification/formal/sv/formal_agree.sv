// Completions of a pair: lutra_cluster_agree. Each core may complete any entry at any time, several times or half of it,
// as a core with a fault does. One entry, whichever, is watched.

module formal_agree
  import lutra_cluster_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input job_t watched_i,
  input logic clear_i,
  input logic busy_i,
  input logic broken_i,
  input logic [1:0] done_valid_i,
  input logic [1:0] done_half_i,
  input logic [1:0][63:0] done_data_i,
  input job_t [1:0] done_index_i,
  input logic ready_i
);

  logic found, valid, half, differs;
  logic [1:0] done_ready;
  logic [63:0] data;
  job_t index;
  lutra_cluster_agree u_agree (
    .clk_i, .rst_ni, .clear_i, .busy_i, .broken_i,
    .found_o(found),
    .done_valid_i,
    .done_ready_o(done_ready),
    .done_half_i, .done_data_i, .done_index_i,
    .valid_o(valid),
    .ready_i,
    .half_o(half),
    .data_o(data),
    .index_o(index),
    .differs_o(differs)
  );

  // ---------------------------------------------------------------- what the cores completed, and what has left
  logic started_q = 1'b0;
  job_t watched_q, left_q;
  logic broken_q, found_q, waited_q;
  logic [1:0] complete_q, written_q[2];  // of the watched entry: completed; by half and core, whether it was ever written
  logic [1:0] read_written_q[2];                // the same when a half was read
  logic [1:0][63:0] written_data_q[2], read_data_q[2];
  logic [1:0] taken, of_watched;
  logic leaves, reads;
  assign taken = done_valid_i & done_ready;
  assign of_watched = taken & {done_index_i[1] == watched_i, done_index_i[0] == watched_i};
  assign leaves = valid && ready_i && !half;
  assign reads = done_ready != '1;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    watched_q <= watched_i;
    for (int h = 0; h < 2; h++) begin
      for (int s = 0; s < 2; s++) if (of_watched[s] && done_half_i[s] == h[0]) written_data_q[h][s] <= done_data_i[s];
      if (reads && half == h[0]) begin
        read_data_q[h] <= written_data_q[h];
        read_written_q[h] <= written_q[h];
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      complete_q <= '0;
      written_q[0] <= '0;
      written_q[1] <= '0;
      {broken_q, found_q, waited_q} <= '0;
    end else begin
      left_q <= clear_i ? '0 : left_q + job_t'(leaves);
      complete_q <= clear_i ? '0 : (complete_q | (of_watched & ~done_half_i)) & ~{2{leaves && index == watched_i}};
      for (int h = 0; h < 2; h++) begin
        for (int s = 0; s < 2; s++) if (of_watched[s] && done_half_i[s] == h[0]) written_q[h][s] <= 1'b1;
      end
      {broken_q, found_q} <= {broken_i, found};
      waited_q <= (done_valid_i & ~done_ready) != '0;
    end
  end

  // ---------------------------------------------------------------- assumptions
  always_comb begin
    if (!started_q) reset_first: assume (!rst_ni);
    else constant: assume (watched_i == watched_q);
    at_rest: assume (!clear_i || (!busy_i && !valid && half));
    broken_is_sticky: assume (clear_i || !(broken_q || found_q) || broken_i);
  end

  // ---------------------------------------------------------------- what leaves
  logic watched, both_wrote, from_wrote;
  assign watched = valid && index == watched_i;
  assign both_wrote = read_written_q[1] == '1;  // a last half, since the reset
  assign from_wrote = read_written_q[half][u_agree.from_q];
  always_comb if (rst_ni) begin
    in_turn: assert (index == left_q);
    last_half_first: assert (!leaves || !u_agree.half_q);
    of_both: assert (!watched || half || differs || complete_q == '1);
    waits_for_both: assert (!reads || !half || index != watched_i || complete_q == '1 || broken_i);
    one_is_enough: assert (!watched || half || complete_q != '0);
    alike: assert (!watched || half || differs || !both_wrote ||
                   (read_data_q[0][0] == read_data_q[0][1] && read_data_q[1][0][31:0] == read_data_q[1][1][31:0]));
    as_completed: assert (!watched || !from_wrote || data == read_data_q[half][u_agree.from_q]);
    from_one_that_did: assert (!watched || half || complete_q[u_agree.from_q]);
    waits_a_cycle: assert (!waited_q || done_ready == '1);
    difference_is_found: assert (!watched || half || !differs || found);
    twice_is_found: assert (((of_watched & ~done_half_i) & complete_q) == '0 || found);
    another_core: cover (watched && !half && complete_q == 2'b10);
    out_of_order: cover (complete_q == '1 && !valid && busy_i && left_q != watched_i);
    no_difference: cover (leaves && index == watched_i && !differs && complete_q == '1 && both_wrote);
    a_difference: cover (leaves && index == watched_i && differs && complete_q == '1 && !broken_i);

    // Invariants that the induction needs.
    complete_kept: assert (complete_q == {u_agree.stored_q[1][watched_i], u_agree.stored_q[0][watched_i]});
    begun: assert (half || index != watched_i || (complete_q[u_agree.from_q] && (u_agree.differs_q || complete_q == '1)));
    begins: assert (!watched || (complete_q[u_agree.from_q] && (u_agree.differs_q || complete_q == '1)));
    at_output: assert (!watched || !read_written_q[half][0] || u_agree.halves[0] == read_data_q[half][0]);
    at_output_too: assert (!watched || !read_written_q[half][1] || u_agree.halves[1] == read_data_q[half][1]);
    last_alike: assert (half || index != watched_i || u_agree.differs_q || !both_wrote ||
                        read_data_q[1][0][31:0] == read_data_q[1][1][31:0]);
    first_read: assert (!watched || half || u_agree.differs_q || read_written_q[0] == '1);
    first_written: assert ((complete_q & ~written_q[0]) == '0);
    first_kept: assert (!written_q[0][0] || u_agree.gen_core[0].u_sram.mem_q[{watched_i, 1'b0}] == written_data_q[0][0]);
    first_kept_too: assert (!written_q[0][1] ||
                            u_agree.gen_core[1].u_sram.mem_q[{watched_i, 1'b0}] == written_data_q[0][1]);
    last_kept: assert (!written_q[1][0] || u_agree.gen_core[0].u_sram.mem_q[{watched_i, 1'b1}] == written_data_q[1][0]);
    last_kept_too: assert (!written_q[1][1] ||
                           u_agree.gen_core[1].u_sram.mem_q[{watched_i, 1'b1}] == written_data_q[1][1]);
  end
endmodule
