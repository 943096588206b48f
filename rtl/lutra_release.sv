// Whether the host may see the data memories and tables: a program closes them, and opens them when what it has
// compared is right. Only a wipe opens them otherwise.

module lutra_release
  import lutra_isa_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,

  input  logic wb_valid_i,
  input  sq_fn_e wb_fn_i,
  input  logic flag_i,  // what the last comparison before it has found
  output logic closed_o
);

  // Either of the two says so: one that is flipped does not open anything.
  logic closed_q, open_q, closed, closes, opens;
  assign closed = closed_q || !open_q;
  assign closes = wb_valid_i && wb_fn_i == SqClose;
  assign opens = wb_valid_i && wb_fn_i == SqOpen && flag_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      closed_q <= 1'b0;
      open_q <= 1'b1;
    end else begin
      closed_q <= closes || (closed && !opens);
      open_q <= !(closes || (closed && !opens));
    end
  end
  assign closed_o = closed;

endmodule
