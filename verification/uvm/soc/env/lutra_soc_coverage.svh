// Coverage of transfers, messages and moments. The runner adds up the bins of all runs.

// Enumerations have their bins here, because Verilator 5.052 gives them 64.

class lutra_soc_coverage extends uvm_subscriber #(lutra_axi_item);

  // What a burst is for: ids of reads, then those of writes.
  typedef enum int {ForDescriptor, ForSourceList, ForDestinationList, ForSource, ForDestination, ForCompletion} purpose_e;
  // Bytes of a payload, by what they mean for rows of 16 bytes and chunks of 64 rows.
  typedef enum int {LengthNone, LengthPart, LengthRow, LengthRows, LengthRowsAndPart, LengthChunk, LengthChunks} length_e;

  purpose_e purpose;
  int unsigned beats, waited, channel;
  axi_response_t response;
  lutra_soc_message message;
  length_e length;
  int unsigned source_lane, destination_lane, log2, filled;
  bit second_pass, phase_flips;
  activity_e activity;
  bit core_runs;

  covergroup burst_cg;
    option.per_instance = 1;
    read: coverpoint beats iff (purpose == ForSource) {bins beats[] = {[1:16]};}
    write: coverpoint beats iff (purpose == ForDestination) {bins beats[] = {[1:16]};}
    descriptor: coverpoint beats iff (purpose == ForDescriptor) {bins beats[] = {8};}
    source_list: coverpoint beats iff (purpose == ForSourceList) {bins beats[] = {2};}
    destination_list: coverpoint beats iff (purpose == ForDestinationList) {bins beats[] = {2};}
    completion: coverpoint beats iff (purpose == ForCompletion) {bins beats[] = {1};}
  endgroup

  covergroup response_cg;
    option.per_instance = 1;
    purpose: coverpoint purpose {bins purpose[] = {[int'(ForDescriptor):int'(ForCompletion)]};}
    response: coverpoint response {bins okay = {Okay}; bins slave = {SlaveError}; bins decode = {DecodeError};}
    each: cross purpose, response;
  endgroup

  covergroup stall_cg;
    option.per_instance = 1;
    channel: coverpoint channel {bins ar = {0}; bins r = {1}; bins aw = {2}; bins w = {3};}
    waited: coverpoint waited {bins none = {0}; bins one = {1}; bins some = {[2:7]}; bins long_time = {[8:$]};}
    each: cross channel, waited;
    // The device is always ready for a response.
    response: coverpoint waited iff (channel == int'(AxiB)) {bins none = {0};}
  endgroup

  covergroup alignment_cg;
    option.per_instance = 1;
    source: coverpoint source_lane {bins lane[] = {[0:7]};}
    destination: coverpoint destination_lane {bins lane[] = {[0:7]};}
    each: cross source, destination;
  endgroup

  covergroup status_cg;
    option.per_instance = 1;
    status: coverpoint message.status {bins status[] = {[0:12]};}
    ring: coverpoint message.ring {bins ring[] = {[0:1]};}
    each: cross status, ring;
  endgroup

  covergroup kind_cg;
    option.per_instance = 1;
    kind: coverpoint message.kind {
      bins crypt = {KindCrypt}; bins once = {KindOnce}; bins mac = {KindMac}; bins seal = {KindSeal}; bins open = {KindOpen};
    }
    length: coverpoint length {bins length[] = {[int'(LengthNone):int'(LengthChunks)]};}
    each: cross kind, length;
    other: coverpoint message.kind {
      bins set_key = {KindSetKey}; bins drop_key = {KindDropKey}; bins write = {KindWrite}; bins read = {KindRead};
      bins run = {KindRun};
    }
  endgroup

  covergroup place_cg;
    option.per_instance = 1;
    gather: coverpoint message.gather;
    scatter: coverpoint message.scatter;
    lists: cross gather, scatter;
    payload: coverpoint message.inlined;
    scattered_payload: coverpoint message.scatter iff (message.inlined);
    interrupt: coverpoint message.interrupt;
  endgroup

  covergroup wrong_cg;
    option.per_instance = 1;
    wrong: coverpoint message.wrong {bins wrong[] = {[int'(WrongControlBit):int'(WrongBlocks)]};}
  endgroup

  covergroup ring_cg;
    option.per_instance = 1;
    ring: coverpoint message.ring {bins ring[] = {[0:1]};}
    size: coverpoint log2 {bins log2[] = {[1:5]};}
    each: cross ring, size;
    wraps: coverpoint second_pass {bins first_pass = {0}; bins later_pass = {1};}
    turn: coverpoint phase_flips iff (second_pass) {bins phase_0 = {0}; bins phase_1 = {1};}
    wrapped: cross ring, wraps;
  endgroup

  // Descriptors that are with the device after a doorbell, of a ring that has room for `1 << log2`.
  covergroup doorbell_cg;
    option.per_instance = 1;
    filled: coverpoint filled {bins one = {1}; bins some = {2}; bins full = {3}; bins none_new = {0}; bins ahead = {4};}
  endgroup

  covergroup abort_cg;
    option.per_instance = 1;
    activity: coverpoint activity {bins activity[] = {[int'(DoesNothing):int'(DoesComplete)]};}
    core: coverpoint core_runs {bins stands = {0}; bins runs = {1};}
  endgroup

  covergroup reset_cg;
    option.per_instance = 1;
    activity: coverpoint activity {bins activity[] = {[int'(DoesNothing):int'(DoesComplete)]};}
    core: coverpoint core_runs {bins stands = {0}; bins runs = {1};}
  endgroup

  `uvm_component_utils(lutra_soc_coverage)

  function new(string name, uvm_component parent);
    super.new(name, parent);
    burst_cg = new();
    response_cg = new();
    stall_cg = new();
    alignment_cg = new();
    status_cg = new();
    kind_cg = new();
    place_cg = new();
    wrong_cg = new();
    ring_cg = new();
    doorbell_cg = new();
    abort_cg = new();
    reset_cg = new();
  endfunction

  virtual function void write(lutra_axi_item t);
    bit reads = t.channel inside {AxiAr, AxiR};
    purpose = reads ? purpose_e'(t.id) : t.id == '0 ? ForDestination : ForCompletion;
    beats = t.beats;
    response = t.response;
    waited = t.waited;
    channel = int'(t.channel);
    stall_cg.sample();
    if (t.channel inside {AxiAr, AxiAw}) burst_cg.sample();
    if (t.channel inside {AxiR, AxiB}) response_cg.sample();
  endfunction

  function length_e length_of(int unsigned bytes);
    if (bytes == 0) return LengthNone;
    if (bytes < 16) return LengthPart;
    if (bytes == 16) return LengthRow;
    if (bytes < 1024) return bytes % 16 == 0 ? LengthRows : LengthRowsAndPart;
    return bytes == 1024 ? LengthChunk : LengthChunks;
  endfunction

  // A message that is complete.
  function void sample_message(lutra_soc_message m, lutra_soc_host host);
    message = m;
    length = length_of(m.length);
    status_cg.sample();
    if (m.status == StatusOk) begin
      kind_cg.sample();
      place_cg.sample();
      if (m.sources.size() != 0 && m.destinations.size() != 0) begin
        source_lane = int'(m.sources[0].first % 40'd8);
        destination_lane = int'(m.destinations[0].first % 40'd8);
        alignment_cg.sample();
      end
    end
    if (m.wrong != WrongNothing) wrong_cg.sample();
    log2 = host.log2[m.ring];
    second_pass = m.index >= host.size(m.ring);
    phase_flips = ((m.index >> log2) & 1) == 0;
    ring_cg.sample();
  endfunction

  function void sample_doorbell(int unsigned waiting, int unsigned size);
    filled = waiting > size ? 4 : waiting == size ? 3 : waiting > 1 ? 2 : waiting;
    doorbell_cg.sample();
  endfunction

  function void sample_abort(activity_e doing, bit runs);
    activity = doing;
    core_runs = runs;
    abort_cg.sample();
  endfunction

  function void sample_reset(activity_e doing, bit runs);
    activity = doing;
    core_runs = runs;
    reset_cg.sample();
  endfunction

endclass
