// A handshake on one channel. The address of a beat or an answer is that of its burst.

class lutra_axi_item extends uvm_sequence_item;

  axi_channel_e channel;
  axi_id_t id;
  axi_address_t address;
  int unsigned beats;         // of a request
  axi_response_t response;
  logic [Lanes-1:0] strobes;
  int unsigned waited;        // cycles that the valid has waited for the ready

  `uvm_object_utils(lutra_axi_item)

  function new(string name = "lutra_axi_item");
    super.new(name);
  endfunction

  function void copy_of(lutra_axi_item other);
    channel = other.channel;
    id = other.id;
    address = other.address;
    beats = other.beats;
  endfunction

endclass
