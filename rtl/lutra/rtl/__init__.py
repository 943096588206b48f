"""Binding of the Verilated core and of the lock-step; use `lutra.engine`."""
