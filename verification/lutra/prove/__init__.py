"""Proofs that firmware equals its specification."""
