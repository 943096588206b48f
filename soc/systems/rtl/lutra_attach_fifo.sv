// S3: the core behind two FIFOs of 32 data bits and a control bit, such as Xilinx's FSL. A word with its control bit
// set is a command; it is done before the next one is taken.
//
//   31:30  0 start at the entry 15:0
//          1 write rows: the data words that follow, four to a row
//          2 read rows: their words go to the host
//          3 wait until the core has stopped, then send its state, with the control bit set
//   29:20  rows
//   18:16  space
//   15:0   first row, or word of the program memory, which is the last eight bytes of its row

module lutra_attach_fifo
  import lutra_isa_pkg::*;
  import lutra_system_pkg::*;
#(
  parameter int unsigned DEPTH = 8
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           put_valid_i,
  output logic           put_ready_o,
  input  logic [32:0]    put_i,
  output logic           get_valid_o,
  input  logic           get_ready_i,
  output logic [32:0]    get_o,
  output port_request_t  port_o,
  input  port_response_t port_i
);
  typedef enum logic [2:0] {Command, Collect, Fetch, Arrive, Send, Stopped} state_t;
  state_t state_q, state_d;
  logic [9:0] rows_q, rows_d;
  space_e space_q, space_d;
  addr_t row_q, row_d;
  logic [1:0] word_q, word_d;
  logic [3:0][31:0] buffer_q, buffer_d;  // word 0 is [3]

  logic in_valid, in_ready, out_valid, out_ready;
  logic [32:0] in, out;
  lutra_fifo #(.WIDTH(33), .DEPTH(DEPTH)) u_in (
    .clk_i, .rst_ni, .valid_i(put_valid_i), .ready_o(put_ready_o), .data_i(put_i),
    .valid_o(in_valid), .ready_i(in_ready), .data_o(in)
  );
  lutra_fifo #(.WIDTH(33), .DEPTH(DEPTH)) u_out (
    .clk_i, .rst_ni, .valid_i(out_valid), .ready_o(out_ready), .data_i(out),
    .valid_o(get_valid_o), .ready_i(get_ready_i), .data_o(get_o)
  );

  always_comb begin
    port_o = '0;
    port_o.req = state_q == Fetch || (state_q == Collect && in_valid && word_q == 2'd3);
    port_o.we = state_q == Collect;
    port_o.space = space_q;
    port_o.row = row_q;
    port_o.wdata = {buffer_q[3:1], swapped(in[31:0])};
    port_o.start = state_q == Command && in_valid && in[32] && in[31:30] == 2'd0;
    port_o.entry = addr_t'(in[15:0]);
  end

  always_comb begin
    state_d = state_q;
    rows_d = rows_q;
    space_d = space_q;
    row_d = row_q;
    word_d = word_q;
    buffer_d = buffer_q;
    in_ready = 1'b0;
    out_valid = 1'b0;
    out = {1'b0, swapped(buffer_q[2'd3 - word_q])};

    unique case (state_q)
      Command: begin
        in_ready = 1'b1;
        rows_d = in[29:20];
        space_d = space_e'(in[18:16]);
        row_d = addr_t'(in[15:0]);
        word_d = '0;
        if (in_valid && in[32]) begin
          unique case (in[31:30])
            0: ;
            1: state_d = Collect;
            2: state_d = Fetch;
            3: state_d = Stopped;
          endcase
        end
      end
      Collect: begin
        in_ready = word_q != 2'd3 || port_i.gnt;
        if (in_valid && in_ready) begin
          buffer_d[2'd3 - word_q] = swapped(in[31:0]);
          word_d = word_q + 1'b1;
          if (word_q == 2'd3) begin
            row_d = row_q + 1'b1;
            rows_d = rows_q - 1'b1;
            if (rows_q == 1) state_d = Command;
          end
        end
      end
      Fetch: begin
        if (port_i.gnt) state_d = Arrive;
      end
      Arrive: begin
        buffer_d = port_i.rdata;
        state_d = Send;
      end
      Send: begin
        out_valid = 1'b1;
        if (out_ready) begin
          word_d = word_q + 1'b1;
          if (word_q == 2'd3) begin
            row_d = row_q + 1'b1;
            rows_d = rows_q - 1'b1;
            state_d = rows_q == 1 ? Command : Fetch;
          end
        end
      end
      Stopped: begin
        out_valid = port_i.state != StateRunning;
        out = {1'b1, 32'(port_i.state)};
        if (out_valid && out_ready) state_d = Command;
      end
      default: state_d = Command;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Command;
    else state_q <= state_d;
  end
  always_ff @(posedge clk_i) begin
    rows_q <= rows_d;
    space_q <= space_d;
    row_q <= row_d;
    word_q <= word_d;
    buffer_q <= buffer_d;
  end

endmodule
