// The bench of lutra_axi in reading order, after the UVM library, the device and the register model (build.py).
+incdir+axi_agent
+incdir+axil_agent
+incdir+env
+incdir+sequences
+incdir+tests
axi_agent/lutra_axi_agent_pkg.sv
axi_agent/lutra_axi_if.sv
axil_agent/lutra_axil_agent_pkg.sv
axil_agent/lutra_axil_if.sv
env/lutra_soc_reference_pkg.sv
env/lutra_soc_env_pkg.sv
sequences/lutra_soc_sequences_pkg.sv
tests/lutra_soc_tests_pkg.sv
lutra_soc_disturbance.sv
soc_top.sv
