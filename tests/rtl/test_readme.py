"""The tables of rtl/README.md have a row for every file, parameter and port of the core."""

from __future__ import annotations

import re
import subprocess

from support.documents import ROOT

RTL = ROOT / "rtl"
README = (RTL / "README.md").read_text()
CORE = (RTL / "lutra_core.sv").read_text()
GENERATED = ROOT / "build" / "gen" / "sv"


def first_cells(section: str) -> list[str]:
    """The first cell of every row of the section's table."""
    text = README.split(f"\n## {section}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| ([^|]+) \|", text, re.M)
    return cells[2:]  # after the header and its rule


def names(cells: list[str]) -> list[str]:
    """Names in backticks."""
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def test_modules_are_the_files() -> None:
    rows = first_cells("Modules")
    written = names([r for r in rows if "(generated)" not in r])
    listed = [line.removesuffix(".sv") for line in (RTL / "lutra.f").read_text().split()]
    assert sorted(written) == sorted(listed) == sorted(path.stem for path in RTL.glob("*.sv"))


def test_generated_modules_are_those_of_the_generator() -> None:
    """A generated file has a row that names all of its modules, or with `...` the first and the last."""
    rows = {(tuple(names([r])), "..." in r) for r in first_cells("Modules") if "(generated)" in r}
    lists = [(GENERATED / name).read_text().split() for name in ("lutra_packages.f", "lutra_modules.f")]
    texts = [(GENERATED / file).read_text() for files in lists for file in files]
    for text in texts:
        units = tuple(re.findall(r"^(?:package|module) (\w+)", text, re.M))
        assert len(rows & {(units, False), ((units[0], units[-1]), True)}) == 1
    assert len(rows) == len(texts)


def test_parameters_and_ports_are_those_of_the_core() -> None:
    assert names(first_cells("Parameters of `lutra_core`")) == re.findall(r"^  parameter .*?(\w+) = ", CORE, re.M)
    ports = re.findall(r"^  (?:input|output) .*?(\w+),?(?:\s*//.*)?$", CORE, re.M)
    clock_and_reset = {"clk_i", "rst_ni"}
    assert set(names(first_cells("Ports of `lutra_core`"))) == set(ports) - clock_and_reset


def test_the_lint_command_works_in_a_checkout_and_warns_of_nothing() -> None:
    section = README.split("\n## Reading and checking\n")[1]
    command = section.split("```sh\n")[1].split("```")[0]
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
