// Units of a protected core with their duplicates, small enough for every fault in a job to be tried in `make test`.

// Releases a value if two copies of it are equal, by both ways of the comparison or, as a control, by one.
module guarded_release #(
  parameter bit BOTH = 1
) (
  input  logic [23:0] value_i,
  input  logic [23:0] copy_i,
  output logic [23:0] released_o
);

  logic differ, same;
  lutra_compare #(
    .WIDTH(24)
  ) u_compare (
    .a_i(value_i),
    .b_i(copy_i),
    .differ_o(differ),
    .same_o(same)
  );
  assign released_o = BOTH ? value_i & {24{!differ}} & {24{same}} : value_i & {24{!differ}};

endmodule

// The sequencer, and a second one that does the same a cycle later, as in lutra_second_control.
module guarded_sequencer
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
#(
  parameter bit DUPLICATE = 1
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  data_rst_ni,
  input  logic  start_i,
  input  logic  resume_i,
  input  addr_t entry_i,
  output logic  fetch_en_o,
  output addr_t fetch_pc_o,
  output logic  id_valid_o,
  output addr_t id_pc_o,
  output logic  id_fetch_range_o,
  output logic  id_wait_o,
  input  ctl_t  id_ctl_i,
  input  logic  id_legal_i,
  input  logic  id_stall_i,
  input  logic  id_trapped_i,
  output logic  id_issue_o,
  input  logic  abort_i,
  input  logic  ag_valid_i,
  input  ctl_t  ag_ctl_i,
  input  addr_t ag_as_i,
  input  logic  ag_zero_i,
  input  logic  flag_i,
  output trap_e ag_trap_o,
  input  logic  ag_trapped_i,
  output addr_t ag_pc_o,
  output logic  ag_taken_o,
  output logic [7:0] ag_loop_depth_o,
  output addr_t      ag_loop_remaining_o,
  output logic [7:0] ag_call_depth_o,
  output logic [1:0] alert_o  // either way of the comparison tells
);

  typedef struct packed {
    logic start, resume;
    addr_t entry;
    ctl_t id_ctl;
    logic id_legal, id_stall, id_trapped, abort, ag_valid;
    ctl_t ag_ctl;
    addr_t ag_as;
    logic ag_zero, flag, ag_trapped;
  } inputs_t;
  typedef struct packed {
    logic fetch_en;
    addr_t fetch_pc;
    logic id_valid;
    addr_t id_pc;
    logic id_fetch_range, id_wait, id_issue;
    trap_e ag_trap;
    addr_t ag_pc;
    logic ag_taken;
    logic [7:0] ag_loop_depth;
    addr_t ag_loop_remaining;
    logic [7:0] ag_call_depth;
  } outputs_t;
  inputs_t [1:0] ins;
  outputs_t [1:0] outs;
  assign ins[0] = {start_i, resume_i, entry_i, id_ctl_i, id_legal_i, id_stall_i, id_trapped_i, abort_i, ag_valid_i,
                   ag_ctl_i, ag_as_i, ag_zero_i, flag_i, ag_trapped_i};
  assign {fetch_en_o, fetch_pc_o, id_valid_o, id_pc_o, id_fetch_range_o, id_wait_o, id_issue_o, ag_trap_o, ag_pc_o,
          ag_taken_o, ag_loop_depth_o, ag_loop_remaining_o, ag_call_depth_o} = outs[0];

  for (genvar i = 0; i < (DUPLICATE ? 2 : 1); i++) begin : gen_sequencer
    lutra_sequencer u_sequencer (
      .clk_i,
      .rst_ni,
      .data_rst_ni,
      .start_i(ins[i].start),
      .resume_i(ins[i].resume),
      .entry_i(ins[i].entry),
      .fetch_en_o(outs[i].fetch_en),
      .fetch_pc_o(outs[i].fetch_pc),
      .id_valid_o(outs[i].id_valid),
      .id_pc_o(outs[i].id_pc),
      .id_fetch_range_o(outs[i].id_fetch_range),
      .id_wait_o(outs[i].id_wait),
      .id_ctl_i(ins[i].id_ctl),
      .id_legal_i(ins[i].id_legal),
      .id_stall_i(ins[i].id_stall),
      .id_trapped_i(ins[i].id_trapped),
      .id_issue_o(outs[i].id_issue),
      .abort_i(ins[i].abort),
      .ag_valid_i(ins[i].ag_valid),
      .ag_ctl_i(ins[i].ag_ctl),
      .ag_as_i(ins[i].ag_as),
      .ag_zero_i(ins[i].ag_zero),
      .flag_i(ins[i].flag),
      .ag_trap_o(outs[i].ag_trap),
      .ag_trapped_i(ins[i].ag_trapped),
      .ag_pc_o(outs[i].ag_pc),
      .ag_taken_o(outs[i].ag_taken),
      .ag_loop_depth_o(outs[i].ag_loop_depth),
      .ag_loop_remaining_o(outs[i].ag_loop_remaining),
      .ag_call_depth_o(outs[i].ag_call_depth)
    );
  end

  if (DUPLICATE) begin : gen_compare
    inputs_t ins_q;
    outputs_t first_q;
    logic reset_q, differ, same;  // what is registered is nothing before the first cycle
    always_ff @(posedge clk_i) begin
      ins_q <= ins[0];
      first_q <= outs[0];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) reset_q <= 1'b1;
      else reset_q <= 1'b0;
    end
    assign ins[1] = reset_q ? '0 : ins_q;
    lutra_compare #(
      .WIDTH($bits(outputs_t))
    ) u_compare (
      .a_i(first_q),
      .b_i(outs[1]),
      .differ_o(differ),
      .same_o(same)
    );
    assign alert_o = {differ && !reset_q, !same && !reset_q};
  end else begin : gen_none
    assign alert_o = '0;
  end

endmodule

// A data memory, and who writes it found a second time, as lutra_write_guard does, or, as a control, not.
module guarded_memory
  import lutra_isa_pkg::*;
  import lutra_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter bit GUARD = 1
) (
  input  logic  clk_i,
  input  logic  read_en_i,
  input  addr_t read_address_i,
  input  logic  write_en_i,
  input  addr_t write_address_i,
  input  vec_t  write_data_i,
  input  logic  host_req_i,
  input  logic  host_we_i,
  input  addr_t host_row_i,
  input  vec_t  host_wdata_i,
  output vec_t  rdata_o,
  output logic [1:0] alert_o
);

  typedef struct packed {
    logic store, host, host_we;
    addr_t address, row;
  } asked_t;
  asked_t asked, again;
  assign asked = '{store: write_en_i, host: host_req_i, host_we: host_we_i, address: write_address_i, row: host_row_i};
  for (genvar i = 0; i < $bits(asked_t); i++) begin : gen_bit
    lutra_buffer u_asked (
      .a_i(asked[i]),
      .y_o(again[i])
    );
  end

  logic read_q, differ, same, wrong, right;
  addr_t address_q;
  offset_t offset;
  assign offset = offset_t'(write_address_i);
  always_ff @(posedge clk_i) begin
    read_q <= (again.host && !again.host_we) || read_en_i;
    address_q <= again.host ? again.row << RowShift : read_address_i;
  end
  lutra_memory #(
    .MEMORY_ROWS(16),
    .PROTECT(1)
  ) u_memory (
    .clk_i,
    .read_en_i,
    .read_address_i,
    .write_en_i,
    .write_address_i,
    .write_lanes_i('1),
    .write_data_i(to_lanes(write_data_i, offset)),
    .host_req_i,
    .host_we_i,
    .host_row_i,
    .host_wdata_i,
    .write_again_i(!GUARD || again.store || (again.host && again.host_we)),
    .write_place_i(place_of(again.store ? again.address : again.row << RowShift)),
    .differ_o(differ),
    .same_o(same),
    .rdata_o,
    .rdata_address_i(address_q),
    .wrong_o(wrong),
    .right_o(right)
  );
  assign alert_o = {(read_q && wrong) || (GUARD && differ), (read_q && !right) || (GUARD && !same)};

endmodule
