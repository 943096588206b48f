class lutra_soc_env extends uvm_env;

  lutra_axi_agent bus;
  lutra_axil_agent registers;
  lutra_axi_uvm_pkg::lutra_axi regs;
  lutra_axil_adapter adapter;
  lutra_soc_host host;
  lutra_soc_scoreboard scoreboard;
  lutra_soc_coverage coverage;
  lutra_soc_sequencer sequencer;

  `uvm_component_utils(lutra_soc_env)

  function new(string name, uvm_component parent);
    super.new(name, parent);
  endfunction

  virtual function void build_phase(uvm_phase phase);
    super.build_phase(phase);
    bus = lutra_axi_agent::type_id::create("bus", this);
    registers = lutra_axil_agent::type_id::create("registers", this);
    regs = new("regs");
    regs.build();
    regs.lock_model();
    adapter = lutra_axil_adapter::type_id::create("adapter");
    host = lutra_soc_host::type_id::create("host");
    scoreboard = lutra_soc_scoreboard::type_id::create("scoreboard", this);
    coverage = lutra_soc_coverage::type_id::create("coverage", this);
    sequencer = lutra_soc_sequencer::type_id::create("sequencer", this);
  endfunction

  virtual function void connect_phase(uvm_phase phase);
    host.memory = bus.cfg.memory;
    host.memory.allocate(MemoryBase, MemoryBytes);
    lutra_soc_reference_new(longint'(MemoryBase), int'(MemoryBytes));
    host.take_over(MemoryBase, MemoryBytes);
    scoreboard.host = host;
    scoreboard.regs = regs;
    scoreboard.coverage = coverage;
    regs.default_map.set_sequencer(registers.sequencer, adapter);
    bus.monitor.ap.connect(scoreboard.analysis_export);
    bus.monitor.ap.connect(coverage.analysis_export);
    sequencer.env = this;
  endfunction

  // What the device is doing, by its port and its core.
  function activity_e activity();
    lutra_axi_monitor port = bus.monitor;
    if (port.writes_of[1] != 0) return DoesComplete;
    if (port.writes_of[0] != 0) return DoesWrite;
    if (core_runs()) return DoesCompute;
    if (port.reads_of[1] + port.reads_of[2] + port.reads_of[3] != 0) return DoesRead;
    return port.reads_of[0] != 0 ? DoesFetch : DoesNothing;
  endfunction

  function bit core_runs();
    return registers.vif.core_state == 3'd1;
  endfunction

endclass
