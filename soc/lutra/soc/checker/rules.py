"""The rules of the checkers, read from their sources; `python -m lutra.soc.checker.rules` prints them as tables."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CHECKER = Path(__file__).parents[3] / "checker"
MODULES = {"lutra_axi_checker": "AXI4", "lutra_axi_lite_checker": "AXI4-Lite"}

_RULE = re.compile(
    r"if \(ASSUME_(?P<side>\w+)\) (?P<assumed>\w+)_assumed: assume \((?P<holds>.*?)\) else \$error\(.*?;\s+"
    r"else (?P<label>\w+): assert \((?P=holds)\) else \$error\(\"AXI rule %s: %s \(%s\)\", "
    r"\"(?P=label)\", \"(?P<text>[^\"]*)\", \"(?P<clause>[^\"]*)\"\);"
)


@dataclass(frozen=True)
class Rule:
    """A rule of a checker. clause: of IHI 0022 issue H.c, or `option`."""

    label: str
    side: str
    clause: str
    text: str


class SourceError(Exception):
    """Verilator refuses a checker."""


@cache
def rules(module: str) -> tuple[Rule, ...]:
    """The rules of a checker in the order of its source. SourceError where that cannot be read."""
    command = ["verilator_bin", "-E", "-P", f"+incdir+{CHECKER}", str(CHECKER / f"{module}.sv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SourceError(done.stderr)
    text = " ".join(done.stdout.split())
    found = tuple(
        Rule(m["label"], m["side"].lower(), m["clause"], m["text"]) for m in _RULE.finditer(text) if m["assumed"]
    )
    written = text.count("AXI rule") // 2
    if len(found) != written:
        raise SourceError(f"{module}: {written} rules are written, {len(found)} can be read")
    return found


def table(module: str) -> Iterator[str]:
    """The rows of the table of a checker."""
    yield "| rule | kept by | clause | broken when |"
    yield "| --- | --- | --- | --- |"
    for rule in rules(module):
        yield f"| {rule.label} | {rule.side} | {rule.clause} | {rule.text} |"


if __name__ == "__main__":
    for name, protocol in MODULES.items():
        print(f"### {protocol}: `{name}`\n", *table(name), "", sep="\n")
