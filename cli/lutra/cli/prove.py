"""`lutra prove`: firmware against its specification, for all keys, inputs and lengths."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import UsageError
from lutra.cli.files import distinct
from lutra.cli.options import JsonOption, ManifestOption, served
from lutra.cli.output import output, print_json, progress
from lutra.cli.request import takes
from lutra.prove import ASSUMED, Claim, Limits, Outcome, claims, coverage, named, outcomes
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
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=64, help="Run N processes; default 1.")] = 1
    seconds: Annotated[
        int,
        typer.Option(
            "--max-seconds", metavar="N", min=1, help="Processor seconds of one claim, which is not proved after these."
        ),
    ] = Limits.seconds
    megabytes: Annotated[
        int, typer.Option("--max-memory", metavar="MB", min=256, help="Memory of the process of one claim.")
    ] = Limits.megabytes
    list_: Annotated[
        bool, typer.Option("--list", help="List how many claims of each folder have a specification; prove nothing.")
    ] = False
    counterexample: Annotated[
        Path | None,
        typer.Option("--counterexample", metavar="FILE", help="Write the first one, for `lutra debug`."),
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
      lutra prove otter --counterexample wrong.json
    """
    if request.list_:
        _list(request)
        return
    todo = _claims(request)
    inputs = {str(f): f for c in todo for f in (c.cipher.manifest, *c.implementation.image.sources)}
    distinct(inputs, {"--counterexample": request.counterexample})
    found: list[Outcome] = []
    with progress("proving", len(todo), at_once=True) as done:
        for outcome in outcomes(todo, Limits(request.seconds, request.megabytes), request.jobs):
            found.append(outcome)
            done(len(found))
            if not request.json:
                _print(outcome)
    if request.json:
        print_json({"assumed": ASSUMED, "claims": [outcome.as_json() for outcome in found]})
    else:
        counts = Counter(outcome.state for outcome in found)
        print(", ".join(f"{counts[state]} {word.lower()}" for state, word in WORDS.items() if counts[state]))
        if counts["proved"]:
            print("assumed: " + ";\n         ".join(ASSUMED))
    first = next((outcome for outcome in found if outcome.counterexample), None)
    if request.counterexample is not None and first is not None:
        with output(request.counterexample) as file:
            file.write(json.dumps(first.message(), indent=2).encode() + b"\n")
    if any(outcome.state != "proved" for outcome in found):
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


def _list(request: Request) -> None:
    known = served(request.manifest)
    # Asking what the configuration can run would assemble everything.
    folders = coverage(known.own or known.offered)
    if request.json:
        print_json([vars(folder) for folder in folders])
        return
    for one in folders:
        print(f"{one.name}: {one.specified} of {one.claims}" + (f"; {one.reason}" if one.reason else ""))


def _folder(path: Path) -> Path:
    return (path if path.is_dir() else path.parent).resolve()


def _print(outcome: Outcome) -> None:
    line = f"{outcome.claim.name}: {WORDS[outcome.state]}"
    print(f"{line}: {outcome.reason}" if outcome.reason else line, flush=True)
    if outcome.counterexample is not None:
        print("  " + str(outcome.counterexample).replace("\n", "\n  "))
