// The steps of finding an entry of a ring, a descriptor to fetch or a completion to post: where the ring is, the sum
// with the entry's offset, and whether the window has it, since whoever has the page of a ring can write any address
// there. Memory, adder and check are those of lutra_segments. An entry stays until it is taken.

module lutra_entries #(
  parameter int unsigned ADDR_WIDTH = 40
) (
  input  logic clk_i,
  input  logic rst_ni,

  // 0: descriptor, 1: completion, which comes first.
  input  logic [1:0] valid_i,
  output logic [1:0] ready_o,
  input  logic [1:0] taken_i,
  output logic fault_o,

  output logic kind_o,
  output logic asks_o,        // for a row
  output logic finds_o,       // of the ring, else of the window
  input  logic asks_ready_i,
  output logic adds_o,        // the ring's row is there
  output logic checks_o,      // the window is there
  input  logic [ADDR_WIDTH:0] base_i,
  input  logic [ADDR_WIDTH:0] sum_i,
  input  logic permitted_i,
  output logic [ADDR_WIDTH:0] address_o
);

  typedef enum logic [2:0] {
    EntryIdle,    // or asks for the ring's row
    EntryAdd,
    EntryWindow,
    EntryCheck,
    EntryReady
  } entry_state_e;

  entry_state_e state_q, state_d;
  logic kind_q, fault_q, fault_d;
  logic [ADDR_WIDTH:0] address_q, address_d;
  assign finds_o = state_q == EntryIdle;
  assign asks_o = (finds_o && valid_i != '0) || state_q == EntryWindow;
  assign kind_o = finds_o ? valid_i[1] : kind_q;
  assign adds_o = state_q == EntryAdd;
  assign checks_o = state_q == EntryCheck;

  always_comb begin
    state_d = state_q;
    address_d = adds_o ? sum_i : address_q;
    fault_d = fault_q;
    unique case (state_q)
      EntryAdd: begin
        // Descriptors are aligned to 64 bytes, completions to 16.
        fault_d = base_i[3:0] != '0 || (!kind_q && base_i[5:4] != '0) || base_i[ADDR_WIDTH] || sum_i[ADDR_WIDTH];
        state_d = EntryWindow;
      end
      EntryWindow: if (asks_ready_i) state_d = EntryCheck;
      EntryCheck: begin
        fault_d = fault_q || !permitted_i;
        state_d = EntryReady;
      end
      EntryReady: if (taken_i[kind_q]) state_d = EntryIdle;
      default: if (asks_o && asks_ready_i) state_d = EntryAdd;
    endcase
  end
  assign ready_o = {state_q == EntryReady && kind_q, state_q == EntryReady && !kind_q};
  assign fault_o = fault_q;
  assign address_o = address_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= EntryIdle;
    else state_q <= state_d;
  end
  always_ff @(posedge clk_i) begin
    kind_q <= kind_o;
    fault_q <= fault_d;
    address_q <= address_d;
  end

endmodule
