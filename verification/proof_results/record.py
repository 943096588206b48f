"""Results of claims, in a file next to the page that shows them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from lutra.prove import Outcome

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "docs" / "proofs.json"


@dataclass(frozen=True)
class Result:
    """The outcome of a claim. seconds: of the processor. commit: at which it was tried."""

    folder: str
    state: str
    reason: str
    seconds: float
    commit: str


@dataclass
class Record:
    """The results by the names of claims."""

    results: dict[str, Result]

    @staticmethod
    def read(file: Path = RECORD) -> Record:
        """The results so far; none if there is no file."""
        found: Mapping[str, Mapping[str, str]] = json.loads(file.read_text()) if file.exists() else {}
        return Record({name: Result(**about) for name, about in found.items()})  # type: ignore[arg-type]

    def loses(self, outcome: Outcome) -> bool:
        """Whether a claim is refuted, or open after it was proved."""
        before = self.results.get(outcome.claim.name)
        was_proved = before is not None and before.state == "proved"
        return outcome.state == "refuted" or (outcome.state == "open" and was_proved)

    def add(self, outcome: Outcome, commit: str) -> None:
        """Put a result in place of the one before it."""
        folder = outcome.claim.cipher.manifest.parent.name
        about = folder, outcome.state, outcome.reason, round(outcome.seconds, 1), commit
        self.results[outcome.claim.name] = Result(*about)

    def write(self, file: Path = RECORD) -> None:
        """Write them in order of their names."""
        text = json.dumps({name: asdict(result) for name, result in sorted(self.results.items())}, indent=1)
        file.write_text(text + "\n")
