"""A hazard is a record: whatever a new one says reaches interlock, timing, coverage, aimed programs and reference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lutra.isa import load
from support.description import ROOT, compiled, generate, lint, python, refusal

# `hold` is written and read in MEM, so that nothing waits for it; this description writes it in WB.
NEXT = len(load().stalls) - 1  # the first order that no hazard has; the last cause does not belong to a hazard
HOLD = f"""
def Hold : Resource<"hold", 1, [[HOLD]]>;
def HoldMoved : Access<"hold", Hold, (cell 0), [(moves MoveHoldRow)], "hold by a move of a row">;
def HoldA : Access<"held", Hold, (named "ra"), [], "hold as first source">;
def HazardHold : Hazard<{NEXT}, "hold", [HoldMoved], StageWB, [HoldA], StageMEM, 0, "a row on its way to hold">;
"""
TIMING = """
#include <cstdio>
#include "timing.hpp"
int main() {
  lutra::Timing timing(2);
  timing.start();
  for (std::uint64_t word : {%s}) {
    const lutra::Decoded d = lutra::decode(word, 2);
    timing.issue(*d.encoding, d);
    timing.write(*d.encoding, d);
  }
  std::printf("%%d", static_cast<int>(timing.stalls()[static_cast<int>(lutra::Stall::Hold)]));
}
"""


@pytest.fixture(scope="module")
def with_hold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a description with one hazard more, and of what is generated from it."""
    folder = tmp_path_factory.mktemp("hold")
    run = generate(folder, HOLD)
    assert (run.returncode, run.stderr) == (0, "")
    return folder


def test_the_interlock_waits_for_a_new_hazard(with_hold: Path) -> None:
    assert "    4, 5  // hold\n" in (with_hold / "gen/sv/lutra_hazards_pkg.sv").read_text()
    modules = (with_hold / "gen/sv/lutra_hazards.sv").read_text()
    assert "hold_a = ctl.use_a && ctl.ra == VecHOLD;" in modules and "cells_o.hold = hold_a;" in modules
    assert "hold_moved = ctl.mv == MoveHoldRow;" in modules and "cells_o.hold = hold_moved;" in modules
    assert f"between_o[{NEXT}] = |(reads_i.hold & writes_i.hold);  // hold" in modules
    assert lint(with_hold) == ""


def test_the_simulator_waits_for_a_new_hazard(with_hold: Path) -> None:
    moving, reading = (_word(with_hold, name, access) for name, access in (("CAM2", "HoldMoved"), ("MOV", "HoldA")))
    for words, waits in (((reading, reading), "0"), ((moving, reading), "4")):
        source = TIMING % ", ".join(map(hex, words))
        assert compiled(with_hold, source, ROOT / "iss/src/decode.cpp") == waits


def test_coverage_and_reference_name_a_new_hazard(with_hold: Path) -> None:
    page = (with_hold / "gen/docs/isa-reference.md").read_text()
    assert "| hold | 5 | 4 | hold as first source | hold by a move of a row |" in page
    points = {
        p["name"]: p for p in json.loads((with_hold / "gen/python/lutra/isa/coverage.json").read_text())["points"]
    }
    for name, bins in (("hazard.distance", 5), ("insn.hazard", 5)):
        dimensions = [d["labels"] for d in points[name]["dimensions"]]
        hazard = next(i for i, labels in enumerate(dimensions) if "hold" in labels and "memory" in labels)
        found = [b for b in points[name]["bins"]["2"] if _labels(b, dimensions)[hazard] == "hold"]
        assert len(found) >= bins


def test_programs_are_aimed_at_a_new_hazard(with_hold: Path) -> None:
    program = (
        "import random; from lutra.coverage.aimed import AimedPrograms; "
        "print(AimedPrograms(random.Random(1), 2).program('insn.hazard', 'MOV/held/hold/2').code)"
    )
    words = json.loads(python(with_hold / "gen", program).stdout)
    hold = load().vector("HOLD").code
    by_name = {i.name: i for i in load().instructions}
    assert by_name["MOV"].get(words[2], "ra") == hold


REFUSED = {
    "only read": (
        HOLD + f'def Bad : Hazard<{NEXT + 1}, "bad", [Lane], StageWB, [HoldA], StageID, 0, "bad">;',
        "Bad: resource AddressRegisters is only written",
    ),
    "an access without a hazard": (
        'def Bad : Access<"bad", Registers, (named "rb"), [], "bad">;',
        "Bad: no hazard is about this access",
    ),
    "an access that no instruction makes": (
        HOLD.replace("(cell 0)", '(named "rd")').replace("[(moves MoveHoldRow)]", "[]"),
        "HoldMoved: no instruction makes this access",
    ),
    "an unknown word": (
        HOLD.replace("(moves MoveHoldRow)", "(named MoveHoldRow)"),
        "HoldMoved: named is none of ready, sources, uses, does, enters, beside, moves, clocks, pairs, streams",
    ),
    "a word about something else": (
        HOLD.replace("(moves MoveHoldRow)", "(moves W)"),
        "HoldMoved: (moves W): W is none of MoveHoldRow, MoveHoldCtr, MoveStore",
    ),
    "a cell that is not there": (HOLD.replace("(cell 0)", "(cell 1)"), "HoldMoved: resource Hold has no cell 1"),
    "a gap in the orders": (
        HOLD.replace(f"<{NEXT}", f"<{NEXT + 1}"),
        f"HazardHold: code {NEXT + 1}, but {NEXT} is not given to any",
    ),
    "a distance of nothing": (
        HOLD.replace("StageWB, [HoldA]", "StageAG, [HoldA]"),
        "HazardHold: its distance is 0 with ROUNDS_PER_INSTR = 1",
    ),
    "a source that is read too late": (
        f'def Bad : Hazard<{NEXT}, "bad", [ResultX1], StageX1, [EarlyA], StagePERM, 1, "bad">;',
        "Bad: EarlyA of VTOAR (",
    ),
    "a source of any path that is read too late": (
        'def Any : Access<"any", Registers, (named "rb"), [], "any">;'
        f' def Bad : Hazard<{NEXT}, "bad", [ResultX1], StageX1, [Any], StagePERM, 1, "bad">;',
        "Bad: Any of AND (",
    ),
    "a stage that no result is ready in": (
        HOLD.replace("[(moves MoveHoldRow)]", "[(ready StageWB)]"),
        "HoldMoved: (ready StageWB): StageWB is none of StageX1, StageX2",
    ),
    "no access": (
        f'def Bad : Hazard<{NEXT}, "bad", [], StageWB, [], StageID, 0, "bad">;',
        "Bad: a hazard needs accesses that write and accesses that read",
    ),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_a_hazard_that_would_never_hold_is_refused(reason: str, tmp_path: Path) -> None:
    records, message = REFUSED[reason]
    assert message in refusal(tmp_path, records)


def test_every_hazard_has_a_read_and_a_write_of_one_resource() -> None:
    isa = load()
    for stall in isa.stalls[:-1]:  # the last cause is the transfer
        writes, reads = ({isa.access_by_name[a].resource for a in names} for names in (stall.writes, stall.reads))
        assert writes and writes == reads


def _word(folder: Path, name: str, access: str) -> int:
    """A word of an instruction that makes an access, in the tables of a folder."""
    program = (
        "import random; from lutra.isa import load; from lutra.coverage.aimed.hazards import accessing; "
        "from lutra.coverage.aimed.pieces import Pieces; p = Pieces(load(), random.Random(1), 2); "
        f"print(accessing(p, [p.words.by_name[{name!r}]], p.isa.access_by_name[{access!r}], 0))"
    )
    return int(python(folder / "gen", program).stdout)


def _labels(place: int, dimensions: list[list[str]]) -> list[str]:
    labels: list[str] = []
    for dimension in reversed(dimensions):
        place, at = divmod(place, len(dimension))
        labels.insert(0, dimension[at])
    return labels
