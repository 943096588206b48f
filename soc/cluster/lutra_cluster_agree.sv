// Completions of a pair. Those of each core wait in a memory of its own, by their entry in the mailbox, so that a core
// never waits here for the other one. An entry leaves in its turn, when both cores have completed it; `differs_o` says
// that they did not do the same. After a difference one core is enough, which may be the only one that still works.

module lutra_cluster_agree
  import lutra_cluster_pkg::*;
  import lutra_layout_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,   // nothing is in the pair, and entries begin at 0
  input  logic busy_i,    // something is
  input  logic broken_i,  // a difference was found: sticky
  output logic found_o,   // one is found here

  // A core's completion, taken at once but for the cycle in which one leaves: its last half, then its first one.
  input  logic [1:0] done_valid_i,
  output logic [1:0] done_ready_o,
  input  logic [1:0] done_half_i,
  input  logic [1:0][63:0] done_data_i,
  input  job_t [1:0] done_index_i,

  output logic valid_o,
  input  logic ready_i,
  output logic half_o,
  output logic [63:0] data_o,
  output job_t index_o,
  output logic differs_o   // with the first half
);

  logic [1:0][Jobs-1:0] stored_q, stored_d;
  job_t index_q, index_d;
  logic half_q, half_d, shows_q, shows_d, differs_q, differs_d;  // shows: the half is at the outputs of the memories
  logic from_q, from_d;  // the core whose completion leaves
  logic [1:0] here;
  logic read, again;
  assign here = {stored_q[1][index_q], stored_q[0][index_q]};
  assign read = busy_i && !shows_q && (here == '1 || (here != '0 && (broken_i || !half_q)));
  assign done_ready_o = {2{!read}};

  logic [1:0][63:0] halves;
  for (genvar s = 0; s < 2; s++) begin : gen_core
    lutra_sram #(
      .Depth(2 * Jobs),
      .Width(64)
    ) u_sram (
      .clk_i,
      .req_i(read || done_valid_i[s]),
      .we_i(!read),
      .index_i(read ? {index_q, half_q} : {done_index_i[s], done_half_i[s]}),
      .wdata_i(done_data_i[s]),
      .rdata_o(halves[s])
    );
  end

  // Cycles may differ: they are in the upper word of the last half.
  logic same;
  assign same = halves[0][31:0] == halves[1][31:0] && (half_q || halves[0][63:32] == halves[1][63:32]);

  always_comb begin
    stored_d = stored_q;
    again = 1'b0;
    for (int s = 0; s < 2; s++) begin
      if (done_valid_i[s] && done_ready_o[s] && !done_half_i[s]) begin
        again |= stored_q[s][done_index_i[s]];
        stored_d[s][done_index_i[s]] = 1'b1;
      end
    end
    index_d = index_q;
    half_d = half_q;
    from_d = from_q;
    differs_d = differs_q;
    shows_d = read || (shows_q && !ready_i);
    if (read && half_q) begin
      from_d = !here[0];
      differs_d = here != '1;
    end
    if (shows_q && ready_i) begin
      half_d = !half_q;
      differs_d = differs_q || !same;
      if (!half_q) begin
        index_d = index_q + job_t'(1);
        stored_d[0][index_q] = 1'b0;
        stored_d[1][index_q] = 1'b0;
      end
    end
    if (clear_i) begin
      stored_d = '0;
      index_d = '0;
    end
  end
  assign valid_o = shows_q;
  assign half_o = half_q;
  assign data_o = halves[from_q];
  assign index_o = index_q;
  assign differs_o = broken_i || differs_q || !same;
  assign found_o = again || (shows_q && differs_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stored_q <= '0;
      index_q <= '0;
      half_q <= 1'b1;
      shows_q <= 1'b0;
    end else begin
      stored_q <= stored_d;
      index_q <= index_d;
      half_q <= half_d;
      shows_q <= shows_d;
    end
  end
  always_ff @(posedge clk_i) begin
    from_q <= from_d;
    differs_q <= differs_d;
  end

endmodule
