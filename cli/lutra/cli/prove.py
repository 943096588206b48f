"""`lutra prove`: firmware against its specification, for all keys, inputs and lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import UsageError
from lutra.cli.options import JsonOption, ManifestOption, served
from lutra.cli.output import print_json, progress
from lutra.cli.request import takes
from lutra.prove import ASSUMED, Claim, Outcome, check, claims, named
from lutra.prove.claims import State

WORDS: Mapping[State, str] = {"proved": "proved", "refuted": "REFUTED", "open": "not proved"}


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ALGORITHM|FOLDER]...",
            help="Algorithms of `lutra ciphers`, or folders of firmware; default: all that have a specification.",
        ),
    ] = None
    manifest: ManifestOption = None
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Prove that firmware computes what its specification says, in constant time.

    What is proved are the words of the assembled image: set-up and jobs of any length, for all keys, IVs and inputs. A
    failure is followed by a search for a message on which simulator and specification differ. The exit code is 1 if
    anything is refuted or not proved.

    \b
    Example:
      lutra prove aes-128-ctr
      lutra prove firmware/aria --json
    """
    todo = _claims(request)
    outcomes: list[Outcome] = []
    with progress("proving", len(todo), at_once=True) as done:
        for claim in todo:
            outcomes.append(check(claim, lambda: done(len(outcomes))))
            done(len(outcomes))
            if not request.json:
                _print(outcomes[-1])
    if request.json:
        print_json({"assumed": ASSUMED, "claims": [outcome.as_json() for outcome in outcomes]})
    else:
        counts = Counter(outcome.state for outcome in outcomes)
        print(", ".join(f"{counts[state]} {word.lower()}" for state, word in WORDS.items() if counts[state]))
        if counts["proved"]:
            print("assumed: " + ";\n         ".join(ASSUMED))
    if any(outcome.state != "proved" for outcome in outcomes):
        raise typer.Exit(1)


def _claims(request: Request) -> Sequence[Claim]:
    """The claims of algorithms and folders; of none, all that have a specification."""
    folders = [Path(text) for text in request.what or () if Path(text).exists()]
    names = [text for text in request.what or () if not Path(text).exists()]
    known = served([*(request.manifest or ()), *folders] or None)
    found = list(named(known, names)) if names else []
    if folders:
        found += [c for c in known.own if c.manifest.parent.resolve() in {_folder(path) for path in folders}]
    todo = list(claims(found or known.listed))
    if not request.what:
        todo = [claim for claim in todo if claim.specified]
    if not todo:
        raise UsageError("there is nothing to prove: no algorithm has a specification; see docs/proofs.md")
    return todo


def _folder(path: Path) -> Path:
    return (path if path.is_dir() else path.parent).resolve()


def _print(outcome: Outcome) -> None:
    line = f"{outcome.claim.name}: {WORDS[outcome.state]}"
    print(f"{line}: {outcome.reason}" if outcome.reason else line)
    if outcome.counterexample is not None:
        print("  " + str(outcome.counterexample).replace("\n", "\n  "))
