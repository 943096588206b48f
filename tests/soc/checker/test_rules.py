"""Each rule of the AXI checkers catches a trace that breaks it, and no other rule does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from lutra.soc.checker.bench import Which, build, run
from lutra.soc.checker.rules import CHECKER, MODULES, rules, table
from support.axi_traffic import Traffic
from support.axi_violations import base, lite_base, violations
from support.documents import ROOT
from support.programs import kept

VIOLATIONS = [(f"{which.name.lower()}: {name}", name, which, cycles) for name, which, cycles in violations()]
MODULE = {Which.FULL: "lutra_axi_checker", Which.PLAIN: "lutra_axi_checker", Which.LITE: "lutra_axi_lite_checker"}


@pytest.fixture(scope="session")
def program() -> Path:
    """The bench."""
    return kept("checker", (CHECKER, ROOT / "soc/lutra/soc/checker", ROOT / "rtl/lint.vlt"), build)


@pytest.fixture(scope="session")
def broken(program: Path) -> dict[str, set[str]]:
    """The rules that each trace breaks."""
    return run(program, {test: (which, cycles) for test, _, which, cycles in VIOLATIONS})


@pytest.mark.parametrize(("test", "name"), [v[:2] for v in VIOLATIONS], ids=[v[0] for v in VIOLATIONS])
def test_a_violation_breaks_its_rule_only(broken: dict[str, set[str]], test: str, name: str) -> None:
    assert broken[test] == {name.partition(":")[0]}


def test_what_the_violations_begin_with_breaks_nothing(program: Path) -> None:
    assert run(program, {"axi": (Which.FULL, base()), "lite": (Which.LITE, lite_base())}) == {
        "axi": set(),
        "lite": set(),
    }


def with_resets(random: Random, lite: bool) -> Iterator[dict[str, int]]:
    """Random traffic that a reset ends in any state of its transfers, again and again."""
    for _ in range(4):
        yield from ({"rst_n": 0}, {})
        yield from Traffic(random, lite).cycles(random.randint(50, 400))


@pytest.mark.parametrize("which", [Which.FULL, Which.LITE])
def test_correct_traffic_breaks_nothing(program: Path, which: Which) -> None:
    traces = {f"{seed}": (which, [*with_resets(Random(seed), which == Which.LITE)]) for seed in range(24)}
    assert {seed: broken for seed, broken in run(program, traces).items() if broken} == {}


@pytest.mark.parametrize("module", MODULES)
def test_every_rule_has_a_violation(module: str) -> None:
    violated = {name.partition(":")[0] for _, name, which, _ in VIOLATIONS if MODULE[which] == module}
    assert violated == {rule.label for rule in rules(module)}


@pytest.mark.parametrize("module", MODULES)
def test_the_page_has_the_table_of_rules(module: str) -> None:
    page = (CHECKER / "README.md").read_text()
    assert "\n".join(table(module)) in page, "run: python -m lutra.soc.checker.rules"
