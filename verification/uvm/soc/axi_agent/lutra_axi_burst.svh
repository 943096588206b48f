// A transfer that the memory has accepted and not answered.

class lutra_axi_burst;

  axi_id_t id;
  axi_address_t address;      // of the next beat
  int unsigned beats;         // that are missing
  longint unsigned ready;     // cycle from which on it may be answered
  axi_response_t response = Okay;
  // Of a write: what reaches the memory with the answer.
  axi_address_t addresses[$];
  byte unsigned data[$];

  function axi_address_t beat();
    return address & ~AddressBits'(Lanes - 1);
  endfunction

  function void next();
    address = beat() + AddressBits'(Lanes);
    beats--;
  endfunction

endclass
