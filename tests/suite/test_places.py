"""Each folder imports only what comes before it, by where the files are: a package may have parts in two folders."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.documents import PLACES, ROOT

BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]
# What a wheel has, and what a checkout has in addition.
PACKAGES = BUILD["wheel"]["packages"] | BUILD["overrides"][0]["wheel"]["packages"]
# In which of the folders a module is, by its name; the public names of `lutra` come last, as the commands do.
WHERE = {
    ".".join(path.relative_to(ROOT / root).with_suffix("").parts).removesuffix(".__init__"): place.split("/")[0]
    for name, place in PACKAGES.items()
    for root in [place.removesuffix("/" + name)]
    for path in (ROOT / place).rglob("*.py")
    if place.split("/")[0] in PLACES
}
# What is compiled.
WHERE["lutra.firmware._loader"] = "patch"


def imported(path: Path) -> Iterator[str]:
    """The modules of the project that a file imports, in functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in found:
            known = name if name in WHERE else name.rpartition(".")[0]
            if known in WHERE:
                yield known


def test_every_package_is_in_one_of_the_folders() -> None:
    assert set(WHERE.values()) == set(PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_a_folder_imports_only_what_comes_before_it(place: str) -> None:
    above = PLACES[PLACES.index(place) + 1 :]
    wrong = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / place).rglob("*.py")
        if "skeleton" not in path.parts  # a user's files, which import what they like
        for name in imported(path)
        if WHERE[name] in above
    }
    assert wrong == set()
