"""Builds the UVM bench, makes its scripts, runs its tests."""
