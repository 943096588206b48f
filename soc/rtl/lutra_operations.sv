// The table of operations in the store, as registers. It does not change while descriptors may be in work: a write
// then is ignored, so that writes never meet those of lutra_fetch, which cannot wait.

module lutra_operations
  import lutra_engine_pkg::*;
  import lutra_layout_pkg::*;
  import lutra_regs_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic locked_i,

  input  lutra_axi__operation__external__out_t registers_i[16],
  output lutra_axi__operation__external__in_t registers_o[16],

  output store_request_t store_o,
  input  logic store_grant_i,
  input  logic [31:0] store_data_i
);

  logic write, read, reading_q, reading_d, live_q, live_d;
  logic [3:0] index, index_q, index_d;
  operation_t data;
  always_comb begin
    write = 1'b0;
    read = 1'b0;
    index = '0;
    for (int i = 0; i < 16; i++) begin
      if (registers_i[i].req) begin
        index |= 4'(i);
        write |= registers_i[i].req_is_wr;
        read |= !registers_i[i].req_is_wr;
      end
    end
    // All entries see the same data.
    data = operation_t'(registers_i[0].wr_data);
  end
  assign reading_d = (reading_q || read) && !(store_grant_i && !write);
  assign live_d = store_grant_i && !write;
  assign index_d = read ? index : index_q;

  always_comb begin
    store_o = '0;
    store_o.valid = (write && !locked_i) || reading_q;
    store_o.write = write ? 2'b10 : '0;
    store_o.row = operation_row(write ? index : index_q);
    store_o.data[127:96] = data;
  end

  for (genvar i = 0; i < 16; i++) begin : gen_answer
    assign registers_o[i].wr_ack = registers_i[i].req && registers_i[i].req_is_wr;
    assign registers_o[i].rd_ack = live_q && index_q == 4'(i);
    assign registers_o[i].rd_data = store_data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reading_q <= 1'b0;
      live_q <= 1'b0;
      index_q <= '0;
    end else begin
      reading_q <= reading_d;
      live_q <= live_d;
      index_q <= index_d;
    end
  end

endmodule
