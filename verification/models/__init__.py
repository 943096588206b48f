"""Models of the ciphers and of lanes, written from the standards for clarity: oracles of tests and of proofs."""
