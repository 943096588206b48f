// Writes of one AXI4 interface that wait for data or for their response, for lutra_axi_checker. Data come in the order
// of the addresses (IHI 0022 issue H.c, A5.2.2) but may precede them; beats ahead of their address are kept until it
// comes, and are judged then.

module lutra_axi_writes #(
  parameter int unsigned DATA_WIDTH = 64,
  parameter int unsigned ID_WIDTH = 3,
  parameter int unsigned MAX_WRITES = 16,
  parameter int unsigned MAX_AHEAD = 64
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  // Handshakes of the three channels.
  input logic                    aw_i,
  input logic [ID_WIDTH-1:0]     awid_i,
  input logic [6:0]              awaddr_i,
  input logic [7:0]              awlen_i,
  input logic [2:0]              awsize_i,
  input logic [1:0]              awburst_i,
  input logic                    awlock_i,
  input logic                    w_i,
  input logic [DATA_WIDTH/8-1:0] wstrb_i,
  input logic                    wlast_i,
  input logic                    b_i,
  input logic [ID_WIDTH-1:0]     bid_i,
  // About the oldest write with the response's ID.
  output logic b_known_o,
  output logic b_complete_o,
  output logic b_exclusive_o,
  // About the data that meet their address in this cycle.
  output logic last_in_time_o,
  output logic last_not_early_o,
  output logic strobes_right_o,
  // Room for one more address, and for the data.
  output logic write_room_o,
  output logic data_room_o,
  // A write has its address but not all its data; all its data but not its response.
  output logic w_wanted_o,
  output logic b_wanted_o
);

  localparam int unsigned Bytes = DATA_WIDTH / 8;
  localparam logic [1:0] Fixed = 2'd0, Wrap = 2'd2;
  typedef logic [6:0] lane_t;
  localparam lane_t LaneMask = lane_t'(Bytes - 1);

  // The oldest first.
  typedef struct packed {
    logic [ID_WIDTH-1:0] id;
    lane_t               start;
    logic [7:0]          len;
    logic [2:0]          size;
    logic [1:0]          burst;
    logic                lock;
    logic                done;  // all data were accepted
  } write_t;
  // The byte lanes of a beat (A3.4.1, burst address).
  function automatic logic [Bytes-1:0] byte_lanes(write_t x, logic [7:0] beat);
    logic [15:0] first, container;
    first = 16'(x.start);
    if (beat != 8'd0 && x.burst != Fixed) first = (first >> x.size << x.size) + (16'(beat) << x.size);
    container = ((16'(x.len) + 16'd1) << x.size) - 16'd1;
    if (x.burst == Wrap) first = (first & container) | (16'(x.start) & ~container);
    first = first & 16'(LaneMask);
    for (int unsigned i = 0; i < Bytes; i++) byte_lanes[i] = 16'(i) >= first && 16'(i) >> x.size == first >> x.size;
  endfunction

  typedef logic [$clog2(MAX_WRITES+2)-1:0] write_count_t;
  write_t [MAX_WRITES:0] writes_q, writes_d;
  write_count_t write_count_q, write_count_d;
  logic [7:0] beat_q, beat_d;

  typedef struct packed {
    logic [Bytes-1:0] strb;
    logic             last;
  } beat_t;
  typedef logic [$clog2(MAX_AHEAD+2)-1:0] ahead_count_t;
  beat_t [MAX_AHEAD:0] ahead_q, ahead_d, data;
  ahead_count_t ahead_count_q, ahead_count_d, data_count;

  write_count_t b_at;
  always_comb begin
    b_known_o = 1'b0;
    b_at = '0;
    w_wanted_o = 1'b0;
    b_wanted_o = 1'b0;
    for (int i = MAX_WRITES - 1; i >= 0; i--) begin
      if (i < 32'(write_count_q)) begin
        if (writes_q[i].done) b_wanted_o = 1'b1;
        else w_wanted_o = 1'b1;
        if (writes_q[i].id == bid_i) begin
          b_known_o = 1'b1;
          b_at = write_count_t'(i);
        end
      end
    end
  end
  assign b_complete_o = writes_q[b_at].done;
  assign b_exclusive_o = writes_q[b_at].lock;
  assign write_room_o = 32'(write_count_q) < MAX_WRITES || (b_i && b_known_o);
  assign data_room_o = !w_i || 32'(ahead_count_q) < MAX_AHEAD || aw_i;

  // The response takes its write away, the address adds one, and the first write that lacks data gets them.
  write_t [MAX_WRITES:0] listed;
  write_count_t current_at;
  logic current_found;
  always_comb begin
    listed = writes_q;
    write_count_d = write_count_q;
    if (b_i && b_known_o) begin
      for (int i = 0; i < MAX_WRITES; i++) if (i >= 32'(b_at)) listed[i] = listed[i+1];
      write_count_d = write_count_d - 1'b1;
    end
    if (aw_i && write_room_o) begin
      listed[write_count_d] = '{awid_i, awaddr_i & LaneMask, awlen_i, awsize_i, awburst_i, awlock_i, 1'b0};
      write_count_d = write_count_d + 1'b1;
    end
    current_found = 1'b0;
    current_at = '0;
    for (int i = MAX_WRITES - 1; i >= 0; i--) begin
      if (i < 32'(write_count_d) && !listed[i].done) begin
        current_found = 1'b1;
        current_at = write_count_t'(i);
      end
    end

    data = ahead_q;
    data_count = ahead_count_q;
    if (w_i && data_room_o) begin
      data[ahead_count_q] = '{wstrb_i, wlast_i};
      data_count = ahead_count_q + 1'b1;
    end

    writes_d = listed;
    beat_d = beat_q;
    ahead_d = data;
    ahead_count_d = data_count;
    strobes_right_o = 1'b1;
    last_in_time_o = 1'b1;
    last_not_early_o = 1'b1;
    if (current_found) begin
      for (int i = 0; i <= MAX_AHEAD; i++) begin
        if (i < 32'(data_count) && !writes_d[current_at].done) begin
          if ((data[i].strb & ~byte_lanes(listed[current_at], beat_d)) != '0) strobes_right_o = 1'b0;
          if (beat_d == listed[current_at].len) begin
            if (!data[i].last) last_in_time_o = 1'b0;
            writes_d[current_at].done = 1'b1;
            beat_d = '0;
          end else begin
            if (data[i].last) last_not_early_o = 1'b0;
            beat_d = beat_d + 8'd1;
          end
          ahead_d = ahead_d >> $bits(beat_t);
          ahead_count_d = ahead_count_d - 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      writes_q <= '0;
      write_count_q <= '0;
      beat_q <= '0;
      ahead_q <= '0;
      ahead_count_q <= '0;
    end else begin
      writes_q <= writes_d;
      write_count_q <= write_count_d;
      beat_q <= beat_d;
      ahead_q <= ahead_d;
      ahead_count_q <= ahead_count_d;
    end
  end

endmodule
