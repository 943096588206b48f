"""Protocols whose packets a cluster encrypts: ESP, MACsec, SRTP and PDCP, and captures of packets."""
