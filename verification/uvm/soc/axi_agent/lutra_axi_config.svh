// How the memory answers: of 100 cycles, in how many a channel stalls; after how many cycles an answer comes; whether
// reads of different ids keep their order. Sequences choose it anew as they like.

class lutra_axi_config extends uvm_object;

  typedef enum bit [1:0] {Quick, Mixed, Slow, OneSlow} pace_e;

  virtual lutra_axi_if vif;
  lutra_axi_memory memory;

  rand pace_e pace;
  rand int unsigned slow_channel;
  rand int unsigned latency;
  rand int unsigned spread;       // answers come up to so many cycles later than that
  rand bit reorders;
  int unsigned stalls[Channels];

  constraint sane {
    pace dist {Quick := 2, Mixed := 4, Slow := 1, OneSlow := 3};
    slow_channel < Channels;
    latency dist {0 := 2, [1:10] := 2, [11:60] := 2, [90:110] := 1};
    spread dist {0 := 2, [1:20] := 2};
  }

  `uvm_object_utils(lutra_axi_config)

  function new(string name = "lutra_axi_config");
    super.new(name);
  endfunction

  function void post_randomize();
    foreach (stalls[i])
      case (pace)
        Quick: stalls[i] = 0;
        Mixed: stalls[i] = $urandom_range(60);
        Slow: stalls[i] = 80;
        default: stalls[i] = i == int'(slow_channel) ? 95 : 0;
      endcase
  endfunction

  virtual function string convert2string();
    return $sformatf("%s, channel %0d, latency %0d to %0d%s", pace.name(), slow_channel, latency, latency + spread,
                     reorders ? ", any order" : "");
  endfunction

endclass
