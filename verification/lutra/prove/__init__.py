"""Proofs that firmware is what its specification says, for all keys, inputs and lengths."""

from lutra.prove.bits import Bits, Table, join
from lutra.prove.claims import ASSUMED, Claim, Outcome, check, claims, named
from lutra.prove.goal import Specification
from lutra.prove.registry import specification

__all__ = [
    "ASSUMED",
    "Bits",
    "Claim",
    "Outcome",
    "Specification",
    "Table",
    "check",
    "claims",
    "join",
    "named",
    "specification",
]
