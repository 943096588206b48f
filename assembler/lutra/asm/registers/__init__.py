"""Registers for the names of `%name`, and the order of `.interleave`."""
