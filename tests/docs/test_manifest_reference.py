"""docs/manifest.md has every key of a manifest, with its value, whether it is needed, and a legal example."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from msgspec import Struct

from lutra.firmware import schema, tables
from lutra.firmware.kinds import KINDS
from lutra.firmware.manifest import SOURCES
from lutra.firmware.polynomial import Polynomial
from support.documents import ROOT

SECTIONS: dict[str, type[Struct]] = {
    "Manifest": tables.Manifest,
    "Image": tables.Image,
    "Parameters": tables.Parameters,
    "Algorithm": tables.Algorithm,
    "Implementations": tables.Implementation,
    "Vectors": tables.Vectors,
    "Pack": tables.Pack,
    "Polynomial": Polynomial,
}
# By default, an algorithm has one by the image that is called as the cipher.
FILLED_IN = {"implementations"}
TEXT = (ROOT / "docs/manifest.md").read_text()
# Tables and lists of them are shown by the sections that they refer to.
WITHOUT_EXAMPLE = {("Manifest", "algorithm"), ("Algorithm", "polynomial")}


@dataclass(frozen=True)
class Row:
    """A line of a table of keys."""

    key: str
    cells: tuple[str, ...]


def rows(section: str) -> Iterator[Row]:
    """Lines of the table below a heading."""
    for line in TEXT.split(f"\n### {section}\n")[1].split("\n#")[0].splitlines():
        if found := re.match(r"\| `(\w+)` \|", line):
            yield Row(found[1], tuple(cell.strip() for cell in line.strip("|").split(" | ")[1:]))


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_has_the_keys_of_its_table_in_their_order(section: str) -> None:
    assert [row.key for row in rows(section)] == list(schema.keys(SECTIONS[section]))


@pytest.mark.parametrize("section", SECTIONS)
def test_values_are_described_as_in_errors(section: str) -> None:
    keys = schema.keys(SECTIONS[section])
    assert {row.key: row.cells[0] for row in rows(section)} == {k: schema.described(want) for k, want in keys.items()}


@pytest.mark.parametrize("section", SECTIONS)
def test_what_cannot_be_left_out_is_said_to_be_needed(section: str) -> None:
    needed = {*schema.needed(SECTIONS[section])} - FILLED_IN
    assert {row.key for row in rows(section) if row.cells[1] == "needed"} == needed


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_has_a_legal_example(section: str) -> None:
    for row in rows(section):
        examples = re.findall(rf"`({row.key} = .*?)`", row.cells[-1])
        assert bool(examples) is ((section, row.key) not in WITHOUT_EXAMPLE), row.key
        for example in examples:
            schema.convert(example, tomllib.loads(example), schema.optional(SECTIONS[section]))


def test_routines_are_those_of_the_convention_for_ciphers() -> None:
    convention = tomllib.loads((SOURCES / "conventions.toml").read_text())["routines"]
    labels = {row.key: row.cells[0].strip("`") for row in rows("Routines")}
    assert labels == convention["cipher"] | {"key_tables": "as `tables", "start": "none", "last": "as `run"}
    others = {role for kind in convention.values() for role in kind} - labels.keys()
    named = set(re.findall(r"`(\w+)`", TEXT.rsplit("Those that may be", 1)[1].split("\n#")[0]))
    assert named - KINDS.keys() == others


def test_routines_of_kind_aead_are_those_of_its_convention() -> None:
    convention = tomllib.loads((SOURCES / "conventions.toml").read_text())["routines"]
    labels = {row.key: row.cells[0].strip("`") for row in rows("Routines of kind aead")}
    assert labels == {role: label or "none" for role, label in convention["aead"].items() if role in labels}
    assert convention["aead"].keys() - labels.keys() == {"tables", "key_tables", "start"}
