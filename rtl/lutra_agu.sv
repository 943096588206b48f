// Address registers with step and window, the addresses of the three slots, their range checks, the address unit.

module lutra_agu
  import lutra_isa_pkg::*;
  import lutra_address_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned MEMORY_ROWS = MemoryRows
) (
  input  logic  clk_i,
  input  logic  rst_ni,

  input  ctl_t  id_ctl_i,
  input  ctl_t  ag_ctl_i,
  input  logic  ag_commit_i,  // continues without a trap
  output addr_t ag_k_address_o,
  output addr_t ag_d_address_o,
  output addr_t ag_s_address_o,
  output addr_t ag_as_o,      // source address register
  output logic  ag_zero_o,    // result of the address unit is zero, if it adds or keeps the source register
  output trap_e ag_trap_o,

  input  logic  perm_write_i,  // vtoar
  input  logic [2:0] perm_ar_i,
  input  addr_t perm_value_i,

  output logic [AddressRegs-1:0] ag_ar_mask_o,  // written by the instruction in AG
  output addr_t [AddressRegs-1:0] ag_ar_value_o
);

  addr_t [AddressRegs-1:0] ar_q;
  ar_config_t [AddressRegs-1:0] config_q;

  // The last address of a row within its memory.
  logic to_table;
  assign to_table = banks_of(ag_ctl_i.s_space) != '0;
  function automatic logic [31:0] limit(logic table_bank);
    return (table_bank ? TableRows : MEMORY_ROWS) * VectorBytes - VectorBytes;
  endfunction

  // Slots: key, data, store.
  localparam int unsigned Slots = 3;
  slot_t [Slots-1:0] slot;
  addr_t [Slots-1:0] address, after;
  logic  [Slots-1:0] modifies, beyond;
  assign slot = {ag_ctl_i.s, ag_ctl_i.d, ag_ctl_i.k};

  // Registers are chosen by AND and OR: a multiplexer of eight by a code is half as large again. What the address unit
  // reads comes the way of the key slot, which no instruction has beside it; the other one's number is zero. Which it
  // is, is found in ID, since the condition of a branch waits for it.
  logic [AddressRegs-1:0] first_read_q, first_read_d;
  assign first_read_d = AddressRegs'(1) << (id_ctl_i.k.ar | id_ctl_i.as);
  always_ff @(posedge clk_i) first_read_q <= first_read_d;
  logic [Slots-1:0][AddressRegs-1:0] of_slot, reads;
  for (genvar i = 0; i < Slots; i++) begin : gen_of_slot
    assign of_slot[i] = AddressRegs'(1) << slot[i].ar;
  end
  assign reads = {of_slot[2], of_slot[1], first_read_q};

  // It adds as a slot does whose step is in the instruction.
  logic au_adds;
  assign au_adds = ag_ctl_i.au == AuAdd;

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    addr_t ar;
    ar_config_t of;
    always_comb begin
      {ar, of} = '0;
      for (int r = 0; r < AddressRegs; r++) begin
        if (reads[i][r]) ar |= ar_q[r];
        if (of_slot[i][r]) of |= config_q[r];
      end
      if (i == 0 && au_adds) of.step = ag_ctl_i.n;
    end
    if (i == 0) begin : gen_as
      assign ag_as_o = ar;
    end
    assign address[i] = slot[i].row_en ? addr_t'(slot[i].row) << RowShift : ar;
    lutra_address u_address (
      .delta_i(i == 0 && au_adds ? DeltaPlusStep : slot[i].delta),
      .wrap_i(slot[i].wrap),
      .ar_i(ar),
      .of_i(of),
      .next_o(after[i])
    );
    assign modifies[i] = slot[i].delta != DeltaNone;
    assign beyond[i] = slot[i].en && 32'(address[i]) > limit(i == 2 && to_table);
  end

  assign {ag_s_address_o, ag_d_address_o, ag_k_address_o} = address;

  always_comb begin
    ag_trap_o = TrapNone;
    if (|beyond) ag_trap_o = TrapAddressRange;
    else if (ag_ctl_i.s.en && to_table && address[2][RowShift-1:0] != '0) ag_trap_o = TrapTableAlignment;
  end

  // Address unit, or the key slot.
  addr_t first;
  always_comb begin
    unique case (ag_ctl_i.au)
      AuSet: first = ag_ctl_i.n;
      AuAnd: first = ag_as_o & ag_ctl_i.n;
      AuShr: first = ag_as_o >> ag_ctl_i.n[3:0];
      default: first = after[0];
    endcase
  end

  // A branch waits for no carry: a sum is zero where every bit of it takes the carry that the zeros before it leave.
  assign ag_zero_o = au_adds ? (ag_as_o ^ ag_ctl_i.n) == (ag_as_o | ag_ctl_i.n) << 1 : ag_as_o == '0;
  logic au_writes;
  assign au_writes = ag_ctl_i.ad_en && !ag_ctl_i.vector;  // vtoar writes from PERM

  // At most one writer a register: the decoder rejects two slots that modify the same one, slots and address unit
  // belong to different instructions, and the interlock keeps AG away from a register that vtoar will write.
  logic [AddressRegs-1:0] perm_mask;
  for (genvar r = 0; r < AddressRegs; r++) begin : gen_ar
    logic [Slots-1:0] by_slot;
    logic by_au;
    for (genvar i = 0; i < Slots; i++) begin : gen_by
      assign by_slot[i] = ag_commit_i && modifies[i] && of_slot[i][r];
    end
    assign by_au = ag_commit_i && au_writes && ag_ctl_i.ad == 3'(r);
    assign ag_ar_mask_o[r] = by_au || |by_slot;
    assign ag_ar_value_o[r] = ({AddressBits{by_au || by_slot[0]}} & first) | ({AddressBits{by_slot[1]}} & after[1]) |
                              ({AddressBits{by_slot[2]}} & after[2]);
    assign perm_mask[r] = perm_write_i && perm_ar_i == 3'(r);
    addr_t ar_d;
    assign ar_d = ({AddressBits{perm_mask[r]}} & perm_value_i) | ag_ar_value_o[r];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ar_q[r] <= '0;
      else if (perm_mask[r] || ag_ar_mask_o[r]) ar_q[r] <= ar_d;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni) one_writer: assert ($onehot0({by_slot, by_au, perm_mask[r]})) else $error("ar%0d written twice", r);
    end
`endif
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      config_q <= '0;
    end else if (ag_commit_i) begin
      if (ag_ctl_i.au == AuSetStep) config_q[ag_ctl_i.ad].step <= ag_ctl_i.n;
      if (ag_ctl_i.au == AuSetWindow) begin
        config_q[ag_ctl_i.ad].window_start <= ag_ctl_i.n;
        config_q[ag_ctl_i.ad].window_end <= ag_ctl_i.e;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (ag_commit_i && ag_ctl_i.as_en) one_reader: assert (slot[0] == '0) else $error("address unit beside a key slot");
    if (ag_commit_i && ag_ctl_i.cc inside {CcZero, CcNonzero})
      zero: assert (ag_zero_o == (first == '0)) else $error("a branch on another value");
  end
`endif

endmodule
