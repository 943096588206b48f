"""Ed25519 signatures whose results are those of the strict rule: for the verifiers of the device and of the tools."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parents[1] / "pack" / "ed25519"
# Next to the checkout, or in the folder that LUTRA_VECTORS names.
COLLECTION = Path(os.environ.get("LUTRA_VECTORS", Path(__file__).parents[3] / "shared/vectors")) / "ed25519"
SIGNATURE_BYTES = 64
FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
# All encodings of the points of order 1, 2, 4 and 8, with either sign and with y beyond the field.
_EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL_ORDER = tuple(
    (y | sign << 255).to_bytes(32, "little")
    for y in (0, 1, FIELD - 1, FIELD, FIELD + 1, _EIGHTH, FIELD - _EIGHTH)
    for sign in (0, 1)
)


@dataclass(frozen=True)
class Case:
    """A signature. right: by the strict rule."""

    name: str
    key: bytes
    message: bytes
    signature: bytes
    right: bool


def read(path: Path) -> list[Case]:
    """The tests of a file."""
    return [
        Case(
            f"{path.stem} {test['id']}",
            bytes.fromhex(test["public_key"]),
            bytes.fromhex(test["message"]),
            bytes.fromhex(test["signature"]),
            right=test["result"] == "valid",
        )
        for test in json.loads(path.read_text())["tests"]
    ]


def cases() -> list[Case]:
    """Those in the repository, and those of the collection, if it is there."""
    paths = sorted([*HERE.glob("*.json"), *COLLECTION.glob("*.json")])
    return list({case.name: case for path in paths for case in read(path)}.values())
