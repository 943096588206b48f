"""What a program does, found without running it: control flow, uses of registers, issue, cycles, and their checks."""
