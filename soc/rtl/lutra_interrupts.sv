// When a ring interrupts: after so many completions, after so much time since the first one that nobody was told of, or
// at once where a descriptor asks for it.

module lutra_interrupts (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic tick_i,         // each 64 cycles
  input  logic [7:0] count_i,
  input  logic [15:0] timer_i,
  input  logic completed_i,    // a completion is in memory
  input  logic at_once_i,      // with completed_i
  output logic completed_o     // interrupt
);

  logic [7:0] count_q, count_d;
  logic [15:0] timer_q, timer_d;
  logic waiting;
  assign waiting = count_q != '0;

  always_comb begin
    // As many as an 8-bit count can ask for.
    count_d = count_q + 8'(completed_i && count_q != '1);
    timer_d = waiting ? timer_q + 16'(tick_i) : '0;
    completed_o = (completed_i && at_once_i) || (count_i != '0 && count_d >= count_i) ||
                  (timer_i != '0 && waiting && timer_q > timer_i);
    if (completed_o) count_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      timer_q <= '0;
    end else begin
      count_q <= count_d;
      timer_q <= timer_d;
    end
  end

endmodule
