"""Analyse a program without running it: control flow, uses of registers, issue, cycles, and their checks."""
