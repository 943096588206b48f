// Makes the core faulty, by +DISTURB=WHAT, so that a test can check that the bench notices. It begins some cycles after
// the first start and acts while a program runs; a lost cycle is lost once.

module lutra_disturbance
  import lutra_isa_pkg::*;
(
  input logic clk_i
);

  localparam int unsigned Later = 12;

  string what;

  initial begin
    if ($value$plusargs("DISTURB=%s", what)) begin
      wait (tb_top.dut.state_o == StateRunning);
      repeat (Later) @(negedge clk_i);
      while (!tb_top.dut.id_issue) @(negedge clk_i);
      case (what)
        "result": force tb_top.dut.wb_value = 128'h1;
        "timing": begin
          force tb_top.dut.id_stall = 1'b1;
          @(negedge clk_i);
          release tb_top.dut.id_stall;
        end
        "silence": force tb_top.dut.id_stall = 1'b1;
        "interrupt": force tb_top.dut.u_control.irq_q = 1'b1;
        "counter": force tb_top.dut.u_perf.stall_i = 1'b1;
        "grant": force tb_top.dut.host_gnt_o = 1'b1;
        "data": force tb_top.dut.host_rdata_o = 128'h1;
        "store": force tb_top.dut.u_memories.gen_memory[3].u_memory.write_en_i = 1'b0;
        "register": force tb_top.dut.u_operands.wk_q = 128'h1;
        default: $fatal(1, "no such disturbance: %s", what);
      endcase
    end
  end

endmodule
