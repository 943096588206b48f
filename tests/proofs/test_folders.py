"""The tables of docs/proofs.md are made of recorded results, and of what `lutra prove --list` says."""

from __future__ import annotations

from pathlib import Path

from lutra.firmware.manifest import catalogue
from lutra.prove import Outcome, coverage
from lutra.prove.registry import OPEN
from proof_results.page import COMMAND, PAGE, filled, table
from proof_results.record import Record, Result
from support.wrong_firmware import claim

FOLDERS = coverage(catalogue().offered)


def test_page_shows_the_recorded_results() -> None:
    assert PAGE.read_text() == filled(PAGE.read_text(), Record.read()), f"run: {COMMAND}"


def test_table_counts_claims_that_are_proved_and_those_in_time() -> None:
    results = [Result("aes", "proved", "", seconds, "c0ffee") for seconds in (1.5, 12.25)]
    results.append(Result("aes", "open", "no invariant", 3.0, "c0ffee"))
    record = Record({f"aes-{n}": result for n, result in enumerate(results)})
    folder = next(folder for folder in FOLDERS if folder.name == "aes")
    row = f"| `aes` | 2 | 3 | {folder.specified} | {folder.claims} | 1 | 17 | 12.2, `aes-1` | {folder.reason} |\n"
    assert row in table("folders", record)
    assert table("open", record).endswith("| `aes-2` | not proved | no invariant | 3.0 |\n")


def test_result_of_a_claim_replaces_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "proofs.json"
    record = Record.read(file)
    for state in ("open", "proved"):
        record.add(Outcome(claim("aes-128-ctr"), state, "", 1.04, "image"), "c0ffee")
    record.write(file)
    assert Record.read(file).results == {"aes-128-ctr encrypt": Result("aes", "proved", "", 1.0, "c0ffee")}


def test_claim_that_is_refuted_or_no_longer_proved_fails_the_run() -> None:
    record, of = Record({}), claim("aes-128-ctr")
    found = []
    for state in ("open", "proved", "proved", "open", "refuted"):
        outcome = Outcome(of, state, "", 1.0, "image")
        found.append(record.loses(outcome))
        record.add(outcome, "c0ffee")
    assert found == [False, False, False, True, True]


def test_reason_is_given_where_something_has_no_specification_and_nowhere_else() -> None:
    assert set(OPEN) == {folder.name for folder in FOLDERS if folder.specified < folder.claims}
