"""Documents have one prose width, they and code the field's words; names of tests are claims, each there once."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.code_words import passages, sources
from support.documents import DOCUMENTS, PLACES, ROOT, name, prose

WIDTH = 120
# What is not written, and what is written instead.
WORDS = {
    r"\bbehind\b": "after",
    r"paper's manner": "CP-ASIP-style baseline",
    r"\bin turn\b": "interleaved",
    r"\bcycles an? (block|word|byte|instruction)\b": "per block",
}
# The same for code: comments, docstrings, messages and help.
_COUNTED = r"(?:cycles|instructions|rows|bytes|lines|one (?:access|bit|function|handler|line|module|round|row))"
_EACH = r"(?:bit|block|byte|field|file|gate|instruction|lane|line|mode|word)"
_COMPARED = r"(?:longer|more|less|later|earlier|greater|smaller|farther|further)"
WORDS_OF_CODE = {
    r"\bbeside\b": "next to, or parallel to",
    r"\brooms\b": "folders, or packages",
    # "There is no file" is right; so is "is no longer" or "is no more".
    rf"(?<!\bthere )\b(?:is|are) no (?!{_COMPARED}\b)\w+": "is not a",
    rf"\b{_COUNTED} an? {_EACH}\b": "per",
}
DOCSTRING_BEGINS = re.compile(r"\s*(?:Of|What)\b")
BEGINS = re.compile(r'"""\s*(?:Of|What)\b')
# Whatever separates the words of a comment or a text.
MARKS = re.compile(r"[\s#/*\"]+")
# `document: words` where they are right after all.
ALLOWED: frozenset[str] = frozenset()
# `folder or file: words`. The description calls what a path does not pass through `beside` it (`Way`, `Beside`): the
# generator, its messages, and the units made of it say so too.
ALLOWED_IN_CODE = frozenset(
    {
        *(f"{folder}: beside" for folder in ("isa", "rtl", "tests/isa", "tests/iss", "verification/formal")),
        # Its own examples.
        *(f"tests/docs/test_words.py: {words}" for words in ("beside", "rooms", "is no file", "cycles a block")),
    }
)
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
    # A line break does not hide a match.
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


def words_of_code(file: Path) -> Iterator[tuple[str, str]]:
    """(`file: words`, what to write instead with its place) of comments, docstrings and texts."""
    text = file.read_text(encoding="utf-8")
    # To take a file apart takes a hundred times as long.
    whole = MARKS.sub(" ", text)
    if not any(re.search(pattern, whole, re.IGNORECASE) for pattern in WORDS_OF_CODE) and not BEGINS.search(text):
        return
    for line, words, is_docstring in passages(file, text):
        if is_docstring and (match := DOCSTRING_BEGINS.match(words)):
            begin = match[0].strip()
            yield f"{name(file)}: {begin}", f"{name(file)}:{line}: a docstring begins with {begin!r}"
        for pattern, instead in WORDS_OF_CODE.items():
            for match in re.finditer(pattern, " ".join(words.split()), re.IGNORECASE):
                found = match[0].lower()
                yield f"{name(file)}: {found}", f"{name(file)}:{line}: {found!r}; write {instead!r}"


def allowing(entry: str) -> set[str]:
    """Entries of ALLOWED_IN_CODE that allow this one: for its file, or for a folder that the file is in."""
    file, words = entry.split(": ", 1)
    return {f"{place}: {words}" for place in (file, *map(str, Path(file).parents))} & ALLOWED_IN_CODE


def test_code_has_the_words_of_the_field_and_every_word_allowed_in_it_is_used() -> None:
    found = [at for file in sources() for at in words_of_code(file)]
    assert not [message for entry, message in found if not allowing(entry)]
    assert not ALLOWED_IN_CODE - {used for entry, _ in found for used in allowing(entry)}


def test_wrong_words_in_code_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.documents.ROOT", tmp_path)
    module = tmp_path / "module.py"
    module.write_text(
        '"""Of a file."""\n# A move\n# beside it.\nx = "this is no file"\ny = {"beside": 1}\nz = "there is no file"\n'
    )
    found = [entry for entry, _ in words_of_code(module)]
    assert sorted(found) == [f"module.py: {w}" for w in ("Of", "beside", "is no file")]
    unit = tmp_path / "unit.sv"
    unit.write_text('// Two cycles a\n// block; no room for rooms.\nassert (x) else $error("a way beside it");\n')
    found = [entry for entry, _ in words_of_code(unit)]
    assert sorted(found) == [f"unit.sv: {w}" for w in ("beside", "cycles a block", "rooms")]


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
