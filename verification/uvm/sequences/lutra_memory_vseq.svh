// Every memory behind the host port, its last row, and the rows beyond, which read zero.

class lutra_memory_vseq extends lutra_base_vseq;

  `uvm_object_utils(lutra_memory_vseq)

  function new(string name = "lutra_memory_vseq");
    super.new(name);
  endfunction

  virtual task body();
    space_e space = space.first();
    vec_t data;
    fill_all();
    forever begin
      int unsigned rows = rows_of(space);
      repeat (40) write_row(space, addr_t'($urandom_range(rows - 1)), random_row());
      write_row(space, addr_t'(rows - 1), random_row());
      write_row(space, addr_t'(rows), random_row());
      write_row(space, '1, random_row());
      read_row(space, '1, data);
      expect_equal("a row beyond the memory", data, '0);
      read_back(space, rows + 1);
      if (space == space.last()) break;
      space = space.next();
    end
    repeat (500) mixed();
  endtask

  // Reads and writes of any space in any order, without idle cycles.
  task mixed();
    lutra_host_item item = new();
    space_e space = space_e'($urandom_range(7));
    item.request = access(space, addr_t'($urandom_range(rows_of(space) - 1)), 1'($urandom()), random_row());
    item.posted = 1;
    send(item);
  endtask

endclass
