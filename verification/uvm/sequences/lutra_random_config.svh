// A series of jobs on a random program: one from its beginning, others from anywhere inside.

class lutra_random_config extends uvm_object;

  addr_t first, last;            // words of the program, to be set before

  rand int unsigned jobs;        // in addition to the first
  rand bit to_the_end;           // the first job is not cut short
  rand int unsigned first_cycles;
  rand int unsigned cycles[];    // given to each of the others, which need not end
  rand addr_t entries[];
  rand bit new_tables[];         // before each of them
  rand bit mid_cycle[];          // the reset of a job that has not ended
  rand lutra_traffic_config traffic;

  constraint whole {
    to_the_end dist {1 := 3, 0 := 1};
    first_cycles inside {[1:3000]};
  }
  constraint amount {
    jobs inside {[1:5]};
    cycles.size() == jobs;
    entries.size() == jobs;
    new_tables.size() == jobs;
    mid_cycle.size() == jobs;
  }
  constraint each {
    foreach (cycles[i]) cycles[i] inside {[1:1500]};
    foreach (entries[i]) entries[i] inside {[first:last]};
  }

  `uvm_object_utils(lutra_random_config)

  function new(string name = "lutra_random_config");
    super.new(name);
    traffic = new("traffic");
  endfunction

endclass
