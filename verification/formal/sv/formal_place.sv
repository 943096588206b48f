// The choice of a core for a packet: lutra_cluster_place. Descriptors, room and work may be anything in any cycle, and
// each core holds whatever key; it holds it until it loses all keys or is given another one.

module formal_place
  import lutra_cluster_layout_pkg::*;
  import lutra_cluster_pkg::*;
#(
  parameter int unsigned CORES = 3
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [CORES-1:0] cores_i,
  input logic [CORES-1:0][3:0] groups_i,
  input logic [39:0] flows_i,
  input logic valid_i,
  input logic more_i,
  input logic read_grant_i,
  input line_t line_i,
  input logic room_i,
  input order_t packet_i,
  input logic request_ready_i,
  input logic record_ready_i,
  input logic [CORES-1:0] mailbox_room_i,
  input work_t [CORES-1:0] work_i,
  input job_t [CORES-1:0] next_i,
  input logic [CORES-1:0] keys_clear_i,
  input logic write_grant_i,
  input logic [CORES-1:0] hit_i,
  input logic [CORES-1:0][KeyBits-1:0] key_i,
  input logic [CORES-1:0][KeyBits-1:0] free_i
);

  logic look, take, pop, full, request_valid;
  logic [CORES-1:0] key_take, write, filled;
  logic [CORES-1:0][1:0] entries;
  logic [39:0] request_address;
  handle_t handle;
  line_t write_line;
  job_row_t row;
  lutra_cluster_place #(
    .CORES(CORES),
    .ADDR_WIDTH(40)
  ) u_place (
    .clk_i, .rst_ni, .cores_i, .groups_i, .flows_i,
    .idle_o(), .waits_o(),
    .full_o(full),
    .valid_i, .more_i,
    .read_o(), .read_row_o(),
    .read_grant_i, .line_i,
    .pop_o(pop),
    .look_o(look),
    .room_i, .packet_i,
    .take_o(take),
    .handle_o(handle),
    .hit_i,
    .key_i, .free_i,
    .keys_clear_i,
    .key_take_o(key_take),
    .request_valid_o(request_valid),
    .request_address_o(request_address),
    .request_ready_i, .record_ready_i,
    .record_core_o(), .record_entry_o(), .record_key_o(), .record_cookie_o(),
    .mailbox_room_i, .work_i, .next_i,
    .entries_o(entries),
    .entry_o(),
    .write_o(write),
    .row_o(row),
    .write_line_o(write_line),
    .write_grant_i,
    .filled_o(filled),
    .filled_entry_o()
  );
  logic started_q = 1'b0;
  handle_t handle_q;
  logic [CORES-1:0] keeps_q, took_q;  // a core has its new key a cycle later, in the place of an old one
  logic [CORES-1:0][KeyBits-1:0] key_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    handle_q <= handle;
    took_q <= rst_ni ? key_take : '0;
    keeps_q <= hit_i & ~keys_clear_i & ~key_take & ~took_q;
    key_q <= key_i;
  end
  always_comb if (!started_q) reset_first: assume (!rst_ni);
  for (genvar c = 0; c < CORES; c++) begin : gen_keys
    always_comb keeps: assume (!started_q || handle != handle_q || !keeps_q[c] || (hit_i[c] && key_i[c] == key_q[c]));
  end

  // Requirements on the core, in the cycle in which it is chosen.
  logic chooses;
  logic [CORES-1:0] chosen, known;
  logic [CORES-1:0][WorkBits:0] work;
  assign chooses = u_place.state_q == 3'd2;
  always_comb begin
    for (int c = 0; c < CORES; c++) begin
      chosen[c] = 32'(u_place.core_d) == c;
      known[c] = cores_i[c] && groups_i[c] == u_place.control_q.group;
      work[c] = 15'(work_i[c]) + (u_place.keyed_q && !u_place.hit_q[c] ? 15'd16 : 15'd0);
    end
  end

  // The core that has the packet, and the words that it gets.
  logic [CORES-1:0] core;
  for (genvar c = 0; c < CORES; c++) begin : gen_core
    assign core[c] = 32'(u_place.core_q) == c;
  end
  cluster_control_t control;
  assign control = u_place.control_q;
  logic fetched_q, held_q;
  logic [KeyBits-1:0] place_q;
  // As formal_order has it: a packet is looked up once, two cycles or more before it is taken.
  logic looked_q, found_q;
  flow_t looked_flow_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_q <= 1'b0;
      found_q <= 1'b0;
    end else begin
      looked_q <= look || (looked_q && !take);
      found_q <= !look && looked_q && !take;
    end
  end
  always_ff @(posedge clk_i) if (look) looked_flow_q <= handle.flow;

  always_ff @(posedge clk_i) begin
    if (take) begin
      fetched_q <= key_take != '0;
      held_q <= |(hit_i & core);
      for (int c = 0; c < CORES; c++) if (core[c]) place_q <= key_take[c] ? free_i[c] : key_i[c];
    end
  end

  for (genvar c = 0; c < CORES; c++) begin : gen_choice
    always_comb if (rst_ni && chooses) begin
      usable: assert (!u_place.any_d || !chosen[c] ||
                      (mailbox_room_i[c] && cores_i[c] && (known == '0 || known[c])));
      none: assert (u_place.any_d || !mailbox_room_i[c] || !(known == '0 ? cores_i[c] : known[c]));
    end
    for (genvar d = 0; d < CORES; d++) begin : gen_other
      always_comb if (rst_ni && chooses && u_place.any_d && chosen[c]) begin
        least: assert (!mailbox_room_i[d] || !(known == '0 ? cores_i[d] : known[d]) ||
                       (d < c ? work[c] < work[d] : work[c] <= work[d]));
      end
    end
  end
  always_comb if (rst_ni) begin
    to_one: assert (!take || (u_place.any_q && room_i && $onehot(core)));
    looked_up: assert (!take || (found_q && looked_flow_q == handle.flow));
    looks_once: assert (!look || !looked_q);
    entries_of_one: assert (entries == '0 || take);
    asks: assert ((key_take != '0) == (request_valid && request_ready_i));
    of_its_flow: assert (!request_valid || request_address == flows_i + 40'({control.flow, 6'd0}));
    has_key: assert (!take || control.generation == '0 || !u_place.known_q || key_take == core || |(hit_i & core));
    key_once: assert (!take || (hit_i & core) == '0 || key_take == '0 || !u_place.hit_q[u_place.core_q]);
    with_its_key: assert (write == '0 || row[1:0] != '0 || !u_place.known_q || control.generation == '0 ||
                          ((fetched_q || held_q) && write_line[31:0] ==
                           core_control(control, 1'b1, place_q, control.operation)));
    refused: assert (write == '0 || row[1:0] != '0 || u_place.known_q || write_line[31:0] == NoOperation);
    to_the_same: assert ((write | filled) == '0 || (write | filled) == core);
    fetches: cover (key_take != '0 && keys_clear_i == '0 && hit_i[0]);
    loses: cover (take && u_place.known_q && key_take == core && |hit_i && core == 3'b010);
    waits: cover (full && rst_ni);
    done: cover (pop && u_place.known_q && !fetched_q && control.generation != '0);

    // Invariants for induction.
    looked: assert (looked_q == (u_place.state_q inside {3'd2, 3'd3}));
    found: assert (u_place.state_q != 3'd3 || found_q);
    looked_flow: assert (!looked_q || looked_flow_q == control.flow);
    took: assert (took_q == '0 || u_place.state_q == 3'd4);
    a_core: assert (32'(u_place.core_q) < CORES);
    has_generation: assert (u_place.state_q inside {3'd0, 3'd1, 3'd6} || u_place.keyed_q == (control.generation != '0));
    hits_hold: assert (!(u_place.state_q inside {3'd2, 3'd3}) || (u_place.hit_q & ~hit_i) == '0);
    place_held: assert (!(u_place.state_q inside {3'd4, 3'd5}) || !u_place.known_q || control.generation == '0 ||
                        u_place.key_q == place_q);
    has_place: assert (!(u_place.state_q inside {3'd4, 3'd5}) || !u_place.known_q || control.generation == '0 ||
                       fetched_q || held_q);
  end
  for (genvar c = 0; c < CORES; c++) begin : gen_held
    always_comb if (rst_ni) begin
      place_of_hit: assert (!(u_place.state_q inside {3'd2, 3'd3}) || !u_place.hit_q[c] ||
                            u_place.place_q[c] == key_i[c]);
    end
  end
endmodule
