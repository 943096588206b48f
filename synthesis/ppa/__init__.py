"""Area and timing of the core: synthesis by Yosys to Nangate45, timing by OpenSTA (docs/ppa.md)."""
