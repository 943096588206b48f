// Whether the device of S5 has work, which its ports do not tell: for the gate of its clock.

module lutra_system_busy (
  output logic busy_o
);
  assign busy_o = lutra_system.gen_ring.u_axi.u_engine.busy;

endmodule
