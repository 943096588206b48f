"""Translated code against the interpreter: random programs, state and cycles equal."""
