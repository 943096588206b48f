// The signals of the AXI4 port that change from transfer to transfer, by the side that drives them. Those that never
// change are checked by the protocol checker (soc/checker).

localparam int unsigned AddressBits = 40;
localparam int unsigned DataBits = 64;
localparam int unsigned Lanes = DataBits / 8;

typedef logic [AddressBits-1:0] axi_address_t;
typedef logic [2:0] axi_id_t;
typedef logic [1:0] axi_response_t;

localparam axi_response_t Okay = 2'd0, SlaveError = 2'd2, DecodeError = 2'd3;

typedef enum int {AxiAr, AxiR, AxiAw, AxiW, AxiB} axi_channel_e;
localparam int unsigned Channels = 5;

typedef struct packed {
  logic awvalid;
  axi_id_t awid;
  axi_address_t awaddr;
  logic [7:0] awlen;
  logic wvalid;
  logic [DataBits-1:0] wdata;
  logic [Lanes-1:0] wstrb;
  logic wlast;
  logic bready;
  logic arvalid;
  axi_id_t arid;
  axi_address_t araddr;
  logic [7:0] arlen;
  logic rready;
} axi_manager_t;

typedef struct packed {
  logic awready;
  logic wready;
  logic bvalid;
  axi_id_t bid;
  axi_response_t bresp;
  logic arready;
  logic rvalid;
  axi_id_t rid;
  logic [DataBits-1:0] rdata;
  axi_response_t rresp;
  logic rlast;
} axi_subordinate_t;

// Bytes from `first` on.
typedef struct {
  axi_address_t first;
  int unsigned bytes;
} axi_range_t;
