// SP_u_s: a pipeline of AES-128 encryption (FIPS 197) with `Unrolled` rounds and `Inner` registers inside each, as
// Alexander, Karri and others describe it in "AES and stream ciphers for lines of 10 to 100 Gb/s". A fill of as many
// blocks as there are stages goes round until all ten rounds are done. The next one begins a cycle after the last pass
// has begun, so a block takes Passes + 1 / Stages cycles. Round keys are made as they are needed.
//
// With `Counter` it encrypts the counters of AES-ICM, and what comes out is keystream; data_i is not used.

module lutra_fixed_pipeline
  import lutra_fixed_pkg::*;
#(
  parameter int unsigned Unrolled = 1,  // a divisor of 10
  parameter int unsigned Inner = 0,     // 0 to 2
  parameter bit          Counter = 1'b0
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            setup_valid_i,
  output logic            setup_ready_o,
  input  pipeline_setup_t setup_i,

  input  logic            valid_i,
  output logic            ready_o,
  input  block_t          data_i,
  output logic            valid_o,
  output block_t          data_o
);

  localparam int unsigned Rounds = 10;
  localparam int unsigned Stages = Unrolled * (Inner + 1);
  localparam int unsigned Passes = Rounds / Unrolled;
  // Of the first block of a fill; it enters in step 0, where the pipeline waits for it.
  localparam int unsigned Steps = Passes * Stages;

  logic [4:0] step_q, phase_q;  // phase: the step modulo the stages
  logic keyed_q, start, enter, advance, counted;
  block_t key_q, entry;

  assign start = step_q == '0;
  assign setup_ready_o = start && counted;
  assign ready_o = keyed_q && counted && (start ? !setup_valid_i : step_q < 5'(Stages));
  assign enter = ready_o && valid_i;
  assign advance = start ? enter : step_q != 5'(Steps);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      keyed_q <= 1'b0;
      step_q <= '0;
      phase_q <= '0;
    end else begin
      if (setup_valid_i && setup_ready_o) keyed_q <= 1'b1;
      step_q <= advance ? step_q + 5'd1 : '0;
      phase_q <= advance && phase_q != 5'(Stages - 1) ? phase_q + 5'd1 : '0;
    end
  end

  always_ff @(posedge clk_i) if (setup_valid_i && setup_ready_o) key_q <= setup_i.key;

  if (Counter) begin : gen_counter
    lutra_fixed_icm u_icm (
      .clk_i, .rst_ni, .load_i(setup_valid_i && setup_ready_o), .offset_i(setup_i.offset), .index_i(setup_i.index),
      .next_i(enter), .ready_o(counted), .counter_o(entry)
    );
    logic unused;
    assign unused = &{1'b0, data_i};
  end else begin : gen_data
    assign entry = data_i;
    assign counted = 1'b1;
    logic unused;
    assign unused = &{1'b0, setup_i.offset, setup_i.index};
  end

  // Keys: that of a round is loaded a cycle before the fill's first block needs it, and stays while the fill passes.
  block_t key[Unrolled+1];
  logic [7:0] rcon[Unrolled+1];

  assign key[0] = step_q < 5'(Stages) ? key_q : key[Unrolled];
  assign rcon[0] = step_q < 5'(Stages) ? 8'h8d : rcon[Unrolled];  // that times x is one
  for (genvar r = 0; r < Unrolled; r++) begin : gen_key
    lutra_fixed_pipeline_key #(.Inner(Inner), .Number(Passes == 1 ? r + 1 : 0)) u_key (
      .clk_i, .load_i(advance && phase_q == 5'((r + 1) * (Inner + 1) - 1)),
      .key_i(key[r]), .rcon_i(rcon[r]), .key_o(key[r+1]), .rcon_o(rcon[r+1])
    );
  end

  // Rounds.
  block_t first_q, state_q[Unrolled];
  logic window_q, first_valid_q, last, done_q, valid;
  logic [Stages-1:0] valid_q;
  block_t in[Unrolled], out[Unrolled];

  for (genvar r = 0; r < Unrolled; r++) begin : gen_round
    if (r == 0) begin : gen_first
      assign in[r] = window_q ? first_q : state_q[Unrolled-1];
    end else begin : gen_next
      assign in[r] = state_q[r-1];
    end
    lutra_fixed_pipeline_round #(.Inner(Inner)) u_round (
      .clk_i, .x_i(in[r]), .key_i(key[r+1]), .last_i(r == Unrolled - 1 && last), .y_o(out[r])
    );
  end

  always_ff @(posedge clk_i) begin
    first_q <= entry ^ key_q;
    window_q <= step_q < 5'(Stages) && advance;
    state_q <= out;
  end

  // Whether the blocks that reach the last stage are in their last pass.
  if (Passes == 1) begin : gen_once
    assign last = 1'b1;
  end else begin : gen_passes
    logic last_q;
    always_ff @(posedge clk_i) begin
      if (step_q == 5'(Steps - 1)) last_q <= 1'b1;
      else if (step_q == 5'(Stages - 1) && advance) last_q <= 1'b0;
    end
    assign last = last_q;
  end

  assign valid = window_q ? first_valid_q : valid_q[Stages-1] && !done_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_valid_q <= 1'b0;
      done_q <= 1'b0;
      valid_q <= '0;
    end else begin
      first_valid_q <= enter;
      done_q <= last;
      valid_q <= Stages'({valid_q, valid});
    end
  end
  assign valid_o = valid_q[Stages-1] && done_q;
  assign data_o = state_q[Unrolled-1];

endmodule
