// Memory of the engine, and who uses it: fixed precedence, one access per cycle. Data come in the cycle after the
// grant of a read and stay until the next read; who needs them longer holds them.

module lutra_store
  import lutra_engine_pkg::*;
  import lutra_soc_pkg::*;
(
  input  logic clk_i,

  input  store_request_t [StoreClients-1:0] request_i,
  output logic [StoreClients-1:0] grant_o,
  input  logic hold_i,  // no reads, writes only
  output row_t data_o
);

  logic [StoreClients-1:0] eligible;
  always_comb begin
    for (int c = 0; c < StoreClients; c++) eligible[c] = request_i[c].valid && (request_i[c].write != '0 || !hold_i);
  end
  assign grant_o = eligible & ~(eligible - StoreClients'(1));

  store_request_t taken;
  always_comb begin
    taken = '0;
    for (int c = 0; c < StoreClients; c++) taken |= grant_o[c] ? request_i[c] : '0;
  end

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    lutra_sram #(
      .Depth(128),
      .Width(64)
    ) u_sram (
      .clk_i,
      .req_i(taken.valid && (taken.write == '0 || taken.write[b])),
      .we_i(taken.write[b]),
      .index_i(b == 1 && taken.shifted ? taken.row + 7'd1 : taken.row),
      .wdata_i(taken.data[64*b+:64]),
      .rdata_o(data_o[64*b+:64])
    );
  end

endmodule
