// Accesses to the data memories until `stop` is set.

class lutra_traffic_vseq extends lutra_base_vseq;

  lutra_traffic_config cfg;
  bit stop = 0;

  `uvm_object_utils(lutra_traffic_vseq)

  function new(string name = "lutra_traffic_vseq");
    super.new(name);
  endfunction

  virtual task body();
    while (!stop) begin
      lutra_host_item item = new();
      bit we = percent(cfg.write_percent);
      item.request = access(space(), addr_t'($urandom_range(cfg.rows - 1)), we, random_row());
      item.gap = $urandom_range(cfg.max_gap);
      item.posted = percent(cfg.posted_percent);
      item.request.resume = percent(cfg.resume_percent);
      send(item);
    end
  endtask

  function bit percent(int unsigned p);
    return $urandom_range(99) < p;
  endfunction

  function space_e space();
    int unsigned code;
    do code = $urandom_range(3); while (!cfg.spaces[code]);
    return space_e'(code);
  endfunction

endclass
