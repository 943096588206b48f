"""Lutra in a system on chip: generated layouts, demo systems, measurements."""
