"""`python -m formulas`: check the formulas of Serpent in the firmware, and print a shortest one of each S-box."""

from __future__ import annotations

import sys

from formulas.committed import formulas
from formulas.search import shortest
from formulas.truth import BOXES


def main() -> int:
    """Return 1 if a formula of the firmware does not compute its S-box."""
    wrong = [formula.macro for formula in formulas() if not formula.computes(BOXES[formula.box])]
    for macro in wrong:
        print(f"firmware/serpent/rounds.inc: {macro} does not compute its S-box", file=sys.stderr)
    for name, box in BOXES.items():
        found = shortest(box) or []
        used = ", ".join(f"{f.macro} {len(f.steps)}" for f in formulas() if f.box == name)
        print(f"{name}: {len(found)} instructions ({used})")
        print("".join(f"    {line}\n" for line in found), end="", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
