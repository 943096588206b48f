"""Documents have one prose width and the field's words; names of tests are claims, and each is there once."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.documents import DOCUMENTS, PLACES, ROOT, name, prose

WIDTH = 120
# What is not written, and what is written instead.
WORDS = {
    r"\bbehind\b": "after",
    r"paper's manner": "CP-ASIP-style baseline",
    r"\bin turn\b": "interleaved",
    r"\bcycles an? (block|word|byte|instruction)\b": "per block",
}
# `document: words` where they are right after all.
ALLOWED: frozenset[str] = frozenset()
# A claim has a subject and a verb at least.
WORDS_OF_A_CLAIM = 3


def too_wide(document: Path) -> Iterator[str]:
    """Lines of prose that are too long; a row of a table, a comment or a link alone cannot be broken."""
    if document.read_text().startswith("<!-- Generated"):
        return
    for number, line in prose(document):
        if len(line) > WIDTH and not line.startswith(("|", "<!--")) and " " in line.strip():
            yield f"{name(document)}:{number}: {len(line)} columns"


def found_words(document: Path) -> Iterator[tuple[str, str]]:
    """(`document: words`, what to write instead with its place) of every paragraph."""
    lines = list(prose(document))
    # A line break is no way around.
    text = "\n".join(line for _, line in lines)
    for pattern, instead in WORDS.items():
        for match in re.finditer(pattern.replace(" ", r"\s+"), text, re.IGNORECASE):
            number = lines[text.count("\n", 0, match.start())][0]
            words = " ".join(match[0].split())
            yield f"{name(document)}: {words}", f"{name(document)}:{number}: {words!r}; write {instead!r}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_prose_has_one_width(document: Path) -> None:
    assert not list(too_wide(document))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_documents_have_the_words_of_the_field(document: Path) -> None:
    assert not [message for entry, message in found_words(document) if entry not in ALLOWED]


def test_every_allowed_word_is_used() -> None:
    assert not ALLOWED - {entry for document in DOCUMENTS for entry, _ in found_words(document)}


def test_a_wide_line_and_a_wrong_word_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.documents.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("It waits\nbehind a store.\n\n" + "word " * 30 + "\n\n| " + "x" * 130 + " |\n\n```\nbehind\n```\n")
    assert [message for _, message in found_words(page)] == ["page.md:2: 'behind'; write 'after'"]
    assert list(too_wide(page)) == ["page.md:4: 150 columns"]


@pytest.mark.parametrize("folder", (*PLACES, "tests"))
def test_every_folder_says_what_it_may_import_and_where_to_start(folder: str) -> None:
    text = " ".join((ROOT / folder / "README.md").read_text().split())
    assert "This folder holds" in text
    assert "may import" in text or "imports nothing" in text
    assert re.search(r"\b(Start with|Read) ", text)


def test_the_glossary_is_sorted() -> None:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", (ROOT / "docs/glossary.md").read_text(), re.M)
    terms = [term.lower() for term in rows[2:]]
    assert len(terms) >= 30
    assert terms == sorted(set(terms))


def test_names_of_tests_are_unique_claims() -> None:
    files = defaultdict(list)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                files[node.name].append(file.relative_to(ROOT).as_posix())
    assert not {test: where for test, where in files.items() if len(where) > 1}
    assert not [test for test in files if len(test.removeprefix("test_").split("_")) < WORDS_OF_A_CLAIM]
