// A queue of registers: what is pushed in a cycle is at the head in the next one at the earliest. Neither handshake
// depends on the other one in the same cycle.

module lutra_queue #(
  parameter int unsigned Depth = 8,
  parameter int unsigned Width = 8
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic push_valid_i,
  output logic push_ready_o,
  input  logic [Width-1:0] push_i,

  output logic head_valid_o,
  input  logic head_ready_i,
  output logic [Width-1:0] head_o
);

  localparam int unsigned IndexBits = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned CountBits = $clog2(Depth + 1);

  logic [Depth-1:0][Width-1:0] entries_q, entries_d;
  logic [IndexBits-1:0] tail_q, tail_d, head_q, head_d;
  logic [CountBits-1:0] count_q, count_d;

  function automatic logic [IndexBits-1:0] after(logic [IndexBits-1:0] index);
    return 32'(index) == Depth - 1 ? '0 : index + IndexBits'(1);
  endfunction

  logic push, pop;
  assign push_ready_o = 32'(count_q) != Depth;
  assign head_valid_o = count_q != '0;
  assign head_o = entries_q[head_q];
  assign push = push_valid_i && push_ready_o;
  assign pop = head_valid_o && head_ready_i;

  always_comb begin
    entries_d = entries_q;
    if (push) entries_d[tail_q] = push_i;
    tail_d = push ? after(tail_q) : tail_q;
    head_d = pop ? after(head_q) : head_q;
    count_d = count_q + CountBits'(push) - CountBits'(pop);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q <= '0;
      head_q <= '0;
      count_q <= '0;
    end else begin
      tail_q <= tail_d;
      head_q <= head_d;
      count_q <= count_d;
    end
  end
  always_ff @(posedge clk_i) entries_q <= entries_d;

endmodule
