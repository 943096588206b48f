// All fixed-function cores side by side, for the bench: `core_i` says which of them is spoken to, in the order of
// fixed_function.toml.

module fixed_bench
  import lutra_fixed_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [2:0]   core_i,

  input  logic         setup_valid_i,
  output logic         setup_ready_o,
  input  logic [258:0] setup_i,

  input  logic         valid_i,
  output logic         ready_o,
  input  logic [255:0] data_i,
  output logic         valid_o,
  output logic [255:0] data_o
);

  localparam int unsigned Cores = 7;

  logic [Cores-1:0] setup_valid, setup_ready, valid_in, ready, valid_out;
  logic [Cores-1:0][255:0] data_out;

  always_comb begin
    setup_valid = '0;
    valid_in = '0;
    setup_valid[core_i] = setup_valid_i;
    valid_in[core_i] = valid_i;
  end
  assign setup_ready_o = setup_ready[core_i];
  assign ready_o = ready[core_i];
  assign valid_o = valid_out[core_i];
  assign data_o = data_out[core_i];

  `define CORE(index, name, setup_bits, in_bits, out_bits) \
    logic [out_bits-1:0] name``_data; \
    lutra_fixed_``name u_``name ( \
      .clk_i, .rst_ni, \
      .setup_valid_i(setup_valid[index]), .setup_ready_o(setup_ready[index]), .setup_i(setup_i[setup_bits-1:0]), \
      .valid_i(valid_in[index]), .ready_o(ready[index]), .data_i(data_i[in_bits-1:0]), \
      .valid_o(valid_out[index]), .data_o(name``_data) \
    ); \
    assign data_out[index] = 256'(name``_data);

  `CORE(0, aes, 259, 128, 128)
  `CORE(1, aria, 259, 128, 128)
  `CORE(2, camellia, 259, 256, 256)
  `CORE(3, snow3g, 256, 32, 32)
  `CORE(4, zuc, 256, 32, 32)
  `CORE(5, crc, $bits(crc_setup_t), $bits(beat_t), 32)
  `CORE(6, ghash, 128, 128, 128)

endmodule
