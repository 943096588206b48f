"""Claims in processes of their own, and their limits."""

from __future__ import annotations

import pytest

from lutra.firmware.manifest import catalogue
from lutra.prove import Limits, Outcome, claims, named, outcomes, processes
from lutra.prove.claims import Claim


def tried(name: str, limits: Limits, jobs: int = 1) -> list[Outcome]:
    return list(outcomes(list(claims(named(catalogue(), [name]))), limits, jobs))


def test_outcomes_are_in_the_order_of_the_claims() -> None:
    todo = [*claims(named(catalogue(), ["aes-256-ecb", "aes-128-cbc"]))]
    found = list(outcomes(todo, Limits(), 2))
    assert [one.claim for one in found] == todo
    assert {one.state for one in found} == {"proved"}


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(seconds=1), "more than 1 s of processor time"), (Limits(megabytes=60), "more than 60 MB of memory")],
    ids=["time", "memory"],
)
def test_claim_ends_at_its_limits(limits: Limits, reason: str) -> None:
    (found,) = tried("aria-256-cmac", limits)
    assert (found.state, found.reason) == ("open", reason)


def test_process_that_dies_leaves_an_open_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_work", exit_without_an_answer)
    (found,) = tried("aes-128-cmac", Limits())
    assert (found.state, found.reason) == ("open", "its process ended without an answer")


def exit_without_an_answer(_claim: Claim, _limits: Limits, _told: object) -> None:
    raise SystemExit(1)
