// Which key contexts hold a key. A key is gone when its context is set anew, when the firmware trapped or the core was
// wiped, and, in a core that can be wiped, when its ring is closed.

module lutra_keys
  import lutra_engine_pkg::*;
  import lutra_soc_pkg::*;
#(
  parameter bit WIPE = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic [4:0] context_i,
  input  logic ring_i,
  output logic valid_o,       // the context has a key
  input  logic set_i,         // it has one from now on,
  input  logic drop_i,        // or none
  input  logic clear_i,       // nor has any
  input  logic [Rings-1:0] closed_i
);

  logic [Contexts-1:0] keys_q, keys_d, owner_q;
  always_comb begin
    keys_d = keys_q;
    if (set_i || drop_i) keys_d[context_i] = set_i;
    for (int k = 0; k < Contexts; k++) if (WIPE && closed_i[owner_q[k]]) keys_d[k] = 1'b0;
    if (clear_i) keys_d = '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) keys_q <= '0;
    else keys_q <= keys_d;
  end
  assign valid_o = context_i < 5'(Contexts) && keys_q[context_i];

  if (WIPE) begin : gen_owner
    always_ff @(posedge clk_i) if (set_i) owner_q[context_i] <= ring_i;
  end else begin : gen_no_owner
    assign owner_q = '0;
    logic unused;
    assign unused = &{1'b0, ring_i, closed_i};
  end

endmodule
