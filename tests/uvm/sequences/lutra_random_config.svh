// A series of jobs on a random program.

class lutra_random_config extends uvm_object;

  rand int unsigned jobs;
  rand int unsigned cycles[];    // given to each job: random programs need not end
  rand addr_t entries[];
  rand bit new_tables[];         // before each job
  rand bit mid_cycle[];          // the reset of a job that has not ended
  rand lutra_traffic_config traffic;

  constraint amount {
    jobs inside {[2:6]};
    cycles.size() == jobs;
    entries.size() == jobs;
    new_tables.size() == jobs;
    mid_cycle.size() == jobs;
  }
  constraint each {
    foreach (cycles[i]) cycles[i] inside {[1:1500]};
    foreach (entries[i]) entries[i] < 120;
  }

  `uvm_object_utils(lutra_random_config)

  function new(string name = "lutra_random_config");
    super.new(name);
    traffic = new("traffic");
  endfunction

endclass
