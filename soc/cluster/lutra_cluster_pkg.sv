// Types that the units of lutra_cluster share.

package lutra_cluster_pkg;

  import lutra_layout_pkg::*;
  import lutra_cluster_layout_pkg::*;

  // Registers: those of the cluster, then those of each core that there may be.
  localparam int unsigned MostCores = 8;
  localparam int unsigned MostPairs = MostCores / 2;
  localparam int unsigned CoreAddressBits = CoresLog2;
  localparam int unsigned AddressBits = CoreAddressBits + $clog2(CoresFirst + MostCores);

  localparam int unsigned Packets = ClusterPackets;  // in flight, numbered in the order of the ring
  typedef logic [$clog2(Packets)-1:0] order_t;
  localparam int unsigned Ahead = 16;    // descriptors that are fetched and have no core yet
  typedef logic [$clog2(Ahead)-1:0] ahead_t;

  // A core takes its jobs from a mailbox, the ring of descriptors of its ring 1.
  localparam int unsigned Jobs = ClusterJobs;
  typedef logic [$clog2(Jobs)-1:0] job_t;
  localparam int unsigned Unanswered = 3;  // completions of a core, of two writes each
  localparam int unsigned JobRows = 4;   // of 16 bytes
  typedef logic [$clog2(Jobs*JobRows)-1:0] job_row_t;
  typedef logic [127:0] line_t;          // a row as on a bus of 128 bits: its first byte in [7:0]

  localparam int unsigned Keys = ClusterKeys;
  localparam int unsigned KeyBits = $clog2(Keys);

  localparam cluster_control_t Control = '0;
  typedef logic [ClusterFlowBits-1:0] flow_t;
  typedef struct packed {
    logic [$bits(Control.generation)-1:0] generation;
    flow_t flow;
  } handle_t;

  function automatic handle_t handle_of(cluster_control_t control);
    return '{generation: control.generation, flow: control.flow};
  endfunction

  // A key that is in its descriptor; as core_control takes the flags.
  localparam logic [3:0] InlinePayload = 4'b0100;

  // The same word for a core. The generation of a key in a core is its flow, so a core refuses a packet whose key was
  // replaced by another flow's.
  function automatic logic [31:0] core_control(
    cluster_control_t control, logic keyed, logic [KeyBits-1:0] key, logic [3:0] operation
  );
    descriptor_control_t word;
    word = '0;
    word.operation = 8'(operation);
    {word.interrupt, word.inline_payload, word.scatter, word.gather} = control.flags;
    if (keyed) begin
      word.context_ = 5'(key);
      word.generation = {1'b1, control.flow};
    end
    return word;
  endfunction

  // First word of a job that no firmware has.
  localparam logic [31:0] NoOperation = 32'h7f;

  // An operation of every firmware that sets a key, and clears one without a length.
  localparam logic [3:0] ClearOperation = 4'd0;

  // Bits of a core's number.
  function automatic int unsigned core_bits(int unsigned cores);
    return cores > 1 ? $clog2(cores) : 1;
  endfunction

  // Work of a core, in blocks of 16 bytes and blocks' worth of overhead. It only ranks cores.
  localparam int unsigned WorkBits = 14;
  typedef logic [WorkBits-1:0] work_t;
  localparam work_t JobWork = 4;   // of any job
  localparam work_t KeyWork = 16;  // what a key costs that has to be fetched
  localparam int unsigned PacketWorkBits = 10;

  function automatic work_t work_of(logic [31:0] bytes);
    return |bytes[31:PacketWorkBits+4] ? work_t'(2 ** PacketWorkBits - 1) : work_t'(bytes[PacketWorkBits+3:4]) + JobWork;
  endfunction

  // Orders about mailbox and keys, which both cores of a pair get.
  typedef struct packed {
    logic clear;
    logic keys_clear;
    logic [1:0] take;
    logic write;
    logic [1:0] filled;
    logic bad;
    logic key_take;
  } orders_t;

  // A job that is in a core, by its entry in the mailbox.
  typedef struct packed {
    logic is_key;
    order_t packet;
    work_t work;
  } entry_t;

endpackage
