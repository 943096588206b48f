// A bus that answers later: a model of the interconnect between the host and an attachment. Requests go on `cycles_i`
// cycles later, responses at once, so the round trip is that of the device and `cycles_i`.

module lutra_system_delay
  import lutra_system_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] cycles_i,
  input  request_t   host_i,
  output response_t  host_o,
  output request_t   device_o,
  input  response_t  device_i
);
  typedef enum logic [1:0] {Idle, Travel, Answer} state_e;
  state_e state_q, state_d;
  logic [7:0] left_q, left_d;
  request_t held_q, held_d;
  logic sent;

  always_comb begin
    state_d = state_q;
    left_d = left_q;
    held_d = held_q;
    device_o = held_q;
    device_o.req = state_q == Travel && left_q == 0;
    host_o = '{gnt: 1'b0, rvalid: device_i.rvalid, rdata: device_i.rdata};
    sent = device_o.req && device_i.gnt;
    if (state_q == Travel && left_q != 0) left_d = left_q - 1'b1;
    if (sent) state_d = Answer;
    if (state_q == Idle || device_i.rvalid) begin
      state_d = Idle;
      host_o.gnt = host_i.req;
      if (host_i.req) begin
        held_d = host_i;
        left_d = cycles_i - 1'b1;
        state_d = Travel;
      end
    end
    if (cycles_i == 0) begin
      device_o = host_i;
      host_o = device_i;
      state_d = Idle;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Idle;
    else state_q <= state_d;
  end
  always_ff @(posedge clk_i) begin
    left_q <= left_d;
    held_q <= held_d;
  end

endmodule
