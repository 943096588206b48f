// AXI4-Lite of the cluster: the registers of its own, those of every core, and the doorbells of the cores, which the
// cluster rings itself. One access to a core at a time.

module lutra_cluster_lite
  import lutra_cluster_layout_pkg::*;
  import lutra_cluster_pkg::*;
#(
  parameter int unsigned CORES = 4,
  parameter int unsigned RegisterBits = AddressBits,
  parameter int unsigned CoreRegisterBits = CoreAddressBits,
  parameter logic [CoreRegisterBits-1:0] Doorbell = '0
) (
  input  logic clk_i,
  input  logic rst_ni,

  // The host's accesses, as lutra_register_port makes them.
  input  logic request_i,  // a pulse
  input  logic write_i,
  input  logic [RegisterBits-1:0] address_i,
  input  logic [31:0] data_i,
  input  logic [31:0] enable_i,
  output logic read_ack_o,
  output logic write_ack_o,
  output logic [31:0] data_o,

  // To the cluster's registers.
  output logic own_request_o,
  input  logic own_read_ack_i,
  input  logic own_write_ack_i,
  input  logic [31:0] own_data_i,

  // Doorbells.
  input  logic [CORES-1:0] ring_i,
  input  logic [CORES-1:0][15:0] tail_i,
  output logic [CORES-1:0] rung_o,

  // Cores.
  output logic [CORES-1:0] core_awvalid_o,  // with the data
  input  logic [CORES-1:0] core_awready_i,
  output logic [CORES-1:0] core_arvalid_o,
  input  logic [CORES-1:0] core_arready_i,
  output logic [CoreRegisterBits-1:0] core_address_o,
  output logic [31:0] core_data_o,
  output logic [3:0] core_strobe_o,
  input  logic [CORES-1:0] core_bvalid_i,
  input  logic [CORES-1:0] core_rvalid_i,
  input  logic [CORES-1:0][31:0] core_data_i
);

  localparam int unsigned CoreBits = core_bits(CORES);
  localparam int unsigned PlaceBits = RegisterBits - CoreRegisterBits;
  localparam logic [PlaceBits-1:0] FirstCore = PlaceBits'(CoresFirst);

  typedef enum logic [1:0] {LiteIdle, LiteAddress, LiteAnswer} lite_e;
  lite_e state_q, state_d;
  logic waits_q, waits_d, doorbell_q, doorbell_d;  // waits: the host does
  logic [CoreBits-1:0] core_q, core_d, turn_q, turn_d;
  logic [15:0] tail_q, tail_d;

  logic [PlaceBits-1:0] place;
  logic own, none, taken, answered;
  assign place = address_i[RegisterBits-1:CoreRegisterBits];
  assign own = place == '0;
  assign none = !own && (place < FirstCore || 32'(place - FirstCore) >= CORES);
  assign own_request_o = request_i && own;
  assign taken = doorbell_q || write_i ? core_awready_i[core_q] : core_arready_i[core_q];
  assign answered = state_q == LiteAnswer && (core_bvalid_i[core_q] || core_rvalid_i[core_q]);

  logic host_turn, host_ends;
  assign host_turn = (waits_q || request_i) && !own && !none;
  assign host_ends = (answered && !doorbell_q) || (request_i && none);
  assign waits_d = (waits_q || request_i) && !own && !host_ends;

  always_comb begin
    state_d = state_q;
    doorbell_d = doorbell_q;
    core_d = core_q;
    turn_d = turn_q;
    tail_d = tail_q;
    rung_o = '0;
    unique case (state_q)
      LiteAddress: if (taken) state_d = LiteAnswer;
      LiteAnswer: if (answered) state_d = LiteIdle;
      default: begin
        // The host and the doorbells in turn, if both wait.
        if (host_turn && (doorbell_q || ring_i == '0)) begin
          doorbell_d = 1'b0;
          core_d = CoreBits'(place - FirstCore);
          state_d = LiteAddress;
        end else if (ring_i[turn_q]) begin
          doorbell_d = 1'b1;
          core_d = turn_q;
          tail_d = tail_i[turn_q];
          rung_o[turn_q] = 1'b1;
          state_d = LiteAddress;
        end
        turn_d = 32'(turn_q) == CORES - 1 ? '0 : turn_q + CoreBits'(1);
      end
    endcase
  end

  always_comb begin
    core_awvalid_o = '0;
    core_arvalid_o = '0;
    core_awvalid_o[core_q] = state_q == LiteAddress && (doorbell_q || write_i);
    core_arvalid_o[core_q] = state_q == LiteAddress && !doorbell_q && !write_i;
    core_address_o = doorbell_q ? Doorbell : address_i[CoreRegisterBits-1:0];
    core_data_o = doorbell_q ? 32'(tail_q) : data_i;
    core_strobe_o = doorbell_q ? '1 : {enable_i[24], enable_i[16], enable_i[8], enable_i[0]};
  end
  assign read_ack_o = own_read_ack_i || (host_ends && !write_i);
  assign write_ack_o = own_write_ack_i || (host_ends && write_i);
  always_comb begin
    data_o = own_data_i;
    if (!own) data_o = none ? '0 : core_data_i[core_q];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= LiteIdle;
      waits_q <= 1'b0;
      turn_q <= '0;
      core_q <= '0;
      doorbell_q <= 1'b0;
    end else begin
      state_q <= state_d;
      waits_q <= waits_d;
      turn_q <= turn_d;
      core_q <= core_d;
      doorbell_q <= doorbell_d;
    end
  end
  always_ff @(posedge clk_i) tail_q <= tail_d;

endmodule
