// One table bank: sixteen lanes of 256 bytes, each looked up by one byte. Row e holds entry e of all lanes.

module lutra_table
  import lutra_isa_pkg::*;
  import lutra_check_pkg::*;
#(
  parameter bit PROTECT = 0
) (
  input  logic clk_i,

  input  logic lookup_en_i,
  input  vec_t lookup_i,  // byte i addresses lane i

  input  logic write_en_i,
  input  logic [7:0] write_row_i,
  input  logic [VectorBytes-1:0] write_lanes_i,  // bit i: lane i
  input  vec_t write_data_i,

  input  logic scatter_en_i,
  input  vec_t scatter_rows_i,  // byte i: the row of lane i
  input  vec_t scatter_data_i,

  input  logic host_req_i,
  input  logic host_we_i,  // not while the core runs, so that both banks share one mux for the data to write
  input  logic [7:0] host_row_i,
  input  vec_t host_wdata_i,

  // Whether it writes, found once more, and whether it does as this says (PROTECT).
  input  logic write_again_i,
  input  logic [VectorBytes-1:0] write_parity_i,  // of the row in each lane
  output logic differ_o,
  output logic same_o,

  output vec_t rdata_o, // the cycle after a read
  output logic wrong_o, // it is not what was stored there
  output logic right_o
);

  logic [VectorBytes-1:0] parity, of_address;  // as stored, and of the rows that were read
  logic [VectorBytes-1:0] lane_told, lane_we, written;

  for (genvar l = 0; l < VectorBytes; l++) begin : gen_lane
    localparam int unsigned Byte = 8 * (VectorBytes - 1 - l);
    logic req, we;
    logic [7:0] index, wdata;

    // The address of a look-up is the last signal to arrive in a cycle.
    logic [7:0] other;
    always_comb begin
      req = lookup_en_i;
      we = 1'b0;
      other = '0;
      wdata = scatter_en_i ? scatter_data_i[Byte+:8] : host_we_i ? host_wdata_i[Byte+:8] : write_data_i[Byte+:8];
      if (scatter_en_i) begin
        req = 1'b1;
        we = 1'b1;
        other = scatter_rows_i[Byte+:8];
      end else if (write_en_i) begin
        req = write_lanes_i[l];
        we = 1'b1;
        other = write_row_i;
      end else if (host_req_i) begin
        req = 1'b1;
        we = host_we_i;
        other = host_row_i;
      end
      index = ({8{lookup_en_i}} & lookup_i[Byte+:8]) | other;
    end

    assign lane_told[l] = we;
    if (PROTECT) begin : gen_guard
      logic again;
      lutra_buffer u_again (
        .a_i(write_again_i),
        .y_o(again)
      );
      assign lane_we[l] = we && again;
      lutra_buffer u_written (
        .a_i(lane_we[l]),
        .y_o(written[l])
      );
    end else begin : gen_no_guard
      assign lane_we[l] = we;
      assign written[l] = 1'b0;
    end

    lutra_sram #(
      .Depth(TableRows),
      .Width(8)
    ) u_sram (
      .clk_i,
      .req_i(req),
      .we_i(lane_we[l]),
      .index_i(index),
      .wdata_i(wdata),
      .rdata_o(rdata_o[Byte+:8])
    );

    // What is looked up arrives last, so its parity waits for the next cycle.
    if (PROTECT) begin : gen_check
      logic [7:0] row_q;
      always_ff @(posedge clk_i) row_q <= lookup_en_i ? lookup_i[Byte+:8] : host_row_i;
      assign of_address[l] = ^row_q;
      lutra_sram #(
        .Depth(TableRows),
        .Width(1)
      ) u_check (
        .clk_i,
        .req_i(req),
        .we_i(lane_we[l]),
        .index_i(index),
        .wdata_i(^wdata ^ write_parity_i[l]),
        .rdata_o(parity[l])
      );
    end else begin : gen_no_check
      assign of_address[l] = 1'b0;
      assign parity[l] = 1'b0;
    end
  end

  if (PROTECT) begin : gen_checks
    lutra_row_check u_check (
      .row_i(rdata_o),
      .parity_i(parity),
      .address_i(of_address),
      .wrong_o,
      .right_o
    );
    lutra_compare #(
      .WIDTH(2)
    ) u_writes (
      .a_i({{lane_told, written} != '0, written == '1}),
      .b_i({2{write_again_i}}),
      .differ_o,
      .same_o
    );
  end else begin : gen_no_checks
    assign wrong_o = 1'b0;
    assign right_o = 1'b1;
    assign differ_o = 1'b0;
    assign same_o = 1'b1;
    logic unused;
    assign unused = &{1'b0, parity, of_address, lane_told, written, write_again_i, write_parity_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    single_port: assert ($onehot0({lookup_en_i, write_en_i, scatter_en_i, host_req_i})) else $error("table bank accessed twice");
    host_waits: assert (!((write_en_i || scatter_en_i) && host_we_i)) else $error("a host that writes while the core does");
  end
`endif

endmodule
