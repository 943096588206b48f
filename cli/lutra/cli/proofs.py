"""Proofs as a part of other commands: of tests, and of what goes into a pack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lutra.cli.errors import CliError
from lutra.firmware import pack, testing
from lutra.firmware.ciphers import Cipher
from lutra.firmware.manifest import load
from lutra.firmware.testing.outcome import State

# The prover is imported where it is used, since most commands with options do not need it.
if TYPE_CHECKING:
    from lutra.prove import Claim, Outcome


def checks(units: Iterable[testing.Unit], options: testing.Options) -> Iterator[testing.Check]:
    """Try to prove the firmware of units; a check for each claim. Raises FirmwareError."""
    from lutra.prove import Limits, claims, outcomes

    for manifest in dict.fromkeys(unit.manifest for unit in units if unit.manifest):
        wanted = [c for c in claims(load(manifest)) if options.wants(str(manifest), c.name)]
        for claim in wanted:
            if not claim.specified:
                yield testing.Check("proof", str(manifest), claim.name, "skipped", "no specification yet")
        for outcome in outcomes([c for c in wanted if c.specified], Limits()):
            state: State = "passed" if outcome.state == "proved" else "failed"
            yield testing.Check(
                "proof", str(manifest), outcome.claim.name, state, reason(outcome), seconds=outcome.seconds
            )


def reason(outcome: Outcome) -> str:
    """Why it is not proved, with the counterexample; empty where it is."""
    return "\n".join(filter(None, (outcome.reason, str(outcome.counterexample or ""))))


def for_pack(ciphers: Iterable[Cipher]) -> dict[str, pack.Proof]:
    """Prove algorithms in all their directions, each by the image that a pack has for it; return what a pack says.

    Raises CliError for the first that is not proved, and FirmwareError.
    """
    from lutra.prove import Limits, claims, digest, outcomes

    proved = {}
    for outcome in outcomes([c for c in claims(list(ciphers)) if _packed(c)], Limits()):
        if outcome.state != "proved":
            raise CliError(f"{outcome.claim.name} is not proved: {reason(outcome)}")
        proved[outcome.claim.cipher.name] = pack.Proof(digest(outcome.claim.cipher))
    return proved


def _packed(claim: Claim) -> bool:
    return claim.implementation is claim.cipher.taken(claim.direction)
