// Checks one AXI4-Lite interface against the protocol, in the form of lutra_axi_checker: bind it to the signals, on
// either side. The clauses are those of Arm IHI 0022 issue H.c; B1 is AXI4-Lite, A3 holds for it too.
//
// AXI4-Lite has no bursts and no IDs, so the tables are counters. Any strobes are allowed (B1.1.3).

`include "lutra_axi_rule.svh"

module lutra_axi_lite_checker #(
  parameter int unsigned ADDR_WIDTH = 12,
  parameter int unsigned DATA_WIDTH = 32,
  parameter int unsigned MAX_WRITES = 16,  // accepted addresses, or data, that wait for their response
  parameter int unsigned MAX_READS = 16,
  parameter int unsigned TIMEOUT = 0,      // cycles that one side may let the other wait; 0: any number
  parameter bit ASSUME_MANAGER = 1'b0,
  parameter bit ASSUME_SUBORDINATE = 1'b0
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    awvalid_i,
  input logic                    awready_i,
  input logic [ADDR_WIDTH-1:0]   awaddr_i,
  input logic [2:0]              awprot_i,
  input logic                    wvalid_i,
  input logic                    wready_i,
  input logic [DATA_WIDTH-1:0]   wdata_i,
  input logic [DATA_WIDTH/8-1:0] wstrb_i,
  input logic                    bvalid_i,
  input logic                    bready_i,
  input logic [1:0]              bresp_i,
  input logic                    arvalid_i,
  input logic                    arready_i,
  input logic [ADDR_WIDTH-1:0]   araddr_i,
  input logic [2:0]              arprot_i,
  input logic                    rvalid_i,
  input logic                    rready_i,
  input logic [DATA_WIDTH-1:0]   rdata_i,
  input logic [1:0]              rresp_i
);

  localparam logic [1:0] ExOkay = 2'd1;

  // B1.1.2
  if (!(DATA_WIDTH inside {32, 64})) begin : gen_width
    $error("DATA_WIDTH must be 32 or 64");
  end

  typedef struct packed {
    logic [ADDR_WIDTH-1:0] addr;
    logic [2:0]            prot;
  } request_t;
  typedef struct packed {
    logic [DATA_WIDTH-1:0]   data;
    logic [DATA_WIDTH/8-1:0] strb;
  } write_data_t;
  typedef struct packed {logic [1:0] resp;} write_response_t;
  typedef struct packed {
    logic [DATA_WIDTH-1:0] data;
    logic [1:0]            resp;
  } read_data_t;

  request_t aw, ar;
  write_data_t w;
  write_response_t b;
  read_data_t r;
  assign aw = '{awaddr_i, awprot_i};
  assign ar = '{araddr_i, arprot_i};
  assign w = '{wdata_i, wstrb_i};
  assign b = '{bresp_i};
  assign r = '{rdata_i, rresp_i};

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

  // Addresses and data of writes without their response, and reads without theirs.
  typedef logic [$clog2(MAX_WRITES+1)-1:0] writes_t;
  typedef logic [$clog2(MAX_READS+1)-1:0] reads_t;
  writes_t addresses_q, addresses_d, data_q, data_d;
  reads_t reads_q, reads_d;
  logic answered, read;
  assign answered = bvalid_i && bready_i && addresses_q != '0 && data_q != '0;
  assign read = rvalid_i && rready_i && reads_q != '0;
  logic address_room, data_room, read_room;
  assign address_room = 32'(addresses_q) < MAX_WRITES || answered;
  assign data_room = 32'(data_q) < MAX_WRITES || answered;
  assign read_room = 32'(reads_q) < MAX_READS || read;
  assign addresses_d = addresses_q + writes_t'(awvalid_i && awready_i && address_room) - writes_t'(answered);
  assign data_d = data_q + writes_t'(wvalid_i && wready_i && data_room) - writes_t'(answered);
  assign reads_d = reads_q + reads_t'(arvalid_i && arready_i && read_room) - reads_t'(read);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      addresses_q <= '0;
      data_q <= '0;
      reads_q <= '0;
    end else begin
      addresses_q <= addresses_d;
      data_q <= data_d;
      reads_q <= reads_d;
    end
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
    `LUTRA_AXI_HELD(MANAGER, aw, addr)
    `LUTRA_AXI_HELD(MANAGER, aw, prot)
    `LUTRA_AXI_VALID_HELD(MANAGER, w)
    `LUTRA_AXI_HELD(MANAGER, w, data)
    `LUTRA_AXI_HELD(MANAGER, w, strb)
    `LUTRA_AXI_VALID_HELD(SUBORDINATE, b)
    `LUTRA_AXI_HELD(SUBORDINATE, b, resp)
    `LUTRA_AXI_VALID_HELD(MANAGER, ar)
    `LUTRA_AXI_HELD(MANAGER, ar, addr)
    `LUTRA_AXI_HELD(MANAGER, ar, prot)
    `LUTRA_AXI_VALID_HELD(SUBORDINATE, r)
    `LUTRA_AXI_HELD(SUBORDINATE, r, data)
    `LUTRA_AXI_HELD(SUBORDINATE, r, resp)

    `LUTRA_AXI_RULE(MANAGER, aw_limit, "option", "more addresses of writes than the limit",
                    !(awvalid_i && awready_i) || address_room)
    `LUTRA_AXI_RULE(MANAGER, w_limit, "option", "more data of writes than the limit",
                    !(wvalid_i && wready_i) || data_room)
    `LUTRA_AXI_RULE(MANAGER, ar_limit, "option", "more reads than the limit", !(arvalid_i && arready_i) || read_room)
    if (bvalid_i) begin
      `LUTRA_AXI_RULE(SUBORDINATE, b_after_address, "A3.3.1", "a response without an address", addresses_q != '0)
      `LUTRA_AXI_RULE(SUBORDINATE, b_after_data, "A3.3.1", "a response without data", data_q != '0)
      `LUTRA_AXI_RULE(SUBORDINATE, b_exokay, "B1.1.1", "the response is EXOKAY", bresp_i != ExOkay)
    end
    if (rvalid_i) begin
      `LUTRA_AXI_RULE(SUBORDINATE, r_after_address, "A3.3.1", "read data without an address", reads_q != '0)
      `LUTRA_AXI_RULE(SUBORDINATE, r_exokay, "B1.1.1", "the response is EXOKAY", rresp_i != ExOkay)
    end
  end

  // Options, which the protocol leaves to the system.
  if (TIMEOUT != 0) begin : gen_timeout
    typedef logic [$clog2(TIMEOUT+1)-1:0] wait_t;
    // In the order of the rules below; the last four are transactions that nobody goes on with.
    logic [8:0] waits;
    wait_t [8:0] waited_q, waited_d;
    always_comb begin
      waits[4:0] = {
        rvalid_i && !rready_i, arvalid_i && !arready_i, bvalid_i && !bready_i, wvalid_i && !wready_i,
        awvalid_i && !awready_i
      };
      waits[5] = addresses_q > data_q && !wvalid_i;
      waits[6] = data_q > addresses_q && !awvalid_i;
      waits[7] = addresses_q != '0 && data_q != '0 && !bvalid_i;
      waits[8] = reads_q != '0 && !rvalid_i;
      for (int i = 0; i < 9; i++) begin
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
      `LUTRA_AXI_TIMEOUT(MANAGER, awvalid_timeout, "the address of a write is late", 6)
      `LUTRA_AXI_TIMEOUT(SUBORDINATE, bvalid_timeout, "a response is late", 7)
      `LUTRA_AXI_TIMEOUT(SUBORDINATE, rvalid_timeout, "read data are late", 8)
    end
  end

endmodule
