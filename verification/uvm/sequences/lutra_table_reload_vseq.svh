// One program with changing tables: the expected answer is computed here from what was written.

class lutra_table_reload_vseq extends lutra_base_vseq;

  lutra_script image;

  `uvm_object_utils(lutra_table_reload_vseq)

  function new(string name = "lutra_table_reload_vseq");
    super.new(name);
  endfunction

  virtual task body();
    write_image(image);
    repeat (3) reload(1'b0);
    reload(1'b1);  // both banks by one write
  endtask

  task reload(bit both);
    vec_t banks[2][TableRows];
    vec_t data, got, expected;
    for (int unsigned row = 0; row < TableRows; row++) begin
      banks[0][row] = random_row();
      banks[1][row] = both ? banks[0][row] : random_row();
      if (both) write_row(SpaceBankBoth, addr_t'(row), banks[0][row]);
      else begin
        write_row(SpaceBank0, addr_t'(row), banks[0][row]);
        write_row(SpaceBank1, addr_t'(row), banks[1][row]);
      end
    end
    data = random_row();
    write_row(SpaceMem2, 0, data);
    run_program(image.entry("looks_up"), StateHalted);
    for (int unsigned bank = 0; bank < 2; bank++) begin
      for (int unsigned i = 0; i < VectorBytes; i++) expected[8*i+:8] = banks[bank][data[8*i+:8]][8*i+:8];
      read_row(SpaceMem3, addr_t'(bank), got);
      expect_equal($sformatf("look-up in bank %0d", bank), got, expected);
    end
  endtask

endclass
