// CV32E40X as the host: a bus for instructions, one for data, and coprocessor instructions by its extension interface
// (CV-X-IF). An instruction is offered in ID, committed or killed in EX and done in WB, one per cycle.

module lutra_host_cv32e40x
  import lutra_system_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  output request_t       insn_bus_o,
  input  response_t      insn_bus_i,
  output request_t       bus_o,
  input  response_t      bus_i,
  output insn_request_t  insn_o,
  input  insn_response_t insn_i
);
  assign insn_bus_o.we = 1'b0;
  assign insn_bus_o.be = '1;
  assign insn_bus_o.wdata = '0;

  // This host may have several accesses open, and the devices behind its bus answer in their own time.
  logic open_q, req;
  assign bus_o.req = req && (!open_q || bus_i.rvalid);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else open_q <= bus_i.gnt || (open_q && !bus_i.rvalid);
  end

  // Instructions that have been offered: [0] is the oldest. Each is known by its place, so its number is not needed
  // but for the answer.
  localparam int unsigned Places = 4;
  typedef struct packed {
    logic        valid;
    logic        decided;
    logic        killed;
    logic [3:0]  id;
    logic [31:0] insn;
    logic [31:0] rs1;
    logic [31:0] rs2;
  } offered_t;
  offered_t [Places-1:0] offered_q, decided, offered_d;

  if_xif #(.X_NUM_RS(2)) xif ();
  logic mine, accepted, done;
  assign mine = xif.issue_req.instr[6:0] inside {OpcodeLink, OpcodeTrivium};
  assign xif.issue_ready = !offered_q[Places-1].valid;
  assign xif.issue_resp = '{accept: mine, writeback: writes(xif.issue_req.instr), default: '0};
  assign accepted = xif.issue_valid && xif.issue_ready && mine;

  // Which of them have a result (lutra_link_insn.sv, lutra_trivium_insn.sv).
  function automatic logic writes(logic [31:0] insn);
    return insn[6:0] == OpcodeLink ? insn[14:12] >= 3'd2 : insn[14:12] != 3'd0;
  endfunction

  always_comb begin
    decided = offered_q;
    for (int p = 0; p < Places; p++) begin
      if (xif.commit_valid && offered_q[p].valid && offered_q[p].id == xif.commit.id) begin
        decided[p].decided = 1'b1;
        decided[p].killed = xif.commit.commit_kill;
      end
    end
    insn_o = '{valid: offered_q[0].valid && offered_q[0].decided && !offered_q[0].killed && xif.result_ready,
               insn: offered_q[0].insn, rs1: offered_q[0].rs1, rs2: offered_q[0].rs2};
    xif.result_valid = insn_o.valid && insn_i.ready;
    done = xif.result_valid || (offered_q[0].valid && offered_q[0].decided && offered_q[0].killed);
    xif.result = '{id: offered_q[0].id, data: insn_i.rd, rd: offered_q[0].insn[11:7],
                   we: {insn_i.write && offered_q[0].insn[11:7] != 0}, default: '0};

    offered_d = decided;
    if (done) offered_d = {offered_t'('0), decided[Places-1:1]};
    if (accepted) begin
      for (int p = Places - 1; p >= 0; p--) begin
        if (!offered_d[p].valid && (p == 0 || offered_d[p == 0 ? 0 : p - 1].valid)) begin
          offered_d[p] = '{valid: 1'b1, decided: 1'b0, killed: 1'b0, id: xif.issue_req.id, insn: xif.issue_req.instr,
                           rs1: xif.issue_req.rs[0], rs2: xif.issue_req.rs[1]};
          // The decision may come in the cycle of the offer.
          if (xif.commit_valid && xif.commit.id == xif.issue_req.id) begin
            offered_d[p].decided = 1'b1;
            offered_d[p].killed = xif.commit.commit_kill;
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) offered_q <= '0;
    else offered_q <= offered_d;
  end

  assign xif.compressed_ready = 1'b1;
  assign xif.compressed_resp = '0;
  assign xif.mem_valid = 1'b0;
  assign xif.mem_req = '0;

  cv32e40x_core #(
    .X_EXT(1'b1)
  ) u_cpu (
    .clk_i,
    .rst_ni,
    .scan_cg_en_i(1'b0),
    .boot_addr_i(32'h80),
    .dm_exception_addr_i('0),
    .dm_halt_addr_i('0),
    .mhartid_i('0),
    .mimpid_patch_i('0),
    .mtvec_addr_i('0),
    .instr_req_o(insn_bus_o.req),
    .instr_gnt_i(insn_bus_i.gnt),
    .instr_rvalid_i(insn_bus_i.rvalid),
    .instr_addr_o(insn_bus_o.addr),
    .instr_memtype_o(),
    .instr_prot_o(),
    .instr_dbg_o(),
    .instr_rdata_i(insn_bus_i.rdata),
    .instr_err_i(1'b0),
    .data_req_o(req),
    .data_gnt_i(bus_i.gnt),
    .data_rvalid_i(bus_i.rvalid),
    .data_addr_o(bus_o.addr),
    .data_be_o(bus_o.be),
    .data_we_o(bus_o.we),
    .data_wdata_o(bus_o.wdata),
    .data_memtype_o(),
    .data_prot_o(),
    .data_dbg_o(),
    .data_atop_o(),
    .data_rdata_i(bus_i.rdata),
    .data_err_i(1'b0),
    .data_exokay_i(1'b0),
    .mcycle_o(),
    .xif_compressed_if(xif),
    .xif_issue_if(xif),
    .xif_commit_if(xif),
    .xif_mem_if(xif),
    .xif_mem_result_if(xif),
    .xif_result_if(xif),
    .irq_i('0),
    .wu_wfe_i(1'b0),
    .clic_irq_i(1'b0),
    .clic_irq_id_i('0),
    .clic_irq_level_i('0),
    .clic_irq_priv_i('0),
    .clic_irq_shv_i(1'b0),
    .fencei_flush_req_o(),
    .fencei_flush_ack_i(1'b1),
    .debug_req_i(1'b0),
    .debug_havereset_o(),
    .debug_running_o(),
    .debug_halted_o(),
    .fetch_enable_i(1'b1),
    .core_sleep_o()
  );

endmodule
