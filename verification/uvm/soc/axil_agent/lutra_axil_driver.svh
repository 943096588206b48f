// Drives accesses one after the other. A reset ends the access that it meets.

class lutra_axil_driver extends uvm_driver #(lutra_axil_item);

  localparam int unsigned Patience = 1000;

  virtual lutra_axil_if vif;

  // Coverage: which half of a write comes first, and whether the answer waits.
  bit address_first, data_first, answer_waits, writes;
  covergroup access_cg;
    option.per_instance = 1;
    write: coverpoint writes {bins read = {0}; bins write = {1};}
    answer: coverpoint answer_waits {bins at_once = {0}; bins waits = {1};}
    each: cross write, answer;
    order: coverpoint {address_first, data_first} iff (writes) {
      bins together = {2'b00}; bins address = {2'b10}; bins data = {2'b01};
    }
  endgroup

  `uvm_component_utils(lutra_axil_driver)

  function new(string name, uvm_component parent);
    super.new(name, parent);
    access_cg = new();
  endfunction

  virtual task run_phase(uvm_phase phase);
    vif.driver_cb.driven <= '0;
    forever begin
      seq_item_port.get_next_item(req);
      access(req);
      vif.driver_cb.driven <= '0;
      seq_item_port.item_done();
    end
  endtask

  task access(lutra_axil_item item);
    axil_manager_t out = '0;
    // Without a value they begin with anything.
    bit address_taken = 1'b0, data_taken = 1'b0, waited = 1'b0;
    out.awaddr = item.address;
    out.araddr = item.address;
    out.wdata = item.data;
    out.wstrb = '1;
    for (int unsigned i = 0; i < Patience; i++) begin
      axil_subordinate_t seen;
      bit answered;
      out.awvalid = item.write && !address_taken && i >= item.address_after;
      out.arvalid = !item.write && !address_taken && i >= item.address_after;
      out.wvalid = item.write && !data_taken && i >= item.data_after;
      out.bready = item.write && i >= item.ready_after;
      out.rready = !item.write && i >= item.ready_after;
      vif.driver_cb.driven <= out;
      @(vif.driver_cb);
      if (!vif.rst_n) begin
        item.cut = 1'b1;
        return;
      end
      seen = vif.driver_cb.subordinate;
      if ((out.awvalid && seen.awready) || (out.arvalid && seen.arready)) address_taken = 1'b1;
      if (out.wvalid && seen.wready) data_taken = 1'b1;
      answered = item.write ? seen.bvalid : seen.rvalid;
      if (answered && (out.bready || out.rready)) begin
        item.response = item.write ? seen.bresp : seen.rresp;
        if (!item.write) item.data = seen.rdata;
        writes = item.write;
        address_first = item.address_after < item.data_after;
        data_first = item.data_after < item.address_after;
        answer_waits = waited;
        access_cg.sample();
        return;
      end
      waited |= answered;
    end
    `uvm_error("REGISTER", $sformatf("no answer for an access to %04x", item.address))
  endtask

endclass
