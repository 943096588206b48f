// Types that the units of lutra_axi share. Layouts in memory are generated: lutra_layout_pkg, lutra_regs_pkg.

package lutra_soc_pkg;

  localparam int unsigned Rings = 2;
  localparam int unsigned RowBytes = 16;    // a row of the core's memories
  localparam int unsigned BurstBeats = 16;  // the longest burst; a burst does not cross a multiple of its bytes
  localparam int unsigned IdWidth = 3;      // of AXI

  typedef logic [127:0] row_t;              // byte 0 in [127:120], as at the core's host port
  typedef logic [RowBytes-1:0][7:0] bytes_t;  // byte 0 in [7:0], as on the bus

  // Why bytes of a string are not accessed, or what their access met.
  typedef enum logic [1:0] {
    FaultNone = 0,
    FaultAddress = 1,  // outside of the ring's window, beyond the address bus, or a list that is not aligned
    FaultElement = 2,  // a list that ends before its string, an empty element, or one with reserved bits
    FaultBus = 3       // the bus answered with an error
  } fault_e;

  // Clients of the read port; the value is the transfer's ARID.
  typedef enum logic [1:0] {
    ReadDescriptors = 0,
    ReadSources = 1,       // elements of lists
    ReadDestinations = 2,  // elements of lists
    ReadData = 3
  } read_client_e;
  localparam int unsigned ReadClients = 4;

  // Clients of the write port; the value is the transfer's AWID.
  typedef enum logic {
    WriteData = 0,
    WriteCompletions = 1
  } write_client_e;
  localparam int unsigned WriteClients = 2;

  // ---------------------------------------------------------------- memory of places
  localparam int unsigned Sides = 2;     // of strings
  typedef enum logic {Source, Destination} side_e;
  localparam int unsigned LineElements = 4;  // of a list, fetched together
  typedef logic [3:0] place_row_t;

  // Base and limit.
  function automatic place_row_t window_row(logic ring);
    return {3'b000, ring};
  endfunction
  // Descriptors and completions.
  function automatic place_row_t ring_row(logic ring);
    return {3'b001, ring};
  endfunction
  // Where the list goes on after the elements that were fetched.
  function automatic place_row_t list_row(logic side);
    return {3'b010, side};
  endfunction
  function automatic place_row_t element_row(logic side, logic [1:0] element);
    return {1'b1, side, element};
  endfunction

  // A register of the host: a word of the first four rows.
  typedef struct packed {
    logic valid;
    logic write;
    logic [3:0] word;
    logic [31:0] data;
    logic [3:0] strobe;
  } place_register_t;

  function automatic bytes_t bytes_of(row_t row);
    for (int i = 0; i < RowBytes; i++) bytes_of[i] = row[8*(RowBytes-1-i)+:8];
  endfunction

  function automatic row_t row_of(bytes_t bytes);
    for (int i = 0; i < RowBytes; i++) row_of[8*(RowBytes-1-i)+:8] = bytes[i];
  endfunction

endpackage
