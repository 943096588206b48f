// Checks one AXI4 interface against the protocol: bind it to the signals of the interface, on either side of it. The
// clauses are those of Arm IHI 0022, AMBA AXI and ACE Protocol Specification, issue H.c.
//
// Every rule is an immediate assertion, so that simulators and Yosys read them alike. In a proof one side is assumed to
// keep its rules (ASSUME_MANAGER, ASSUME_SUBORDINATE), and the other side's are proven; a simulator checks both.
// That the responses of one ID are in the order of its addresses shows in their number of beats and in EXOKAY only;
// compare data where the order of responses matters.

`include "lutra_axi_rule.svh"

module lutra_axi_checker #(
  parameter int unsigned ADDR_WIDTH = 40,
  parameter int unsigned DATA_WIDTH = 64,
  parameter int unsigned ID_WIDTH = 3,
  parameter int unsigned MAX_WRITES = 16,  // accepted addresses that wait for their response
  parameter int unsigned MAX_READS = 16,
  parameter int unsigned MAX_AHEAD = 64,   // accepted data that wait for their address, in beats
  parameter int unsigned TIMEOUT = 0,      // cycles that one side may let the other wait; 0: any number
  parameter bit EXCLUSIVE = 1'b1,          // 0: the manager makes no exclusive accesses
  parameter bit ASSUME_MANAGER = 1'b0,
  parameter bit ASSUME_SUBORDINATE = 1'b0
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    awvalid_i,
  input logic                    awready_i,
  input logic [ID_WIDTH-1:0]     awid_i,
  input logic [ADDR_WIDTH-1:0]   awaddr_i,
  input logic [7:0]              awlen_i,
  input logic [2:0]              awsize_i,
  input logic [1:0]              awburst_i,
  input logic                    awlock_i,
  input logic [3:0]              awcache_i,
  input logic [2:0]              awprot_i,
  input logic [3:0]              awqos_i,
  input logic [3:0]              awregion_i,
  input logic                    wvalid_i,
  input logic                    wready_i,
  input logic [DATA_WIDTH-1:0]   wdata_i,
  input logic [DATA_WIDTH/8-1:0] wstrb_i,
  input logic                    wlast_i,
  input logic                    bvalid_i,
  input logic                    bready_i,
  input logic [ID_WIDTH-1:0]     bid_i,
  input logic [1:0]              bresp_i,
  input logic                    arvalid_i,
  input logic                    arready_i,
  input logic [ID_WIDTH-1:0]     arid_i,
  input logic [ADDR_WIDTH-1:0]   araddr_i,
  input logic [7:0]              arlen_i,
  input logic [2:0]              arsize_i,
  input logic [1:0]              arburst_i,
  input logic                    arlock_i,
  input logic [3:0]              arcache_i,
  input logic [2:0]              arprot_i,
  input logic [3:0]              arqos_i,
  input logic [3:0]              arregion_i,
  input logic                    rvalid_i,
  input logic                    rready_i,
  input logic [ID_WIDTH-1:0]     rid_i,
  input logic [DATA_WIDTH-1:0]   rdata_i,
  input logic [1:0]              rresp_i,
  input logic                    rlast_i
);

  localparam int unsigned Bytes = DATA_WIDTH / 8;
  localparam logic [1:0] Fixed = 2'd0, Incr = 2'd1, Wrap = 2'd2;
  localparam logic [1:0] Okay = 2'd0, ExOkay = 2'd1;
  // Table A4-5, in which all codes with bit 1 and the first two are used.
  localparam logic [15:0] MemoryTypes = 16'b1100_1100_1100_1111;

  if (!(DATA_WIDTH inside {8, 16, 32, 64, 128, 256, 512, 1024})) begin : gen_width
    $error("DATA_WIDTH must be 8, 16, ... or 1024");
  end

  typedef struct packed {
    logic [ID_WIDTH-1:0]   id;
    logic [ADDR_WIDTH-1:0] addr;
    logic [7:0]            len;
    logic [2:0]            size;
    logic [1:0]            burst;
    logic                  lock;
    logic [3:0]            cache;
    logic [2:0]            prot;
    logic [3:0]            qos;
    logic [3:0]            region;
  } request_t;

  typedef struct packed {
    logic [DATA_WIDTH-1:0] data;
    logic [Bytes-1:0]      strb;
    logic                  last;
  } write_data_t;

  typedef struct packed {
    logic [ID_WIDTH-1:0] id;
    logic [1:0]          resp;
  } write_response_t;

  typedef struct packed {
    logic [ID_WIDTH-1:0]   id;
    logic [DATA_WIDTH-1:0] data;
    logic [1:0]            resp;
    logic                  last;
  } read_data_t;

  request_t aw, ar;
  write_data_t w;
  write_response_t b;
  read_data_t r;
  assign aw = '{awid_i, awaddr_i, awlen_i, awsize_i, awburst_i, awlock_i, awcache_i, awprot_i, awqos_i, awregion_i};
  assign ar = '{arid_i, araddr_i, arlen_i, arsize_i, arburst_i, arlock_i, arcache_i, arprot_i, arqos_i, arregion_i};
  assign w = '{wdata_i, wstrb_i, wlast_i};
  assign b = '{bid_i, bresp_i};
  assign r = '{rid_i, rdata_i, rresp_i, rlast_i};

  // The payload of each side at the edge before, and whether it waits. Before the first edge nothing is known.
  logic in_reset_q = 1'b0;
  logic aw_waits_q, w_waits_q, b_waits_q, ar_waits_q, r_waits_q;
  request_t aw_q, ar_q;
  write_data_t w_q;
  write_response_t b_q;
  read_data_t r_q;
  always_ff @(posedge clk_i) begin
    in_reset_q <= !rst_ni;
    aw_q <= aw;
    w_q <= w;
    b_q <= b;
    ar_q <= ar;
    r_q <= r;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {aw_waits_q, w_waits_q, b_waits_q, ar_waits_q, r_waits_q} <= '0;
    end else begin
      aw_waits_q <= awvalid_i && !awready_i;
      w_waits_q <= wvalid_i && !wready_i;
      b_waits_q <= bvalid_i && !bready_i;
      ar_waits_q <= arvalid_i && !arready_i;
      r_waits_q <= rvalid_i && !rready_i;
    end
  end

  function automatic logic [15:0] bytes_of(logic [7:0] len, logic [2:0] size);
    return (16'(len) + 16'd1) << size;
  endfunction
  // From the size of the first address on; FIXED stays there, and WRAP within its aligned bytes.
  function automatic logic in_page(logic [11:0] addr, logic [7:0] len, logic [2:0] size);
    return (17'(addr) >> size << size) + 17'(bytes_of(len, size)) <= 17'd4096;
  endfunction
  function automatic logic aligned_to(logic [ADDR_WIDTH-1:0] addr, logic [15:0] bytes);
    return (addr & ADDR_WIDTH'(bytes - 16'd1)) == '0;
  endfunction

  logic b_known, b_complete, b_exclusive, write_room, data_room, last_in_time, last_not_early, strobes_right;
  logic w_wanted, b_wanted;
  lutra_axi_writes #(
    .DATA_WIDTH(DATA_WIDTH),
    .ID_WIDTH(ID_WIDTH),
    .MAX_WRITES(MAX_WRITES),
    .MAX_AHEAD(MAX_AHEAD)
  ) u_writes (
    .clk_i,
    .rst_ni,
    .aw_i(awvalid_i && awready_i),
    .awid_i,
    .awaddr_i(awaddr_i[6:0]),
    .awlen_i,
    .awsize_i,
    .awburst_i,
    .awlock_i,
    .w_i(wvalid_i && wready_i),
    .wstrb_i,
    .wlast_i,
    .b_i(bvalid_i && bready_i),
    .bid_i,
    .b_known_o(b_known),
    .b_complete_o(b_complete),
    .b_exclusive_o(b_exclusive),
    .last_in_time_o(last_in_time),
    .last_not_early_o(last_not_early),
    .strobes_right_o(strobes_right),
    .write_room_o(write_room),
    .data_room_o(data_room),
    .w_wanted_o(w_wanted),
    .b_wanted_o(b_wanted)
  );

  logic r_known, r_last, r_exclusive, r_had_okay, r_had_exokay, read_room, r_wanted, exclusive_read;
  lutra_axi_reads #(
    .ID_WIDTH(ID_WIDTH),
    .MAX_READS(MAX_READS)
  ) u_reads (
    .clk_i,
    .rst_ni,
    .ar_i(arvalid_i && arready_i),
    .arid_i,
    .arlen_i,
    .arlock_i,
    .r_i(rvalid_i && rready_i),
    .rid_i,
    .rresp_i,
    .awid_i,
    .r_known_o(r_known),
    .r_last_o(r_last),
    .r_exclusive_o(r_exclusive),
    .r_had_okay_o(r_had_okay),
    .r_had_exokay_o(r_had_exokay),
    .read_room_o(read_room),
    .r_wanted_o(r_wanted),
    .exclusive_read_o(exclusive_read)
  );

  // The last exclusive read of every ID; the quality of service may differ in the write.
  logic exclusive_same;
  if (EXCLUSIVE) begin : gen_monitor
    typedef struct packed {
      logic     armed;
      request_t read;
    } monitor_t;
    monitor_t [2**ID_WIDTH-1:0] monitors_q, monitors_d;
    request_t wanted;
    always_comb begin
      monitors_d = monitors_q;
      if (arvalid_i && arready_i && arlock_i) monitors_d[arid_i] = '{1'b1, ar};
      wanted = monitors_q[awid_i].read;
      wanted.qos = awqos_i;
      exclusive_same = !monitors_q[awid_i].armed || aw == wanted;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) monitors_q <= '0;
      else monitors_q <= monitors_d;
    end
  end else begin : gen_none
    assign exclusive_same = 1'b1;
  end

  always_ff @(posedge clk_i) if (in_reset_q) begin
    `LUTRA_AXI_RESET(MANAGER, aw)
    `LUTRA_AXI_RESET(MANAGER, w)
    `LUTRA_AXI_RESET(SUBORDINATE, b)
    `LUTRA_AXI_RESET(MANAGER, ar)
    `LUTRA_AXI_RESET(SUBORDINATE, r)
    `LUTRA_AXI_FIRST(aw)
    `LUTRA_AXI_FIRST(w)
    `LUTRA_AXI_FIRST(ar)
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    `LUTRA_AXI_VALID_HELD(MANAGER, aw)
    `LUTRA_AXI_HELD(MANAGER, aw, id)
    `LUTRA_AXI_HELD(MANAGER, aw, addr)
    `LUTRA_AXI_HELD(MANAGER, aw, len)
    `LUTRA_AXI_HELD(MANAGER, aw, size)
    `LUTRA_AXI_HELD(MANAGER, aw, burst)
    `LUTRA_AXI_HELD(MANAGER, aw, lock)
    `LUTRA_AXI_HELD(MANAGER, aw, cache)
    `LUTRA_AXI_HELD(MANAGER, aw, prot)
    `LUTRA_AXI_HELD(MANAGER, aw, qos)
    `LUTRA_AXI_HELD(MANAGER, aw, region)
    `LUTRA_AXI_VALID_HELD(MANAGER, w)
    `LUTRA_AXI_HELD(MANAGER, w, data)
    `LUTRA_AXI_HELD(MANAGER, w, strb)
    `LUTRA_AXI_HELD(MANAGER, w, last)
    `LUTRA_AXI_VALID_HELD(SUBORDINATE, b)
    `LUTRA_AXI_HELD(SUBORDINATE, b, id)
    `LUTRA_AXI_HELD(SUBORDINATE, b, resp)
    `LUTRA_AXI_VALID_HELD(MANAGER, ar)
    `LUTRA_AXI_HELD(MANAGER, ar, id)
    `LUTRA_AXI_HELD(MANAGER, ar, addr)
    `LUTRA_AXI_HELD(MANAGER, ar, len)
    `LUTRA_AXI_HELD(MANAGER, ar, size)
    `LUTRA_AXI_HELD(MANAGER, ar, burst)
    `LUTRA_AXI_HELD(MANAGER, ar, lock)
    `LUTRA_AXI_HELD(MANAGER, ar, cache)
    `LUTRA_AXI_HELD(MANAGER, ar, prot)
    `LUTRA_AXI_HELD(MANAGER, ar, qos)
    `LUTRA_AXI_HELD(MANAGER, ar, region)
    `LUTRA_AXI_VALID_HELD(SUBORDINATE, r)
    `LUTRA_AXI_HELD(SUBORDINATE, r, id)
    `LUTRA_AXI_HELD(SUBORDINATE, r, data)
    `LUTRA_AXI_HELD(SUBORDINATE, r, resp)
    `LUTRA_AXI_HELD(SUBORDINATE, r, last)

    if (awvalid_i) begin
      `LUTRA_AXI_REQUEST(aw, !awready_i || write_room)
      `LUTRA_AXI_RULE(MANAGER, exclusive_after_read, "A7.2.2", "an exclusive write before its read is complete",
                      !awlock_i || !exclusive_read)
      `LUTRA_AXI_RULE(MANAGER, exclusive_as_read, "A7.2.4", "an exclusive write differs from the read before it",
                      !awlock_i || exclusive_same)
    end
    if (arvalid_i) begin
      `LUTRA_AXI_REQUEST(ar, !arready_i || read_room)
    end

    // Data of a write: in the order of the addresses, whichever comes first.
    `LUTRA_AXI_RULE(MANAGER, wlast_missing, "A3.2.2", "the last beat of a write without WLAST", last_in_time)
    `LUTRA_AXI_RULE(MANAGER, wlast_early, "A3.2.2", "WLAST before the last beat of a write", last_not_early)
    `LUTRA_AXI_RULE(MANAGER, wstrb_lanes, "A3.4.4", "WSTRB is high in a byte lane that the beat does not use",
                    strobes_right)
    `LUTRA_AXI_RULE(SUBORDINATE, w_ahead_limit, "option", "more than MAX_AHEAD beats precede their address", data_room)

    // Responses: of a transaction that is there, the oldest one of its ID.
    if (bvalid_i) begin
      `LUTRA_AXI_RULE(SUBORDINATE, b_after_address, "A3.3.1", "a response without a write of its ID", b_known)
      `LUTRA_AXI_RULE(SUBORDINATE, b_after_data, "A3.3.1", "a response before the last data of its write",
                      !b_known || b_complete)
      `LUTRA_AXI_RULE(SUBORDINATE, b_exokay, "A3.4.5", "EXOKAY for a write that is not exclusive",
                      bresp_i != ExOkay || !b_known || b_exclusive)
    end
    if (rvalid_i) begin
      `LUTRA_AXI_RULE(SUBORDINATE, r_after_address, "A3.3.1", "read data without a read of their ID", r_known)
      `LUTRA_AXI_RULE(SUBORDINATE, rlast_missing, "A3.2.2", "the last beat of a read without RLAST",
                      !rready_i || !r_known || !r_last || rlast_i)
      `LUTRA_AXI_RULE(SUBORDINATE, rlast_early, "A3.2.2", "RLAST before the last beat of a read",
                      !rready_i || !r_known || r_last || !rlast_i)
      `LUTRA_AXI_RULE(SUBORDINATE, r_exokay, "A3.4.5", "EXOKAY for a read that is not exclusive",
                      rresp_i != ExOkay || !r_known || r_exclusive)
      `LUTRA_AXI_RULE(SUBORDINATE, r_exokay_mixed, "A7.2", "OKAY and EXOKAY for beats of one read",
                      !(rresp_i == ExOkay && r_had_okay) && !(rresp_i == Okay && r_had_exokay))
    end
  end

  // Options, which the protocol leaves to the system.
  if (TIMEOUT != 0) begin : gen_timeout
    typedef logic [$clog2(TIMEOUT+1)-1:0] wait_t;
    // In the order of the rules below; the last three are transactions that nobody goes on with.
    logic [7:0] waits;
    wait_t [7:0] waited_q, waited_d;
    always_comb begin
      waits[4:0] = {
        rvalid_i && !rready_i, arvalid_i && !arready_i, bvalid_i && !bready_i, wvalid_i && !wready_i,
        awvalid_i && !awready_i
      };
      waits[7:5] = {r_wanted && !rvalid_i, b_wanted && !bvalid_i, w_wanted && !wvalid_i};
      for (int i = 0; i < 8; i++) begin
        waited_d[i] = '0;
        if (waits[i]) waited_d[i] = waited_q[i] == wait_t'(TIMEOUT) ? waited_q[i] : waited_q[i] + 1'b1;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waited_q <= '0;
      else waited_q <= waited_d;
    end
    always_ff @(posedge clk_i) if (rst_ni) begin
      `LUTRA_AXI_TIMEOUT(SUBORDINATE, awready_timeout, "AWVALID waits too long", 0)
      `LUTRA_AXI_TIMEOUT(SUBORDINATE, wready_timeout, "WVALID waits too long", 1)
      `LUTRA_AXI_TIMEOUT(MANAGER, bready_timeout, "BVALID waits too long", 2)
      `LUTRA_AXI_TIMEOUT(SUBORDINATE, arready_timeout, "ARVALID waits too long", 3)
      `LUTRA_AXI_TIMEOUT(MANAGER, rready_timeout, "RVALID waits too long", 4)
      `LUTRA_AXI_TIMEOUT(MANAGER, wvalid_timeout, "the data of a write are late", 5)
      `LUTRA_AXI_TIMEOUT(SUBORDINATE, bvalid_timeout, "a response is late", 6)
      `LUTRA_AXI_TIMEOUT(SUBORDINATE, rvalid_timeout, "read data are late", 7)
    end
  end

endmodule
