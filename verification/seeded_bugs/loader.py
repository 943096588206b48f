"""Mistakes put into a copy of the loader one after the other: each must be found."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from seeded_bugs.__main__ import Bug, PatchError, changed, read
from variant import BuildError, Variant


@dataclass(frozen=True)
class Verdict:
    """Whether a mistake was found, and what there is to say of it in one line."""

    found: bool
    line: str


def parser(module: str, known: Sequence[Path], jobs: str) -> argparse.ArgumentParser:
    """Return the parser of a command that looks for mistakes in the loader; jobs: what there are several of."""
    made = argparse.ArgumentParser(prog=f"python -m {module}", description="Mistakes in the loader must be found.")
    names = ", ".join(path.stem for path in known)
    made.add_argument("names", nargs="*", metavar="BUG", help=f"only some of {names}")
    made.add_argument("--jobs", type=int, default=2, help=f"{jobs} (2)")
    return made


def chosen(arguments: argparse.ArgumentParser, names: Sequence[str], known: Sequence[Path]) -> list[Path]:
    """Return the patches of these names, or all of them; ends with a message if there is none of a name."""
    paths = {path.stem: path for path in known}
    if unknown := [name for name in names if name not in paths]:
        arguments.error(f"no bug {', '.join(unknown)}; choose from {', '.join(paths)}")
    return [paths[name] for name in names or paths]


def plant(bug: Bug, variant: Variant, line: str, choices: Collection[str]) -> str:
    """Change the copy as the patch says, and return which of the choices a line of its header names."""
    wanted = bug.header[line]
    if wanted not in choices:
        raise PatchError(f"{bug.path.name}: `{line}: {wanted}` is none of {', '.join(choices)}")
    variant.copy(changed(bug))
    variant.generate()
    return wanted


def search(
    program: str,
    patches: Sequence[Path],
    header: Sequence[str],
    check: Callable[[Bug], Verdict],
    failure: type[Exception],
) -> int:
    """Check each patch, print what came of it, and return how many mistakes were not found.

    header: the lines that a patch must have. failure: what `check` raises where it cannot tell.
    """
    faults = 0
    for number, path in enumerate(patches, 1):
        try:
            verdict = check(read(path, header))
        except (PatchError, BuildError, failure) as error:
            print(f"{program}: {error}", file=sys.stderr)
            faults += 1
            continue
        print(f"{number}/{len(patches)} {path.stem}: {verdict.line}", flush=True)
        faults += not verdict.found
    return faults
