// Types that the units of the engine share: rows of its store, jobs of the stream, requests to the store and to the
// core's host port.

package lutra_engine_pkg;

  import lutra_isa_pkg::addr_t;
  import lutra_isa_pkg::space_e;
  import lutra_layout_pkg::*;
  import lutra_soc_pkg::*;

  // Messages and jobs in flight. Both are numbered in the order of the stream, modulo 16.
  localparam int unsigned Slots = 16;
  typedef logic [$clog2(Slots)-1:0] message_slot_t;  // lutra_isa_pkg has another slot_t
  localparam int unsigned Jobs = 16;
  typedef logic [$clog2(Jobs)-1:0] job_index_t;

  localparam int unsigned Contexts = CapableContexts;
  localparam int unsigned ContextShift = 7;    // a context is 8 rows of 16 bytes
  localparam int unsigned ChunkRows = CapableChunkRows;  // of associated data and text in a job that ends its message
  localparam int unsigned LongRows = CapableLongRows;  // in one that does not
  localparam int unsigned HeadRows = 3;        // header, IV, lengths
  localparam int unsigned ContextBytes = 2 << ContextShift;  // of both memories
  localparam int unsigned InlineBytes = 24;    // from `source` to the end of the descriptor
  localparam int unsigned InlineKeyBytes = 32; // from `destination` to the end of the descriptor

  typedef logic [7:0] ring_row_t;              // a row of m2 or m3 as circular buffers

  // Status of a message whose descriptor could not be read: it has no completion.
  localparam logic [3:0] StatusVoid = 4'd15;

  // A chunk of a message, as the engine keeps it in its store.
  typedef struct packed {
    // For the firmware, see header().
    logic [6:0] text_blocks;
    logic [3:0] text_bytes;
    logic [4:0] key;
    logic [2:0] more;
    logic [6:0] aad_blocks;
    logic [3:0] aad_bytes;
    logic       first;
    logic       last;
    logic [4:0] tag;
    // For the engine.
    addr_t      entry;
    message_slot_t      slot;
    ring_row_t  end_row;    // of m2, the first row after the job
    logic [1:0] strings;    // that the reader delivers
    logic [1:0] written;    // rows after the lengths that were written with them
    logic       text_out;
    logic       tag_out;
    logic       list;       // the destination
    logic       restores;   // a saved key
    logic [54:0] zero;
  } job_t;

  // Lane `more` of a header: 0 where the job before is of another operation. Firmware for packets takes the first three
  // from one to the next without a stop. A saved key is restored by the routine of the job before it, whatever that is
  // but one that sets a key, and for the job after it that is still the one before.
  localparam logic [2:0] MorePacket = 3'd1;  // a packet; with associated data if its operation takes any
  localparam logic [2:0] MoreNoAad = 3'd2;   // a packet without, although its operation takes some
  localparam logic [2:0] MoreKey = 3'd3;     // a saved key
  localparam logic [2:0] MoreJob = 3'd4;     // any other job

  // What the firmware finds in the first row of a job: lanes of 16 bits, lane 0 first.
  function automatic row_t header(job_t job);
    logic [15:0] rows, turns;
    rows = 16'(job.text_blocks) + 16'(job.text_bytes != '0);
    turns = rows < 16'd2 ? 16'd1 : rows - 16'd1;
    return {
      job.last ? 16'(job.tag) + 16'd1 : 16'd0,
      job.first ? turns : 16'd0,
      16'(Contexts << ContextShift) + 16'({job.text_bytes, 4'd0}),
      16'(job.aad_blocks) + 16'(job.aad_bytes != '0),
      16'(job.more),
      16'({job.key, ContextShift'(0)}),
      16'(job.text_bytes),
      16'(job.text_blocks)
    };
  endfunction

  // ---------------------------------------------------------------------- issue
  // The rest of a message that is being cut into jobs.
  typedef struct packed {
    descriptor_control_t control;
    operation_t operation;
    logic [31:0] text;  // bytes
    logic [15:0] aad;
    logic [4:0] tag;
    logic first;        // chunk of it
    logic started;      // a string of the source was asked for
    logic second;       // of the inline rows
  } message_t;

  typedef enum logic [4:0] {
    IssueWait,
    IssueControl,
    IssueOperation,
    IssueKey,
    IssueReserved,
    IssueFail,
    IssueRoom,
    IssueReset,
    IssueIv,
    IssueLengths,
    IssueInline,
    IssueJob,
    IssueSetKey,
    IssueAad,
    IssueText,
    IssueTag,
    IssueNext,
    IssueDrain,
    IssueRawWait,
    IssueRawSource,
    IssueRawWrite,
    IssueRawRead,
    IssueRawRun,
    IssueRecord,
    IssueEnd
  } issue_e;

  // ------------------------------------------------------------------ the store
  // 128 rows of 16 bytes in two banks, of bytes 0 to 7 and 8 to 15: four of each descriptor, jobs, the table of
  // operations, keys. Row 1 of a descriptor, its IV, takes the record of the message when all jobs are placed.
  typedef logic [6:0] store_row_t;
  localparam int unsigned IvRow = 1;

  function automatic store_row_t descriptor_row(message_slot_t slot, logic [1:0] row);
    return {1'b0, slot, row};
  endfunction
  function automatic store_row_t job_row(job_index_t job);
    return {3'b100, job};
  endfunction
  function automatic store_row_t operation_row(logic [3:0] operation);
    return {3'b101, operation};
  endfunction
  function automatic store_row_t key_row(logic [4:0] key);
    return {2'b11, key};
  endfunction

  // Who may use a key context.
  typedef struct packed {
    logic        ring;
    logic [10:0] generation;
    logic [3:0]  class_;
  } key_t;

  typedef struct packed {
    logic       valid;
    logic [1:0] write;   // [1]: bytes 0 to 7; none: read
    store_row_t row;
    logic       shifted; // read: bytes 0 to 7 of the next row
    row_t       data;
  } store_request_t;

  // In the order of precedence.
  typedef enum logic [2:0] {
    StoreFetch = 0,  // it cannot wait
    StoreRegisters = 1,
    StoreRun = 2,
    StorePlace = 3,
    StoreOutput = 4,
    StoreComplete = 5,
    StoreIssue = 6
  } store_client_e;
  localparam int unsigned StoreClients = 7;

  // -------------------------------------------------------------------- strings
  // Bytes in memory, as lutra_segments takes them.
  typedef struct packed {
    logic [63:0] address;
    logic [31:0] bytes;
    logic        list;
    logic        ring;
    logic        continues;
  } string_t;

  // ------------------------------------------------------------------ host port
  typedef struct packed {
    logic   valid;
    logic   write;
    space_e space;
    addr_t  row;
    row_t   data;
  } port_request_t;

  // In the order of precedence.
  typedef enum logic [1:0] {
    PortIssue = 0,  // few rows per job, and the reader waits for them
    PortPlace = 1,
    PortOutput = 2
  } port_client_e;
  localparam int unsigned PortClients = 3;

  // What a fault in reading or writing a string means for its message.
  function automatic logic [3:0] status_of(fault_e fault, logic [3:0] bus_error);
    unique case (fault)
      FaultAddress: return StatusBadAddress;
      FaultElement: return StatusBadDescriptor;
      FaultBus: return bus_error;
      default: return StatusOk;
    endcase
  endfunction

  // ---------------------------------------------------------------------- words
  // A row as words of a host: word 0 first in memory, in [31:0].
  typedef logic [3:0][31:0] words_t;

  function automatic logic [31:0] swapped(logic [31:0] word);
    return {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

  function automatic words_t words_of(row_t row, logic big_endian);
    for (int i = 0; i < 4; i++) begin
      logic [31:0] word;
      word = row[32*(3-i)+:32];
      words_of[i] = big_endian ? word : swapped(word);
    end
  endfunction

endpackage
