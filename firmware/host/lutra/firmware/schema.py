"""What the tables of a manifest may have, and the error of one line where they have something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lutra.firmware.ciphers import DIRECTIONS, UNIT_BYTES
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.lte import FORMS

# What a table may have: a value of a type, a list of such, or one of several names.
Schema = Mapping[str, Any]
MANIFEST: Schema = {"cipher": str, "same_routines": dict, "defaults": dict, "image": dict, "algorithm": [dict]}
IMAGE: Schema = {"sources": [str], "parameters": dict, "offset": int, "job_bytes": int, "routines": dict}
ALGORITHM: Schema = {
    "name": str,
    "kind": ("cipher", "mac", "gcm", "ccm", "crc"),
    "key_bits": [int],
    "iv_bytes": int,
    "unit": tuple(UNIT_BYTES),
    "partial": bool,
    "tag_bits": int,
    "lte": tuple(FORMS),
    "keys": DIRECTIONS,
    "vectors": dict,
    "polynomial": dict,
    "routines": dict,
    "implementations": [dict],
}
IMPLEMENTATION: Schema = {"image": str, "routines": dict, "bench": dict}
VECTORS: Schema = {"algorithm": str, "modes": [str]}
POLYNOMIAL: Schema = {"width": int, "poly": int, "init": int, "refin": bool, "refout": bool, "xorout": int}
LITERATURE: Schema = {"source": str, "cycles_per_unit": dict}
PLURALS = {int: "integers", str: "strings", dict: "tables"}


def checked(where: str, table: Any, schema: Schema, *needed: str) -> dict[str, Any]:
    """The table; FirmwareError where a key is missing, unknown, or of another type."""
    if type(table) is not dict:
        raise FirmwareError(f"{where} must be a table, not {table!r}")
    if missing := next((key for key in needed if key not in table), None):
        raise FirmwareError(f"{where}: {missing} is missing")
    for key, value in table.items():
        want = schema[one_of(where, "key", key, schema)]
        if isinstance(want, tuple):
            one_of(where, key, value, want)
        elif isinstance(want, list):
            if type(value) is not list or not value or any(type(v) is not want[0] for v in value):
                raise FirmwareError(f"{where}: {key} must be a list of {PLURALS[want[0]]}, not {value!r}")
        elif type(value) is not want:
            raise FirmwareError(f"{where}: {key} must be of type {want.__name__}, not {value!r}")
    return table


def one_of(where: str, what: str, name: Any, known: Iterable[str]) -> str:
    """The name; FirmwareError with the nearest where it is not known."""
    if name not in known:
        raise FirmwareError(f"{where}: unknown {what} {name!r}{nearest(str(name), known)}")
    return str(name)
