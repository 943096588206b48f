// Addresses of entries of both rings: of descriptors to fetch and of completions to post. A ring may be in its window
// only, since whoever has its page can write any address there. One adder serves both; an entry is chosen when none is
// in work, completions first, and stays until its address is taken.

module lutra_ring_address
  import lutra_soc_pkg::*;
#(
  parameter int unsigned ADDR_WIDTH = 40
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [Rings-1:0][63:0] descriptors_i,
  input  logic [Rings-1:0][63:0] completions_i,
  input  logic [Rings-1:0][63:0] window_base_i,
  input  logic [Rings-1:0][63:0] window_limit_i,

  // 0: descriptor, 1: completion.
  input  logic [1:0] valid_i,
  input  logic [1:0] ring_i,
  input  logic [1:0][14:0] index_i,
  output logic [1:0] ready_o,
  input  logic [1:0] taken_i,
  output logic [ADDR_WIDTH-1:0] address_o,
  output logic fault_o
);

  typedef logic [ADDR_WIDTH-1:0] address_t;

  logic busy_q, busy_d, kind_q, kind_d;
  always_comb begin
    busy_d = busy_q;
    kind_d = kind_q;
    if (!busy_q) begin
      busy_d = valid_i != '0;
      kind_d = valid_i[1];
    end else if (taken_i[kind_q]) busy_d = 1'b0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      kind_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      kind_q <= kind_d;
    end
  end
  assign ready_o = {busy_q && kind_q, busy_q && !kind_q};

  logic ring;
  logic [63:0] base;
  address_t last;
  logic carry;
  assign ring = ring_i[kind_q];
  assign base = kind_q ? completions_i[ring] : descriptors_i[ring];
  // Entries are aligned, so that their low bits come through the adder as zeros.
  assign {carry, address_o} = {1'b0, address_t'(base[ADDR_WIDTH-1:4]) << 4} +
                              (ADDR_WIDTH + 1)'(kind_q ? {2'd0, index_i[1], 4'd0} : {index_i[0], 6'd0});
  assign last = address_o | (kind_q ? 'd15 : 'd63);
  assign fault_o = carry || base[63:ADDR_WIDTH] != '0 || (!kind_q && base[5:4] != '0) || base[3:0] != '0 ||
                   64'(address_o) < window_base_i[ring] || 64'(last) >= window_limit_i[ring];

endmodule
