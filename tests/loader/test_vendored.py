"""Monocypher is what its page says, byte by byte."""

from __future__ import annotations

import hashlib
import re

from support.loader import LOADER

CRYPTO = LOADER / "monocypher"


def test_files_are_unchanged() -> None:
    rows = dict(re.findall(r"^\| `(\S+)` \| `([0-9a-f]{64})` \|$", (CRYPTO / "README.md").read_text(), re.M))
    files = {path.name for path in CRYPTO.iterdir()} - {"README.md"}
    assert rows == {name: hashlib.sha256((CRYPTO / name).read_bytes()).hexdigest() for name in files}
    assert len(files) == 5
