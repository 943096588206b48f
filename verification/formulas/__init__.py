"""Formulas of the S-boxes of Serpent: a search for the shortest, and a check of those in the firmware."""
