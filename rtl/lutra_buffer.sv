// A buffer that synthesis does not see through, the place of one technology cell that is kept: what is computed from
// its output is not shared with what is computed from its input.

(* keep_hierarchy *)
module lutra_buffer (
  input  logic a_i,
  output logic y_o
);

  assign y_o = a_i;

endmodule
