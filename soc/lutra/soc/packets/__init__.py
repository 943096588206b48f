"""Protocols whose packets a cluster encrypts: ESP, MACsec and PDCP, and captures of packets."""
