"""Protocols whose packets a cluster encrypts: ESP, and captures of packets."""
