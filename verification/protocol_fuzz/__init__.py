"""Fuzzing of servers that speak JSON framed by `Content-Length` on standard input and output: DAP and LSP."""
