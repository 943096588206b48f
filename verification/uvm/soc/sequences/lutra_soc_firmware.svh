// Firmware and its table of operations, from the file that the runner writes (runner/soc.py), numbers in hexadecimal:
//
//   reset ENTRY
//   row SPACE ROW DATA            byte 0 of the row first
//   operation N WORD KEY_BYTES    an entry of the table; the length of the keys that it sets, or has inline
//   misbehaves N                  an operation that traps or does not end

class lutra_soc_firmware;

  typedef struct {
    bit [4:0] space;
    bit [15:0] row;
    byte unsigned bytes[$];
  } segment_t;

  segment_t segments[$];      // rows that follow one another
  bit [15:0] stream_reset;
  bit [31:0] words[16];
  int unsigned count;         // of operations
  int unsigned key_bytes[16];
  bit misbehaves[16];

  function void load(string path);
    string word;
    int file = $fopen(path, "r");
    if (file == 0) `uvm_fatal("FIRMWARE", {"cannot read ", path})
    while ($fscanf(file, "%s", word) == 1) parse(file, path, word);
    $fclose(file);
    if (count == 0 || segments.size() == 0) `uvm_fatal("FIRMWARE", {path, " has no operations or no rows"})
  endfunction

  local function void parse(int file, string path, string word);
    int read, wanted, n, value, bytes;
    bit [127:0] data;
    case (word)
      "reset": begin
        read = $fscanf(file, "%h", stream_reset);
        wanted = 1;
      end
      "row": begin
        read = $fscanf(file, "%h %h %h", n, value, data);
        wanted = 3;
        add_row(5'(n), 16'(value), data);
      end
      "operation": begin
        read = $fscanf(file, "%h %h %h", n, value, bytes);
        wanted = 3;
        words[n] = value;
        key_bytes[n] = bytes;
        if (n >= int'(count)) count = n + 1;
      end
      "misbehaves": begin
        read = $fscanf(file, "%h", n);
        wanted = 1;
        misbehaves[n] = 1'b1;
      end
      default: wanted = -1;
    endcase
    if (read != wanted) `uvm_fatal("FIRMWARE", {path, ": no such line: ", word})
  endfunction

  local function void add_row(bit [4:0] space, bit [15:0] row, bit [127:0] data);
    segment_t last;
    if (segments.size() != 0) last = segments[$];
    if (segments.size() == 0 || last.space != space || int'(row) != int'(last.row) + last.bytes.size() / 16) begin
      segment_t fresh;
      fresh.space = space;
      fresh.row = row;
      segments.push_back(fresh);
    end
    for (int i = 0; i < 16; i++) segments[$].bytes.push_back(data[8*(15-i)+:8]);
  endfunction

  function operation_t operation(int unsigned n);
    return operation_t'(words[n]);
  endfunction

endclass
