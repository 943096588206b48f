// The bench in reading order, after the UVM library and the core (build.py).
+incdir+lutra_host_agent
+incdir+lutra_retire_agent
+incdir+env
+incdir+sequences
+incdir+tests
lutra_host_agent/lutra_host_agent_pkg.sv
lutra_host_agent/lutra_host_if.sv
lutra_retire_agent/lutra_retire_agent_pkg.sv
lutra_retire_agent/lutra_retire_if.sv
env/lutra_reference_pkg.sv
env/lutra_env_pkg.sv
sequences/lutra_sequences_pkg.sv
tests/lutra_tests_pkg.sv
env/lutra_state_probe.sv
lutra_disturbance.sv
tb_top.sv
