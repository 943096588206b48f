// Fetches descriptors of the ring, ahead of their places in cores, and counts them.

module lutra_cluster_fetch
  import lutra_cluster_pkg::*;
  import lutra_layout_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Registers.
  input  logic enable_i,
  input  logic [3:0] log2_i,
  input  logic [15:0] tail_i,
  input  logic [15:0] posted_i,  // completions that the host may have seen
  input  logic [ADDR_WIDTH-1:0] base_i,
  output logic clear_o,       // counts begin at 0
  output logic idle_o,
  output logic stopped_o,
  output logic [3:0] reason_o,
  output logic stops_o,       // an event

  input  logic elsewhere_i,   // packets are in flight elsewhere
  input  logic lost_i,        // completions cannot be written

  output logic request_valid_o,
  input  logic request_ready_i,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  input  logic response_valid_i,
  input  logic [63:0] response_data_i,
  input  logic response_error_i,
  input  logic response_last_i,

  // The oldest descriptor, read by rows until it is popped.
  output logic valid_o,
  output logic more_o,        // there is one behind it
  input  logic read_i,
  input  logic [1:0] read_row_i,
  output logic read_grant_o,
  output line_t line_o,
  input  logic pop_i          // what is read in this cycle is of the one behind it
);

  logic [15:0] fetch_q, fetch_d;            // descriptors asked for
  logic [$clog2(Ahead):0] asked_q, asked_d, stored_q, stored_d;
  ahead_t in_q, in_d, out_q, out_d;
  logic [2:0] beat_q, beat_d;
  logic [63:0] low_q, low_d;
  logic draining_q, draining_d, stopped_q, stopped_d, error_q, error_d, asking_q, asking_d;
  logic [3:0] reason_q, reason_d;

  logic [15:0] size;
  logic runs, ahead, want, granted, failed, done, write;
  assign size = 16'd1 << log2_i;
  assign runs = enable_i && !draining_q && !stopped_q;
  assign ahead = runs && 16'(tail_i - posted_i) > size;
  assign want = runs && !ahead && tail_i != fetch_q && 32'(asked_q) + 32'(stored_q) < Ahead;
  // Once asked for, it is asked for until the port takes it.
  assign request_valid_o = asking_q;
  assign request_address_o = base_i + ADDR_WIDTH'({fetch_q & (size - 16'd1), 6'd0});
  assign granted = asking_q && request_ready_i;
  assign asking_d = asking_q ? !request_ready_i : want;

  assign done = response_valid_i && response_last_i;
  assign failed = done && (error_q || response_error_i);
  // An error stops the ring, so data behind it are not used.
  assign write = response_valid_i && beat_q[0] && !stopped_q;

  ahead_t out_next;
  assign out_next = out_q + ahead_t'(1);
  lutra_sram #(
    .Depth(Ahead * JobRows),
    .Width(128)
  ) u_sram (
    .clk_i,
    .req_i(write || read_i),
    .we_i(write),
    .index_i(write ? {in_q, beat_q[2:1]} : {pop_i ? out_next : out_q, read_row_i}),
    .wdata_i({response_data_i, low_q}),
    .rdata_o(line_o)
  );
  assign read_grant_o = !write;
  assign valid_o = stored_q != '0;
  assign more_o = stored_q > 5'd1;

  logic kept;
  assign kept = done && !failed && !stopped_q;
  assign idle_o = asked_q == '0 && stored_q == '0 && !asking_q && !elsewhere_i && !want;
  assign clear_o = draining_q && idle_o;

  always_comb begin
    fetch_d = fetch_q + 16'(granted);
    asked_d = asked_q + 5'(granted) - 5'(done);
    stored_d = stored_q + 5'(kept) - 5'(pop_i);
    in_d = in_q + ahead_t'(kept);
    out_d = pop_i ? out_next : out_q;
    beat_d = done ? '0 : beat_q + 3'(response_valid_i);
    low_d = response_valid_i && !beat_q[0] ? response_data_i : low_q;
    error_d = done ? 1'b0 : error_q || (response_valid_i && response_error_i);
    draining_d = !enable_i || (draining_q && !clear_o);
    stopped_d = stopped_q;
    reason_d = reason_q;
    stops_o = !stopped_q && (failed || ahead || lost_i);
    if (stops_o) begin
      stopped_d = 1'b1;
      if (lost_i) reason_d = StatusWriteError;
      else reason_d = failed ? StatusReadError : StatusBadDescriptor;
    end
    if (clear_o) begin
      fetch_d = '0;
      stopped_d = 1'b0;
      reason_d = StatusOk;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_q <= '0;
      asked_q <= '0;
      stored_q <= '0;
      in_q <= '0;
      out_q <= '0;
      beat_q <= '0;
      draining_q <= 1'b1;
      stopped_q <= 1'b0;
      error_q <= 1'b0;
      asking_q <= 1'b0;
      reason_q <= StatusOk;
    end else begin
      fetch_q <= fetch_d;
      asked_q <= asked_d;
      stored_q <= stored_d;
      in_q <= in_d;
      out_q <= out_d;
      beat_q <= beat_d;
      draining_q <= draining_d;
      stopped_q <= stopped_d;
      error_q <= error_d;
      asking_q <= asking_d;
      reason_q <= reason_d;
    end
  end
  always_ff @(posedge clk_i) low_q <= low_d;

  assign stopped_o = stopped_q;
  assign reason_o = reason_q;

endmodule
