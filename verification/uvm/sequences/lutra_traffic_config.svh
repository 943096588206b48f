// The host's accesses during a program: how many, how close, which. The weights are solved for once per job.

class lutra_traffic_config extends uvm_object;

  rand bit enabled;
  rand int unsigned max_gap;
  rand int unsigned write_percent;
  rand int unsigned posted_percent;
  rand int unsigned resume_percent;  // ignored unless the core waits
  rand int unsigned rows;            // fewer rows collide with the program's more often
  rand int unsigned spaces;          // mask of data memories

  constraint close_or_far {
    max_gap dist {0 := 3, [1:4] :/ 4, [5:60] :/ 3};
  }
  constraint percentages {
    write_percent inside {[0:100]};
    posted_percent inside {[0:100]};
    resume_percent inside {[0:10]};
  }
  constraint places {
    spaces inside {[1:15]};
    rows inside {4, 64, 256};
    rows == 4 -> write_percent <= 50;
  }

  `uvm_object_utils(lutra_traffic_config)

  function new(string name = "lutra_traffic_config");
    super.new(name);
  endfunction

  virtual function string convert2string();
    return $sformatf("enabled %b, gap 0..%0d, writes %0d %%, posted %0d %%, resumes %0d %%, %0d rows of %04b", enabled,
                     max_gap, write_percent, posted_percent, resume_percent, rows, spaces[3:0]);
  endfunction

endclass
