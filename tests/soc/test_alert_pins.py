"""The pins of lutra_axi for the alert and the escalation: `lutra_axi_alert` as gates, one cycle at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from faults.netlist import Design, make
from faults.record import Row
from support.documents import ROOT
from support.guarded_sum import Simple

SOURCE = ROOT / "soc" / "rtl" / "lutra_axi_alert.sv"
INPUTS = ("rst_ni", "escalate_i", "escalate_value_i", "raised_i", "core_alert_i")
OUTPUTS = ("alert_o", "raise_o", "core_alert_clear_o", "core_escalate_o")
CYCLES = 400


def netlist(alert: bool, escalate: bool) -> Simple:
    return Simple(make(Design("lutra_axi_alert", (SOURCE,), {"ALERT": int(alert), "ESCALATE": int(escalate)})))


def cycles(seed: int) -> list[Row]:
    """Return pins that are mostly quiet, so that what stays is seen, and a reset now and then."""
    rng = random.Random(seed)
    chances = {"rst_ni": 0.98, "escalate_i": 0.02, "escalate_value_i": 0.02, "raised_i": 0.3, "core_alert_i": 0.3}
    return [Row({name: int(rng.random() < chances[name] and i > 0) for name in INPUTS}, {}) for i in range(CYCLES)]


def expected(rows: list[Row], alert: bool, escalate: bool) -> Iterator[dict[str, int]]:
    """Yield the outputs of each cycle, by what docs/integrate.md says of the pins."""
    seen = escalated = 0
    for row in rows:
        pins = row.inputs
        escalated |= pins["escalate_i"]
        yield {
            "alert_o": int(alert) & (seen | pins["raised_i"]),
            "raise_o": pins["core_alert_i"] & ~seen,
            "core_alert_clear_o": seen & ~pins["raised_i"],
            "core_escalate_o": int(escalate) & (escalated | pins["escalate_value_i"]),
        }
        seen, escalated = (pins["core_alert_i"], escalated) if pins["rst_ni"] else (0, 0)


@pytest.mark.parametrize(("alert", "escalate"), [(True, True), (True, False), (False, False)])
def test_pins_are_level_and_sticky(alert: bool, escalate: bool) -> None:
    unit, rows = netlist(alert, escalate), cycles(1)
    found = [{name: values[unit.outputs[name][0]] for name in OUTPUTS} for values in unit.run(rows, (), {}, 0)]
    assert found == [*expected(rows, alert, escalate)]


def test_a_core_that_has_neither_costs_no_gate() -> None:
    unit = netlist(alert=False, escalate=False)
    assert unit.outputs["alert_o"] == unit.outputs["core_escalate_o"] == [0]
    assert not {net for _, _, ins in unit.gates for net in ins} & {*unit.inputs["escalate_i"]}
    assert len(unit.flops) == 1  # that of the register


def test_no_single_flip_flop_keeps_an_alert_from_the_pin() -> None:
    """With the register and the flip-flop of its own, each of which may be stuck at 0."""
    unit = netlist(alert=True, escalate=True)
    rows = [Row(dict.fromkeys(INPUTS, 0) | {"rst_ni": int(i > 1), "core_alert_i": int(i == 4)}, {}) for i in range(8)]
    raised = [Row({**row.inputs, "raised_i": int(i > 4)}, {}) for i, row in enumerate(rows)]
    alert = unit.outputs["alert_o"][0]
    (own,) = (out for out, _, _ in unit.flops if _feeds(unit, out, alert))
    assert [values[alert] for values in unit.run(raised, (), {own: 0}, 0)][5:] == [1, 1, 1]
    assert [values[alert] for values in unit.run(rows, (), {}, 0)][5] == 1


def _feeds(unit: Simple, net: int, output: int) -> bool:
    """Whether an output depends on a net within one cycle."""
    reached = {net}
    for out, _, ins in unit.gates:
        if reached & {*ins}:
            reached.add(out)
    return output in reached
