"""Binding of the simulator core; use `lutra.engine`."""
