// Host actions on an image, as scripts.py writes them: one step per line, numbers in hexadecimal.
//
//   label NAME ADDRESS             an entry of the program
//   write SPACE ROW DATA           space by its code; a word of the program memory is the low half of DATA
//   start ENTRY
//   stopped TRAP                   expected end of the program: the trap's code, or 0 for a halt
//   read SPACE ROW DATA LANES      bit 15 of LANES: byte 0 of the row must be that of DATA

class lutra_script;

  typedef enum {StepWrite, StepStart, StepStopped, StepRead} step_e;

  typedef struct {
    step_e  step;
    space_e space;
    addr_t  row;             // entry of a start
    trap_e  trap;
    vec_t   data;
    logic [VectorBytes-1:0] lanes;
  } step_t;

  step_t steps[$];
  addr_t labels[string];

  // The file named by a plusarg.
  function void load(string plusarg);
    string path, word;
    int file;
    if (!$value$plusargs({plusarg, "=%s"}, path)) `uvm_fatal("SCRIPT", {"+", plusarg, "=FILE is missing"})
    file = $fopen(path, "r");
    if (file == 0) `uvm_fatal("SCRIPT", {"cannot read ", path})
    while ($fscanf(file, "%s", word) == 1) parse(file, path, word);
    $fclose(file);
    if (steps.size() == 0) `uvm_fatal("SCRIPT", {path, " is empty"})
  endfunction

  local function void parse(int file, string path, string word);
    step_t step;
    int read, wanted, code, trap;
    string name;
    addr_t address;
    step = '{StepWrite, SpaceMem0, '0, TrapNone, '0, '0};
    case (word)
      "label": begin
        read = $fscanf(file, "%s %h", name, address);
        labels[name] = address;
        wanted = 2;
      end
      "write": begin
        read = $fscanf(file, "%h %h %h", code, step.row, step.data);
        wanted = 3;
      end
      "start": begin
        step.step = StepStart;
        read = $fscanf(file, "%h", step.row);
        wanted = 1;
      end
      "stopped": begin
        step.step = StepStopped;
        read = $fscanf(file, "%h", trap);
        step.trap = trap_e'(trap);
        wanted = 1;
      end
      "read": begin
        step.step = StepRead;
        read = $fscanf(file, "%h %h %h %h", code, step.row, step.data, step.lanes);
        wanted = 4;
      end
      default: wanted = -1;
    endcase
    if (read != wanted) `uvm_fatal("SCRIPT", {path, ": no such step: ", word})
    step.space = space_e'(code);
    if (word != "label") steps.push_back(step);
  endfunction

  function addr_t entry(string name);
    if (!labels.exists(name)) `uvm_fatal("SCRIPT", {"the image has no label ", name})
    return labels[name];
  endfunction

  // The expected end of the program.
  function trap_e ending();
    foreach (steps[i]) if (steps[i].step == StepStopped) return steps[i].trap;
    `uvm_fatal("SCRIPT", "the script does not say how the program ends")
  endfunction

endclass
