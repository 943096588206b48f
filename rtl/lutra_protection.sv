// The part of the core that PROTECT adds: the second control, the registers that carry results of checks to the stage in
// which an instruction is stopped, and the choice of the fault that ends it and of its trap (docs/faults.md).

module lutra_protection
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = CoreRounds,  // 1 or 2
  parameter int unsigned STREAM_CONTEXTS = CoreContexts,  // 1 or 2
  parameter int unsigned PROGRAM_WORDS = ProgramWords,
  parameter int unsigned MEMORY_ROWS = MemoryRows,
  parameter int unsigned LOOP_DEPTH = LoopDepth,
  parameter int unsigned CALL_DEPTH = CallDepth,
  localparam int unsigned R = ROUNDS_PER_INSTR - 1,
  localparam int unsigned Wb = StageWB[R]
) (
  input logic clk_i,
  input logic rst_ni,
  input logic data_rst_ni,  // of registers that hold data

  // Control.
  input logic  host_start_i,     // as the host asks for it
  input logic  host_resume_i,
  input logic  start_i,          // as the first control begins
  input logic  resume_i,
  input addr_t entry_i,
  input logic  running_i,
  input logic  alert_i,
  input logic  faulted_i,        // a stage after X1 has an instruction that met a fault
  input logic  context_fault_i,  // X1: a stream context is not its shadow

  // The pipeline.
  input  logic [Wb:1] valid_i,
  input  issued_t [Wb:1] issued_i,
  input  insn_t fetched_i,
  input  word_check_t fetched_check_i,
  input  logic fetch_en_i,
  input  addr_t fetch_pc_i,
  input  addr_t ag_k_address_i,
  input  addr_t ag_d_address_i,
  input  addr_t perm_ar_value_i,
  input  logic flag_en_i,
  input  logic flag_i,
  input  forward_t forward_i,
  output forward_t forward_o,       // what PERM and MEM take

  // Memories.
  output addr_t mem_k_address_o,
  output addr_t mem_d_address_o,
  input  logic mem_wrong_i,
  input  logic mem_right_i,
  input  banks_t table_wrong_i,
  input  banks_t table_right_i,
  input  logic host_wrong_i,
  input  logic host_right_i,

  output logic x1_fault_o,
  output logic wb_fault_o,
  output logic host_fault_o,
  output trap_e wb_fault_trap_o,
  output logic faultless_o         // no check says that something is wrong
);

  localparam int unsigned Perm = StagePERM[R];
  localparam int unsigned X1 = StageX1[R];
  localparam int unsigned X2 = StageX2[R];

  ctl_t perm_ctl;
  assign perm_ctl = issued_i[Perm].ctl;

  // -------------------------------------------------------------- second control
  // A gate that starts the first alone is found by the comparison, and so is one that writes an address register.
  logic ag_wrong, ag_right, differ, same;
  logic start_again, resume_again, perm_again;
  logic [$bits(res_fn_e)-1:0] perm_res_again;
  lutra_buffer u_start (
    .a_i(host_start_i),
    .y_o(start_again)
  );
  lutra_buffer u_resume (
    .a_i(host_resume_i),
    .y_o(resume_again)
  );
  lutra_buffer u_perm (
    .a_i(valid_i[Perm]),
    .y_o(perm_again)
  );
  for (genvar i = 0; i < $bits(res_fn_e); i++) begin : gen_res
    lutra_buffer u_res (
      .a_i(perm_ctl.res[i]),
      .y_o(perm_res_again[i])
    );
  end

  lutra_second_control #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR),
    .STREAM_CONTEXTS(STREAM_CONTEXTS),
    .PROGRAM_WORDS(PROGRAM_WORDS),
    .MEMORY_ROWS(MEMORY_ROWS),
    .LOOP_DEPTH(LOOP_DEPTH),
    .CALL_DEPTH(CALL_DEPTH)
  ) u_second (
    .clk_i,
    .rst_ni,
    .data_rst_ni,
    .start_i(start_i && start_again),
    .resume_i(resume_i && resume_again),
    .entry_i,
    .fetched_i,
    .fetched_check_i,
    .abort_i(x1_fault_o || wb_fault_o),
    .flag_en_i,
    .flag_i,
    .perm_ar_write_i(perm_again && perm_res_again == ResToAddress),
    .perm_ar_i(perm_ctl.ad),
    .perm_ar_value_i,
    .fetch_en_i,
    .fetch_pc_i,
    .ag_k_address_i,
    .ag_d_address_i,
    .valid_i(valid_i[Wb:2]),
    .issued_i,
    .mem_k_address_o,
    .mem_d_address_o,
    .ag_wrong_o(ag_wrong),
    .ag_right_o(ag_right),
    .differ_o(differ),
    .same_o(same)
  );

  // ----------------------------------------------------------- results of checks
  logic x1_wrong, x1_right, wb_wrong, wb_right, all_differ, all_same;
  lutra_alert #(
    .ROUNDS_PER_INSTR(ROUNDS_PER_INSTR)
  ) u_alert (
    .clk_i,
    .rst_ni,
    .valid_i,
    .alert_i,
    .ag_wrong_i(ag_wrong),
    .ag_right_i(ag_right),
    .mem_wrong_i,
    .mem_right_i,
    .perm_stream_i(perm_ctl.c[1]),
    .table_wrong_i,
    .table_right_i,
    .differ_i(differ),
    .same_i(same),
    .x1_wrong_o(x1_wrong),
    .x1_right_o(x1_right),
    .wb_wrong_o(wb_wrong),
    .wb_right_o(wb_right),
    .differ_o(all_differ),
    .same_o(all_same)
  );

  // In a core with one round per instruction the value is its only part.
  logic wb_forward_wrong;
  if (X1 == X2) begin : gen_one_round
    assign wb_forward_wrong = 1'b0;
    assign forward_o = forward_i;
  end else begin : gen_two_rounds
    logic wb_wrong_value;
    vec_t result, core, side;
    lutra_forward_check u_forward (
      .clk_i,
      .rst_ni,
      .p2_i(issued_i[X2].ctl.p2),
      .result_i(forward_i.x2_result),
      .core_i(forward_i.x2_core),
      .side_i(forward_i.x2_side),
      .result_o(result),
      .core_o(core),
      .side_o(side),
      .wb_wrong_o(wb_wrong_value)
    );
    always_comb begin
      forward_o = forward_i;
      forward_o.x2_result = result;
      forward_o.x2_core = core;
      forward_o.x2_side = side;
    end
    assign wb_forward_wrong = valid_i[Wb] && wb_wrong_value;
  end

  // ---------------------------------------------------------------------- faults
  // The host has met a wrong row: a program that runs ends with it.
  assign host_fault_o = host_wrong_i || !host_right_i;
  assign wb_fault_o = wb_wrong || !wb_right || wb_forward_wrong;
  assign x1_fault_o = context_fault_i || x1_wrong || !x1_right || all_differ || !all_same || (host_fault_o && running_i);
  assign faultless_o = !context_fault_i && x1_right && all_same && wb_right && !wb_forward_wrong && host_right_i;

  // The first cause is kept for the time when its instruction ends.
  trap_e x1_trap, x1_trap_q, x1_trap_d;
  assign x1_trap_d = faulted_i ? x1_trap_q : x1_trap;
  always_comb begin
    if (context_fault_i) x1_trap = TrapContextFault;
    else if (all_differ || !all_same) x1_trap = TrapControlFault;
    else x1_trap = TrapMemoryFault;
  end
  always_ff @(posedge clk_i) x1_trap_q <= x1_trap_d;
  assign wb_fault_trap_o = wb_fault_o || host_fault_o ? TrapMemoryFault : x1_trap_q;

endmodule
