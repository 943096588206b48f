// Chooses a core for each packet, in the order of the ring, and writes its descriptor into the core's mailbox.
//
// It takes the core with the least work among those that have the packet's firmware and room for it; a core that does
// not hold the key counts as having more. A key that is missing is asked for when the packet gets its entry, and has the
// entry before. The next packets go on meanwhile.

module lutra_cluster_place
  import lutra_cluster_layout_pkg::*;
  import lutra_cluster_pkg::*;
  import lutra_layout_pkg::*;
#(
  parameter int unsigned CORES = 4,
  parameter int unsigned ADDR_WIDTH = 40
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [CORES-1:0] cores_i,       // that take packets
  input  logic [CORES-1:0][3:0] groups_i,
  input  logic [ADDR_WIDTH-1:0] flows_i,
  output logic idle_o,
  output logic waits_o,                   // for a core, and has chosen none: cores may leave
  output logic full_o,                    // no core has room

  // The first descriptor.
  input  logic valid_i,
  input  logic more_i,                    // there is another one
  output logic read_o,
  output logic [1:0] read_row_o,
  input  logic read_grant_i,
  input  line_t line_i,
  output logic pop_o,                     // a row that is read in this cycle is of the next one

  // Its number.
  output logic look_o,                    // its flow is known, two cycles before it is taken or earlier
  input  logic room_i,
  input  order_t packet_i,
  output logic take_o,

  // Keys.
  output handle_t handle_o,
  input  logic [CORES-1:0] hit_i,
  input  logic [CORES-1:0][KeyBits-1:0] key_i,
  input  logic [CORES-1:0][KeyBits-1:0] free_i,
  input  logic [CORES-1:0] keys_clear_i,
  output logic [CORES-1:0] key_take_o,
  output logic request_valid_o,
  output logic [ADDR_WIDTH-1:0] request_address_o,
  input  logic request_ready_i,
  input  logic record_ready_i,            // there is room for what is asked for
  output logic [core_bits(CORES)-1:0] record_core_o,
  output job_t record_entry_o,
  output logic [KeyBits-1:0] record_key_o,
  output logic [31:0] record_cookie_o,

  // Mailboxes.
  input  logic [CORES-1:0] mailbox_room_i,
  input  work_t [CORES-1:0] work_i,
  input  job_t [CORES-1:0] next_i,
  output logic [CORES-1:0][1:0] entries_o,
  output entry_t [1:0] entry_o,
  output logic [CORES-1:0] write_o,
  output job_row_t row_o,
  output line_t write_line_o,
  input  logic write_grant_i,
  output logic [CORES-1:0] filled_o,
  output job_t filled_entry_o
);

  localparam int unsigned CoreBits = core_bits(CORES);
  localparam int unsigned Leaves = 2 ** CoreBits;
  typedef logic [CoreBits-1:0] core_t;

  typedef enum logic [2:0] {
    PlaceIdle,
    PlaceLook,    // the first row is at the output of the memory, and stays there until it is written
    PlaceChoose,
    PlaceTake,
    PlaceWrite,
    PlaceRead,
    PlaceSearch   // who holds the key?
  } place_e;

  place_e state_q, state_d;
  cluster_control_t control_q, control_d;
  logic [31:0] cookie_q, cookie_d;
  work_t size_q, size_d;
  logic [1:0] row_q, row_d;
  core_t core_q, core_d;
  job_t entry_q, entry_d;
  logic keyed_q, keyed_d, known_q, known_d, any_q, any_d;
  logic [KeyBits-1:0] key_q, key_d;
  logic [CORES-1:0] hit_q, hit_d;

  // -------------------------------------------------------------------- the choice
  // Keys are looked up once, and what was found holds until the core loses its keys.
  logic [CORES-1:0][KeyBits-1:0] place_q, place_d;
  assign handle_o = handle_of(control_q);
  assign look_o = state_q == PlaceSearch;
  assign hit_d = (state_q == PlaceSearch ? hit_i : hit_q) & ~keys_clear_i;
  assign place_d = state_q == PlaceSearch ? key_i : place_q;

  logic [CORES-1:0] same, usable;
  always_comb begin
    for (int c = 0; c < CORES; c++) same[c] = cores_i[c] && groups_i[c] == control_q.group;
    // Without a core of its group it goes to any one, which refuses it.
    usable = (same != '0 ? same : cores_i) & mailbox_room_i;
  end

  // A tournament: a core's place is Leaves and its number, the winner of places 2n and 2n + 1 gets n. Of equals the lower
  // one wins.
  typedef struct packed {
    logic usable;
    logic [WorkBits:0] cost;
    core_t core;
  } candidate_t;
  candidate_t [2*Leaves-1:0] candidates;
  always_comb begin
    candidates = '0;
    for (int c = 0; c < CORES; c++) begin
      candidates[Leaves+c].usable = usable[c];
      candidates[Leaves+c].cost = {1'b0, work_i[c]} + (hit_q[c] || !keyed_q ? '0 : 15'(KeyWork));
      candidates[Leaves+c].core = core_t'(c);
    end
    for (int n = Leaves - 1; n > 0; n--) begin
      candidates[n] = candidates[2*n+1].usable &&
                      (!candidates[2*n].usable || candidates[2*n+1].cost < candidates[2*n].cost) ?
                      candidates[2*n+1] : candidates[2*n];
    end
  end
  assign core_d = state_q == PlaceChoose ? candidates[1].core : core_q;
  assign any_d = state_q == PlaceChoose ? candidates[1].usable : any_q;

  logic fetches, takes;
  assign fetches = keyed_q && known_q && !hit_q[core_q];
  assign request_valid_o = state_q == PlaceTake && any_q && room_i && fetches && record_ready_i;
  assign request_address_o = flows_i + ADDR_WIDTH'({control_q.flow, 6'd0});
  assign takes = state_q == PlaceTake && any_q && room_i && (!fetches || (record_ready_i && request_ready_i));
  assign take_o = takes;
  assign full_o = state_q == PlaceTake && !any_q;
  assign waits_o = state_q inside {PlaceChoose, PlaceTake} && !any_q;

  always_comb begin
    entries_o = '0;
    key_take_o = '0;
    entry_o[0] = '{is_key: fetches, packet: packet_i, work: fetches ? JobWork : size_q};
    entry_o[1] = '{is_key: 1'b0, packet: packet_i, work: size_q};
    if (takes) begin
      entries_o[core_q] = fetches ? 2'd2 : 2'd1;
      key_take_o[core_q] = fetches;
    end
  end
  assign record_core_o = core_q;
  assign record_entry_o = next_i[core_q];
  logic [KeyBits-1:0] key;
  assign key = hit_q[core_q] ? place_q[core_q] : free_i[core_q];
  assign record_key_o = key;
  assign record_cookie_o = cookie_q;

  // ------------------------------------------------------------------ the mailbox
  logic last;
  assign last = row_q == 2'd3;
  assign read_o = (state_q == PlaceIdle && valid_i) || state_q == PlaceRead ||
                  (state_q == PlaceWrite && write_grant_i && (!last || more_i));
  assign read_row_o = state_q == PlaceWrite ? row_q + 2'd1 : row_q;
  assign row_o = {entry_q, row_q};
  always_comb begin
    write_o = '0;
    write_o[core_q] = state_q == PlaceWrite;
    filled_o = '0;
    filled_o[core_q] = state_q == PlaceWrite && write_grant_i && last;
    write_line_o = line_i;
    if (row_q == '0) begin
      write_line_o[31:0] = core_control(control_q, keyed_q, key_q, control_q.operation);
      if (!known_q) write_line_o[31:0] = NoOperation;
    end
  end
  assign filled_entry_o = entry_q;
  assign pop_o = |filled_o;

  always_comb begin
    state_d = state_q;
    control_d = control_q;
    cookie_d = cookie_q;
    size_d = size_q;
    row_d = row_q;
    entry_d = entry_q;
    keyed_d = keyed_q;
    known_d = known_q;
    key_d = key_q;
    unique case (state_q)
      PlaceLook: begin
        control_d = cluster_control_t'(line_i[31:0]);
        cookie_d = line_i[63:32];
        size_d = work_of(line_i[95:64]);
        state_d = PlaceSearch;
      end
      PlaceSearch: begin
        keyed_d = control_q.generation != '0;
        state_d = PlaceChoose;
      end
      PlaceChoose: begin
        known_d = same != '0;
        state_d = PlaceTake;
      end
      PlaceTake: begin
        if (takes) begin
          key_d = key;
          entry_d = next_i[core_q] + job_t'(fetches);
          state_d = PlaceWrite;
        end else if (!any_q) state_d = PlaceChoose;
      end
      PlaceWrite: begin
        if (write_grant_i) begin
          row_d = row_q + 2'd1;
          if (last) state_d = read_o && read_grant_i ? PlaceLook : PlaceIdle;
          else state_d = read_grant_i ? PlaceWrite : PlaceRead;
        end
      end
      PlaceRead: if (read_grant_i) state_d = PlaceWrite;
      default: begin
        row_d = '0;
        if (read_o && read_grant_i) state_d = PlaceLook;
      end
    endcase
  end
  assign idle_o = state_q == PlaceIdle;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= PlaceIdle;
      row_q <= '0;
      core_q <= '0;
    end else begin
      state_q <= state_d;
      row_q <= row_d;
      core_q <= core_d;
    end
  end
  always_ff @(posedge clk_i) begin
    control_q <= control_d;
    cookie_q <= cookie_d;
    size_q <= size_d;
    entry_q <= entry_d;
    keyed_q <= keyed_d;
    known_q <= known_d;
    any_q <= any_d;
    key_q <= key_d;
    hit_q <= hit_d;
    place_q <= place_d;
  end

endmodule
