// Several cores that share a ring of descriptors: each is a lutra_axi as it is, whose ring 1 is fed by the cluster, and
// whose ring 0 is the host's, for firmware. AXI4-Lite subordinate of 32 bits: the cluster's registers, then those of the
// cores, where its register `places` says. AXI4 managers of 64 bits: one for each core, and the last one for the ring.

module lutra_cluster
  import lutra_cluster_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter int unsigned CORES = 4,        // 1 to 8
  parameter int unsigned LOCKSTEP_PAIRS = 0,  // of cores that the host can couple, from cores 0 and 1 on
  parameter int unsigned ADDR_WIDTH = 40,
  localparam int unsigned Managers = CORES + 1,
  localparam int unsigned RegisterBits = AddressBits,
  localparam int unsigned CoreRegisterBits = CoreAddressBits
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,
  output logic [CORES-1:0][Rings-1:0] core_irq_o,
  input  logic escalate_i,  // all cores
  output logic [CORES-1:0] alert_o,

  input  logic s_axil_awvalid,
  output logic s_axil_awready,
  input  logic [RegisterBits-1:0] s_axil_awaddr,
  input  logic [2:0] s_axil_awprot,
  input  logic s_axil_wvalid,
  output logic s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0] s_axil_wstrb,
  output logic s_axil_bvalid,
  input  logic s_axil_bready,
  output logic [1:0] s_axil_bresp,
  input  logic s_axil_arvalid,
  output logic s_axil_arready,
  input  logic [RegisterBits-1:0] s_axil_araddr,
  input  logic [2:0] s_axil_arprot,
  output logic s_axil_rvalid,
  input  logic s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0] s_axil_rresp,

  output logic [Managers-1:0] m_axi_awvalid,
  input  logic [Managers-1:0] m_axi_awready,
  output logic [Managers-1:0][IdWidth-1:0] m_axi_awid,
  output logic [Managers-1:0][ADDR_WIDTH-1:0] m_axi_awaddr,
  output logic [Managers-1:0][7:0] m_axi_awlen,
  output logic [Managers-1:0][2:0] m_axi_awsize,
  output logic [Managers-1:0][1:0] m_axi_awburst,
  output logic [Managers-1:0] m_axi_awlock,
  output logic [Managers-1:0][3:0] m_axi_awcache,
  output logic [Managers-1:0][2:0] m_axi_awprot,
  output logic [Managers-1:0] m_axi_wvalid,
  input  logic [Managers-1:0] m_axi_wready,
  output logic [Managers-1:0][63:0] m_axi_wdata,
  output logic [Managers-1:0][7:0] m_axi_wstrb,
  output logic [Managers-1:0] m_axi_wlast,
  input  logic [Managers-1:0] m_axi_bvalid,
  output logic [Managers-1:0] m_axi_bready,
  input  logic [Managers-1:0][IdWidth-1:0] m_axi_bid,
  input  logic [Managers-1:0][1:0] m_axi_bresp,
  output logic [Managers-1:0] m_axi_arvalid,
  input  logic [Managers-1:0] m_axi_arready,
  output logic [Managers-1:0][IdWidth-1:0] m_axi_arid,
  output logic [Managers-1:0][ADDR_WIDTH-1:0] m_axi_araddr,
  output logic [Managers-1:0][7:0] m_axi_arlen,
  output logic [Managers-1:0][2:0] m_axi_arsize,
  output logic [Managers-1:0][1:0] m_axi_arburst,
  output logic [Managers-1:0] m_axi_arlock,
  output logic [Managers-1:0][3:0] m_axi_arcache,
  output logic [Managers-1:0][2:0] m_axi_arprot,
  input  logic [Managers-1:0] m_axi_rvalid,
  output logic [Managers-1:0] m_axi_rready,
  input  logic [Managers-1:0][IdWidth-1:0] m_axi_rid,
  input  logic [Managers-1:0][63:0] m_axi_rdata,
  input  logic [Managers-1:0][1:0] m_axi_rresp,
  input  logic [Managers-1:0] m_axi_rlast
);

  logic [ADDR_WIDTH-1:12] mailboxes;
  logic [CORES-1:0] core_awvalid, core_awready, core_arvalid, core_arready, core_bvalid, core_rvalid;
  logic [CoreRegisterBits-1:0] core_address;
  logic [31:0] core_data;
  logic [3:0] core_strobe;
  logic [CORES-1:0][31:0] core_read_data;
  logic [CORES-1:0] clear, keys_clear, room, idle, write, bad, ring, rung, hit, key_take;
  logic [CORES-1:0] done_valid, done_ready, done_half, done_bad, done_differs, done;
  logic [CORES-1:0] takes, out;
  logic [CORES-1:0][1:0] take, filled;
  logic [CORES-1:0][15:0] tail;
  logic [CORES-1:0][63:0] done_data;
  logic [CORES-1:0][KeyBits-1:0] key, free;
  entry_t [1:0] entry;
  entry_t [CORES-1:0] done_entry;
  job_t [CORES-1:0] next;
  job_t [1:0] filled_entry;
  work_t [CORES-1:0] work;
  job_row_t row;
  line_t line;
  handle_t handle;

  // Signals of the cores themselves; pairs are between these and the rest.
  logic [CORES-1:0] node_awvalid, node_awready, node_wvalid, node_wready, node_room;
  logic [CORES-1:0] node_done_valid, node_done_ready, node_done_half, node_done;
  logic [CORES-1:0][7:0] node_wstrb;
  logic [CORES-1:0][63:0] node_done_data;
  job_t [CORES-1:0] node_done_index, node_ends;
  orders_t [CORES-1:0] orders, node_orders;
  logic [MostPairs-1:0] couple, coupled, differs;
  logic [7:0] patience;

  lutra_cluster_front #(
    .CORES(CORES),
    .LOCKSTEP_PAIRS(LOCKSTEP_PAIRS),
    .ADDR_WIDTH(ADDR_WIDTH),
    .RegisterBits(RegisterBits),
    .CoreRegisterBits(CoreRegisterBits)
  ) u_front (
    .clk_i,
    .rst_ni,
    .irq_o,
    .mailbox_o(mailboxes),
    .s_axil_awvalid,
    .s_axil_awready,
    .s_axil_awaddr,
    .s_axil_wvalid,
    .s_axil_wready,
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_bvalid,
    .s_axil_bready,
    .s_axil_arvalid,
    .s_axil_arready,
    .s_axil_araddr,
    .s_axil_rvalid,
    .s_axil_rready,
    .s_axil_rdata,
    .core_awvalid_o(core_awvalid),
    .core_awready_i(core_awready),
    .core_arvalid_o(core_arvalid),
    .core_arready_i(core_arready),
    .core_address_o(core_address),
    .core_data_o(core_data),
    .core_strobe_o(core_strobe),
    .core_bvalid_i(core_bvalid),
    .core_rvalid_i(core_rvalid),
    .core_data_i(core_read_data),
    .arvalid_o(m_axi_arvalid[CORES]),
    .arready_i(m_axi_arready[CORES]),
    .arid_o(m_axi_arid[CORES]),
    .araddr_o(m_axi_araddr[CORES]),
    .arlen_o(m_axi_arlen[CORES]),
    .arsize_o(m_axi_arsize[CORES]),
    .arburst_o(m_axi_arburst[CORES]),
    .rvalid_i(m_axi_rvalid[CORES]),
    .rready_o(m_axi_rready[CORES]),
    .rid_i(m_axi_rid[CORES]),
    .rdata_i(m_axi_rdata[CORES]),
    .rresp_i(m_axi_rresp[CORES]),
    .rlast_i(m_axi_rlast[CORES]),
    .awvalid_o(m_axi_awvalid[CORES]),
    .awready_i(m_axi_awready[CORES]),
    .awid_o(m_axi_awid[CORES]),
    .awaddr_o(m_axi_awaddr[CORES]),
    .awlen_o(m_axi_awlen[CORES]),
    .awsize_o(m_axi_awsize[CORES]),
    .awburst_o(m_axi_awburst[CORES]),
    .wvalid_o(m_axi_wvalid[CORES]),
    .wready_i(m_axi_wready[CORES]),
    .wdata_o(m_axi_wdata[CORES]),
    .wstrb_o(m_axi_wstrb[CORES]),
    .wlast_o(m_axi_wlast[CORES]),
    .bvalid_i(m_axi_bvalid[CORES]),
    .bready_o(m_axi_bready[CORES]),
    .bid_i(m_axi_bid[CORES]),
    .bresp_i(m_axi_bresp[CORES]),
    .clear_o(clear),
    .keys_clear_o(keys_clear),
    .take_o(take),
    .entry_o(entry),
    .room_i(room),
    .next_i(next),
    .idle_i(idle),
    .work_i(work),
    .write_o(write),
    .row_o(row),
    .line_o(line),
    .filled_o(filled),
    .filled_entry_o(filled_entry),
    .bad_o(bad),
    .tail_i(tail),
    .ring_i(ring),
    .rung_o(rung),
    .handle_o(handle),
    .hit_i(hit),
    .key_i(key),
    .free_i(free),
    .key_take_o(key_take),
    .done_valid_i(done_valid),
    .done_ready_o(done_ready),
    .done_half_i(done_half),
    .done_data_i(done_data),
    .done_entry_i(done_entry),
    .done_bad_i(done_bad),
    .done_differs_i(done_differs),
    .done_o(done),
    .out_o(out),
    .takes_o(takes),
    .couple_o(couple),
    .patience_o(patience),
    .coupled_i(coupled),
    .differs_i(differs)
  );
  assign s_axil_bresp = 2'b00;
  assign s_axil_rresp = 2'b00;
  assign m_axi_awlock[CORES] = 1'b0;
  assign m_axi_awcache[CORES] = 4'b0011;
  assign m_axi_awprot[CORES] = 3'b010;
  assign m_axi_arlock[CORES] = 1'b0;
  assign m_axi_arcache[CORES] = 4'b0011;
  assign m_axi_arprot[CORES] = 3'b010;

  for (genvar c = 0; c < CORES; c++) begin : gen_core
    lutra_cluster_node #(
      .ADDR_WIDTH(ADDR_WIDTH),
      .CoreRegisterBits(CoreRegisterBits)
    ) u_node (
      .clk_i,
      .rst_ni,
      .irq_o(core_irq_o[c]),
      .escalate_i,
      .alert_o(alert_o[c]),
      .mailbox_i(mailboxes),
      .awvalid_i(core_awvalid[c]),
      .awready_o(core_awready[c]),
      .arvalid_i(core_arvalid[c]),
      .arready_o(core_arready[c]),
      .address_i(core_address),
      .data_i(core_data),
      .strobe_i(core_strobe),
      .bvalid_o(core_bvalid[c]),
      .rvalid_o(core_rvalid[c]),
      .data_o(core_read_data[c]),
      .m_axi_awvalid(node_awvalid[c]),
      .m_axi_awready(node_awready[c]),
      .m_axi_awid(m_axi_awid[c]),
      .m_axi_awaddr(m_axi_awaddr[c]),
      .m_axi_awlen(m_axi_awlen[c]),
      .m_axi_awsize(m_axi_awsize[c]),
      .m_axi_awburst(m_axi_awburst[c]),
      .m_axi_awlock(m_axi_awlock[c]),
      .m_axi_awcache(m_axi_awcache[c]),
      .m_axi_awprot(m_axi_awprot[c]),
      .m_axi_wvalid(node_wvalid[c]),
      .m_axi_wready(node_wready[c]),
      .m_axi_wdata(m_axi_wdata[c]),
      .m_axi_wstrb(node_wstrb[c]),
      .m_axi_wlast(m_axi_wlast[c]),
      .m_axi_bvalid(m_axi_bvalid[c]),
      .m_axi_bready(m_axi_bready[c]),
      .m_axi_bid(m_axi_bid[c]),
      .m_axi_bresp(m_axi_bresp[c]),
      .m_axi_arvalid(m_axi_arvalid[c]),
      .m_axi_arready(m_axi_arready[c]),
      .m_axi_arid(m_axi_arid[c]),
      .m_axi_araddr(m_axi_araddr[c]),
      .m_axi_arlen(m_axi_arlen[c]),
      .m_axi_arsize(m_axi_arsize[c]),
      .m_axi_arburst(m_axi_arburst[c]),
      .m_axi_arlock(m_axi_arlock[c]),
      .m_axi_arcache(m_axi_arcache[c]),
      .m_axi_arprot(m_axi_arprot[c]),
      .m_axi_rvalid(m_axi_rvalid[c]),
      .m_axi_rready(m_axi_rready[c]),
      .m_axi_rid(m_axi_rid[c]),
      .m_axi_rdata(m_axi_rdata[c]),
      .m_axi_rresp(m_axi_rresp[c]),
      .m_axi_rlast(m_axi_rlast[c]),
      .clear_i(node_orders[c].clear),
      .keys_clear_i(node_orders[c].keys_clear),
      .take_i(node_orders[c].take),
      .entry_i(entry),
      .room_o(node_room[c]),
      .next_o(next[c]),
      .idle_o(idle[c]),
      .work_o(work[c]),
      .write_i(node_orders[c].write),
      .row_i(row),
      .line_i(line),
      .filled_valid_i(node_orders[c].filled),
      .filled_i(filled_entry),
      .bad_i(node_orders[c].bad),
      .tail_o(tail[c]),
      .ring_o(ring[c]),
      .rung_i(rung[c]),
      .handle_i(handle),
      .hit_o(hit[c]),
      .key_o(key[c]),
      .free_o(free[c]),
      .key_take_i(node_orders[c].key_take),
      .done_valid_o(node_done_valid[c]),
      .done_ready_i(node_done_ready[c]),
      .done_half_o(node_done_half[c]),
      .done_data_o(node_done_data[c]),
      .done_index_o(node_done_index[c]),
      .done_index_i(node_ends[c]),
      .done_entry_o(done_entry[c]),
      .done_bad_o(done_bad[c]),
      .done_i(node_done[c])
    );
    assign orders[c] = '{
      clear: clear[c], keys_clear: keys_clear[c], take: take[c], write: write[c], filled: filled[c], bad: bad[c],
      key_take: key_take[c]
    };
  end

  for (genvar p = 0; p < MostPairs; p++) begin : gen_pair
    if (p < LOCKSTEP_PAIRS) begin : gen_lockstep
      lutra_cluster_pair #(
        .ADDR_WIDTH(ADDR_WIDTH)
      ) u_pair (
        .clk_i,
        .rst_ni,
        .couple_i(couple[p]),
        .patience_i(patience),
        .out_i(out[2*p+:2]),
        .takes_i(takes[2*p]),
        .idle_i(idle[2*p+:2]),
        .coupled_o(coupled[p]),
        .differs_o(differs[p]),
        .orders_i(orders[2*p+:2]),
        .orders_o(node_orders[2*p+:2]),
        .awvalid_i(node_awvalid[2*p+:2]),
        .awready_o(node_awready[2*p+:2]),
        .awid_i(m_axi_awid[2*p+:2]),
        .awaddr_i(m_axi_awaddr[2*p+:2]),
        .awlen_i(m_axi_awlen[2*p+:2]),
        .wvalid_i(node_wvalid[2*p+:2]),
        .wready_o(node_wready[2*p+:2]),
        .wdata_i(m_axi_wdata[2*p+:2]),
        .wstrb_i(node_wstrb[2*p+:2]),
        .wlast_i(m_axi_wlast[2*p+:2]),
        .bus_awvalid_o(m_axi_awvalid[2*p+:2]),
        .bus_awready_i(m_axi_awready[2*p+:2]),
        .bus_wvalid_o(m_axi_wvalid[2*p+:2]),
        .bus_wready_i(m_axi_wready[2*p+:2]),
        .bus_wstrb_o(m_axi_wstrb[2*p+:2]),
        .done_valid_i(node_done_valid[2*p+:2]),
        .done_ready_o(node_done_ready[2*p+:2]),
        .done_half_i(node_done_half[2*p+:2]),
        .done_data_i(node_done_data[2*p+:2]),
        .done_index_i(node_done_index[2*p+:2]),
        .valid_o(done_valid[2*p+:2]),
        .ready_i(done_ready[2*p+:2]),
        .half_o(done_half[2*p+:2]),
        .data_o(done_data[2*p+:2]),
        .index_o(node_ends[2*p+:2]),
        .mismatch_o(done_differs[2*p+:2]),
        .done_i(done[2*p+:2]),
        .done_o(node_done[2*p+:2])
      );
      // A pair whose cores differ gets no packets.
      assign room[2*p+:2] = node_room[2*p+:2] & ~{2{differs[p]}};
    end else begin : gen_apart
      assign coupled[p] = 1'b0;
      assign differs[p] = 1'b0;
    end
  end

  for (genvar c = 2 * LOCKSTEP_PAIRS; c < CORES; c++) begin : gen_single
    assign m_axi_awvalid[c] = node_awvalid[c];
    assign node_awready[c] = m_axi_awready[c];
    assign m_axi_wvalid[c] = node_wvalid[c];
    assign node_wready[c] = m_axi_wready[c];
    assign m_axi_wstrb[c] = node_wstrb[c];
    assign node_orders[c] = orders[c];
    assign room[c] = node_room[c];
    assign done_valid[c] = node_done_valid[c];
    assign node_done_ready[c] = done_ready[c];
    assign done_half[c] = node_done_half[c];
    assign done_data[c] = node_done_data[c];
    assign node_ends[c] = node_done_index[c];
    assign done_differs[c] = 1'b0;
    assign node_done[c] = done[c];
  end

endmodule
