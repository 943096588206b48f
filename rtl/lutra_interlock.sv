// Holds the instruction in ID until every producer on its way is at the distance of isa/hazards.td.

module lutra_interlock
  import lutra_isa_pkg::*;
  import lutra_hazards_pkg::*;
  import lutra_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  localparam int unsigned X2 = StageX2[ROUNDS_PER_INSTR-1]
) (
  input  logic id_valid_i,   // a legal instruction
  input  ctl_t id_ctl_i,

  // By stage, which is the distance to the instruction in ID; one in WB is far enough for everything.
  input  logic [X2:1] valid_i,
  input  issued_t [X2:1] issued_i,

  output logic   stall_o,
  output stall_e cause_o
);

  localparam int unsigned R = ROUNDS_PER_INSTR - 1;

  hazard_cells_t id_reads;
  lutra_hazard_reads u_reads (
    .ctl_i(id_ctl_i),
    .cells_o(id_reads)
  );

  // What the instruction in ID would clash with if there were an instruction. Whether there is one comes last: it is
  // one bit for all hazards of a stage.
  hazards_t [X2:1] clash;
  for (genvar s = 1; s <= X2; s++) begin : gen_stage
    hazard_cells_t writes;
    hazards_t meets;
    lutra_hazard_writes u_writes (
      .ctl_i(issued_i[s].ctl),
      .cells_o(writes)
    );
    lutra_hazards_between u_between (
      .reads_i(id_reads),
      .writes_i(writes),
      .between_o(meets)
    );
    for (genvar h = 0; h < Hazards; h++) begin : gen_hazard
      if (s < HazardDistance[2*h+R]) begin : gen_near
        assign clash[s][h] = meets[h];
      end else begin : gen_far
        assign clash[s][h] = 1'b0;
      end
    end
  end

  logic any;
  hazards_t hazard;
  always_comb begin
    any = 1'b0;
    hazard = '0;
    for (int s = 1; s <= X2; s++) begin
      any |= valid_i[s] && |clash[s];
      hazard |= {Hazards{valid_i[s]}} & clash[s];
    end
    cause_o = StallTransfer;
    for (int h = Hazards - 1; h >= 0; h--) if (hazard[h]) cause_o = stall_e'(h);
  end
  assign stall_o = id_valid_i && any;

endmodule
