// What a descriptor asks for and whether it may: a status for each step in which a part of it is read, StatusOk where
// nothing is wrong.

module lutra_check
  import lutra_engine_pkg::*;
  import lutra_layout_pkg::*;
(
  // Control and lengths.
  input  descriptor_control_t control_i,
  input  logic [31:0] length_i,
  input  descriptor_extra_t extra_i,
  input  logic [4:0] operations_i,  // valid ones
  input  logic aborting_i,
  input  logic barred_i,            // the core is faulted or locked
  input  logic raw_allowed_i,
  output logic raw_o,
  output logic [3:0] control_status_o,

  // The operation.
  input  operation_t operation_i,
  output logic [3:0] operation_status_o,

  // The key.
  input  key_t key_i,
  input  logic key_valid_i,
  input  logic ring_i,
  output logic [3:0] key_status_o,

  // The last words.
  input  logic [63:0] reserved_i,
  output logic [3:0] reserved_status_o
);

  assign raw_o = control_i.operation inside {RawWrite, RawRead, RawRun};

  always_comb begin
    control_status_o = StatusOk;
    if (aborting_i) control_status_o = StatusAborted;
    else if (barred_i) control_status_o = StatusCoreFault;
    else if (control_i.reserved_15 != '0 || extra_i.reserved_31 != '0) control_status_o = StatusBadDescriptor;
    else if (raw_o) begin
      if (!raw_allowed_i) control_status_o = StatusNotPermitted;
      else if (control_i.inline_payload) control_status_o = StatusBadDescriptor;
      else if (extra_i.tag > 5'd7) control_status_o = StatusBadDescriptor;
    end else if (control_i.operation >= 8'(operations_i) || control_i.operation >= 8'd16) begin
      control_status_o = StatusBadOperation;
    end else if (control_i.inline_payload && control_i.gather) control_status_o = StatusBadDescriptor;
  end

  // An inline payload takes the words of the address of associated data, and an inline key does too. A tag to be
  // checked is behind the payload in memory.
  logic whole, has_tag;
  logic [31:0] longest;
  assign whole = length_i[3:0] == '0;
  assign has_tag = operation_i.makes_tag || operation_i.checks_tag;
  assign longest = operation_i.sets_key ? InlineKeyBytes : InlineBytes;
  always_comb begin
    operation_status_o = StatusOk;
    if ((operation_i.sets_key && !operation_i.key_rows && !control_i.inline_payload && length_i != '0) ||
        (operation_i.key_rows && control_i.inline_payload) ||
        ((operation_i.inline_key || operation_i.checks_tag) && control_i.inline_payload) ||
        ((operation_i.inline_key || control_i.inline_payload) && extra_i.aad != '0)) begin
      operation_status_o = StatusBadDescriptor;
    end else if (((operation_i.sets_key || control_i.inline_payload) && !operation_i.key_rows && length_i > longest) ||
                 (operation_i.key_rows && length_i != ContextBytes) ||
                 (operation_i.whole_blocks && !whole) ||
                 (!operation_i.takes_aad && extra_i.aad != '0) ||
                 extra_i.tag > 5'd16 || (extra_i.tag != '0) != has_tag) begin
      operation_status_o = StatusBadLength;
    end
  end

  // A ring overwrites a context of its own, or a free one. An inline key of an operation that uses a context too
  // overwrites it.
  logic own;
  assign own = key_i.ring == ring_i;
  always_comb begin
    key_status_o = StatusOk;
    if (operation_i.sets_key || (operation_i.inline_key && operation_i.uses_key)) begin
      if (control_i.context_ >= 5'(Contexts) || (key_valid_i && !own)) key_status_o = StatusBadKey;
    end else if (operation_i.uses_key) begin
      if (control_i.context_ >= 5'(Contexts) ||
          !key_valid_i || !own || key_i.generation != control_i.generation || key_i.class_ != operation_i.class_) begin
        key_status_o = StatusBadKey;
      end
    end
  end

  assign reserved_status_o = reserved_i != '0 && !control_i.inline_payload && !operation_i.inline_key ?
                             StatusBadDescriptor : StatusOk;

endmodule
