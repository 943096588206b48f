"""Build the UVM bench, write its scripts and run its tests."""
