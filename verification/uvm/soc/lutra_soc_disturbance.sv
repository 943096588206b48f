// Makes the device faulty, by +DISTURB=WHAT, so that a test can check that the bench notices. It begins some cycles
// after the core runs for the first time.

module lutra_soc_disturbance (
  input logic clk_i
);

  localparam int unsigned Later = 3000;

  string what;

  initial begin
    if ($value$plusargs("DISTURB=%s", what)) begin
      wait (soc_top.dut.core_state == 3'd1);
      repeat (Later) @(negedge clk_i);
      case (what)
        "data": force soc_top.dut.out_row = 128'h1;
        "strobe": force soc_top.dut.u_transfers.u_dma_write.u_unpack.strobe_o = '1;
        "address": force soc_top.dut.u_transfers.u_dma_read.request_address_o = 40'h12_0000_0040;
        "valid": begin
          while (!(soc_top.dut.m_axi_awvalid && !soc_top.dut.m_axi_awready)) @(negedge clk_i);
          @(posedge clk_i);
          force soc_top.dut.m_axi_awvalid = 1'b0;
        end
        "interrupt": force soc_top.dut.irq_o = '0;
        default: $fatal(1, "no such disturbance: %s", what);
      endcase
    end
  end

endmodule
