"""Proofs that firmware is what its specification says, for all keys, inputs and lengths."""

from lutra.prove.bits import Bits, Table, join
from lutra.prove.claims import ASSUMED, Claim, Outcome, check, claims, coverage, named
from lutra.prove.goal import Specification
from lutra.prove.processes import Limits, outcomes
from lutra.prove.registry import digest, specification

__all__ = [
    "ASSUMED",
    "Bits",
    "Claim",
    "Limits",
    "Outcome",
    "Specification",
    "Table",
    "check",
    "claims",
    "coverage",
    "digest",
    "join",
    "named",
    "outcomes",
    "specification",
]
