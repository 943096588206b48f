"""Ciphers and modes as their standards write them, on words of known and unknown bits."""
