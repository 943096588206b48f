"""Checks of the loader's C code (patch/loader): size and stack on RV32, warnings, coverage by its tests."""
