"""How fast the simulator, the core and the commands are on this machine: `make speed`, docs/speed.md."""
