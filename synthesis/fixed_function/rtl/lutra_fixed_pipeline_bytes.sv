// SubBytes of AES (FIPS 197 5.1.1) with `Inner` registers: none; one after it; or one in the middle, before the
// inversion in GF(2^4), and one after it.

module lutra_fixed_pipeline_bytes
  import lutra_fixed_sbox_pkg::*;
#(
  parameter int unsigned Bytes = 16,
  parameter int unsigned Inner = 0
) (
  input  logic                  clk_i,
  input  logic [Bytes-1:0][7:0] x_i,
  output logic [Bytes-1:0][7:0] y_o
);

  logic [Bytes-1:0][7:0] y;

  if (Inner == 2) begin : gen_middle
    logic [Bytes-1:0][7:0] x_q;
    logic [Bytes-1:0][3:0] middle, middle_q;
    always_comb begin
      for (int i = 0; i < Bytes; i++) begin
        middle[i] = aes_before(x_i[i]);
        y[i] = aes_after(x_q[i], middle_q[i]);
      end
    end
    always_ff @(posedge clk_i) begin
      x_q <= x_i;
      middle_q <= middle;
    end
  end else begin : gen_whole
    always_comb begin
      for (int i = 0; i < Bytes; i++) y[i] = aes(x_i[i]);
    end
  end

  if (Inner == 0) begin : gen_none
    assign y_o = y;
    logic unused;
    assign unused = clk_i;
  end else begin : gen_end
    logic [Bytes-1:0][7:0] y_q;
    always_ff @(posedge clk_i) y_q <= y;
    assign y_o = y_q;
  end

endmodule
