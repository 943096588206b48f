// Holds the instruction in ID until every producer on its way is at the distance of isa/pipeline.td.

module lutra_interlock
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  localparam int unsigned Wb = StageWB[ROUNDS_PER_INSTR-1]
) (
  input  logic id_valid_i,   // a legal instruction
  input  ctl_t id_ctl_i,

  input  logic [Wb:1] valid_i,  // by stage; the stage is the distance to the instruction in ID
  input  issued_t [Wb:1] issued_i,

  output logic   stall_o,
  output stall_e cause_o
);

  localparam int unsigned R = ROUNDS_PER_INSTR - 1;

  typedef logic [AddressRegs-1:0] ar_mask_t;

  function automatic ar_mask_t slot_ar(slot_t slot);
    return slot.en && !slot.row_en ? ar_mask_t'(1) << slot.ar : '0;
  endfunction

  // What the instruction in ID needs.
  logic [VectorRegs-1:0] reads_v;
  logic reads_ctr, reads_wk, reads_flag;
  logic [3:0] reads_blocks;
  ar_mask_t uses_ar;

  always_comb begin
    for (int r = 0; r < VectorRegs; r++)
      reads_v[r] = (id_ctl_i.use_a && id_ctl_i.ra == vector_e'(r)) || (id_ctl_i.use_b && id_ctl_i.rb == vector_e'(r));
    reads_ctr = id_ctl_i.mv == MoveHoldCtr || (id_ctl_i.use_a && id_ctl_i.ra inside {VecCTR, VecCTRINC}) || (id_ctl_i.use_b && id_ctl_i.rb == VecCTR);
    reads_wk = (id_ctl_i.use_a && id_ctl_i.ra == VecWK) || (id_ctl_i.use_b && id_ctl_i.rb == VecWK) || id_ctl_i.use_w;
    reads_blocks = key_blocks(id_ctl_i) | (id_ctl_i.d.en ? 4'd1 << id_ctl_i.d_block : 4'd0);
    uses_ar = slot_ar(id_ctl_i.k) | slot_ar(id_ctl_i.d) | slot_ar(id_ctl_i.s) |
              (id_ctl_i.as_en ? ar_mask_t'(1) << id_ctl_i.as : '0) |
              (id_ctl_i.ad_en ? ar_mask_t'(1) << id_ctl_i.ad : '0);
    reads_flag = id_ctl_i.cc inside {CcFlag, CcNotFlag};
  end

  // Which hazards it has with the producer in each stage.
  logic [Wb:1][StallCauses-1:0] clash;
  for (genvar s = 1; s <= Wb; s++) begin : gen_stage
    ctl_t p;
    logic vector_clash, stored_clash;
    logic [3:0] writes_blocks;
    logic [1:0] writes_banks;
    assign p = issued_i[s].ctl;
    assign vector_clash = is_general(p.rd) && (reads_v[p.rd[2:0]] || (p.pair && reads_v[{p.rd[2:1], 1'b1}]));
    assign stored_clash = id_ctl_i.mv == MoveStore && is_general(p.rd) &&
                          (p.rd[2:0] == id_ctl_i.rc || (p.pair && p.rd[2:1] == id_ctl_i.rc[2:1]));
    assign writes_blocks = p.s.en ? blocks_of(p.s_space) : '0;
    assign writes_banks = p.s.en ? banks_of(p.s_space) : '0;

    always_comb begin
      clash[s] = '0;
      if (valid_i[s]) begin
        clash[s][StallVectorHalf1] = s < DistanceVectorHalf1[R] && vector_clash && !p.half2;
        clash[s][StallVectorHalf2] = s < DistanceVectorHalf2[R] && vector_clash && p.half2;
        clash[s][StallSpecial] = s < DistanceSpecial[R] &&
                                 ((p.rd == VecCTR && reads_ctr) || (p.rd == VecWK && reads_wk));
        clash[s][StallMemory] = s < DistanceMemory[R] && (writes_blocks & reads_blocks) != '0;
        clash[s][StallTable0] = s < DistanceTable0[R] && writes_banks[0] &&
                                (id_ctl_i.t0 != LookupPass || id_ctl_i.c[0]);
        clash[s][StallTable1] = s < DistanceTable1[R] && writes_banks[1] && id_ctl_i.t1 != LookupPass;
        // c0 looks up in t0 as everything else does, c1 in t1 beside t0.
        clash[s][StallTable1Parallel] = s < DistanceTable1Parallel[R] && writes_banks[1] && id_ctl_i.c[1];
        clash[s][StallTable1Port] = s < DistanceTable1Port[R] && p.t1 != LookupPass && id_ctl_i.c[1];
        clash[s][StallAddress] = s < DistanceAddress[R] && p.res == ResToAddress && uses_ar[p.ad];
        clash[s][StallStored] = s < DistanceStored[R] && stored_clash;
        clash[s][StallFlag] = s < DistanceFlag[R] && p.res == ResSetFlag && reads_flag;
      end
    end
  end

  logic [StallCauses-1:0] hazard;
  always_comb begin
    hazard = '0;
    for (int s = 1; s <= Wb; s++) hazard |= clash[s];
    cause_o = StallTransfer;
    for (int c = StallCauses - 1; c >= 0; c--) if (hazard[c]) cause_o = stall_e'(c);
  end
  assign stall_o = id_valid_i && |hazard;

endmodule
