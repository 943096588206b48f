"""Schema of the tables of a manifest, and errors of one line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from lutra.firmware.ciphers import DIRECTIONS, UNITS
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.kinds import KINDS
from lutra.firmware.lte import FORMS

# Allowed values of a key: a type, a range of integers, a list of such, or one of several; see docs/manifest.md.
Schema = Mapping[str, Any]
# The range of address registers; whether it fits into the memories is checked later, when their contents are known.
BYTES = range(1 << 16)
BITS = range(0, 8 * len(BYTES), 8)
MANIFEST: Schema = {
    "cipher": str,
    "isa": str,
    "same_routines": dict,
    "defaults": dict,
    "image": dict,
    "algorithm": [dict],
    "pack": dict,
}
IMAGE: Schema = {"sources": [str], "parameters": dict, "offset": BYTES, "job_bytes": BYTES[1:], "routines": dict}
PACK: Schema = {
    "name": str,
    "version": str,
    "counter": range(256),
    "algorithms": [str],
    "vectors": [str],
    "answers": range(1, 65),
}
PARAMETERS: Schema = {"key": str, "iv": str, "length": str}
ALGORITHM: Schema = {
    "name": str,
    "kind": tuple(KINDS),
    "key_bits": [BITS],
    "key_parts": BYTES[1:],
    "distinct_keys": bool,
    "iv_bytes": ("unit", BYTES),
    "unit": (*UNITS.values(), BYTES[1:]),
    "partial": bool,
    "to_the_bit": bool,
    "tag_bits": BITS[1:],
    "associated": bool,
    "lte": tuple(FORMS),
    "keys": (*DIRECTIONS, "opposite"),
    "directions": [DIRECTIONS],
    "vectors": dict,
    "openssl": str,
    "polynomial": dict,
    "routines": dict,
    "implementations": [dict],
}
IMPLEMENTATION: Schema = {"image": str, "routines": dict, "bench": dict}
VECTORS: Schema = {"algorithm": str, "modes": [str], "iv": dict, "reflected": bool, "others": dict}
POLYNOMIAL: Schema = {"width": int, "poly": int, "init": int, "refin": bool, "refout": bool, "xorout": int}
# Tables of literature.toml.
LITERATURE: Schema = {"papers": dict, "processors": dict, "figure": [dict], "aes": [dict]}
PROCESSOR: Schema = {
    "source": str,
    "cycles_per_unit": dict,
    "rows": dict,
    "mhz": float,
    "gates": float,
    "area": str,
    "technology": str,
}
PROCESSOR_NEEDS = ("source", "cycles_per_unit")
FIGURE: Schema = {
    **dict.fromkeys(("paper", "work", "design", "area", "technology", "power", "where", "note"), str),
    **dict.fromkeys(("bits_per_cycle", "cycles_per_unit", "gbps", "mhz"), float),
    "algorithms": [str],
    "rows": [str],
}
FIGURE_NEEDS = ("paper", "work")
# Required keys, after the defaults of all algorithms are applied.
MANIFEST_NEEDS = ("cipher", "algorithm")
ALGORITHM_NEEDS = ("name", "unit", "key_bits")
IMPLEMENTATION_NEEDS = ("image",)
VECTORS_NEEDS = ("algorithm",)
POLYNOMIAL_NEEDS = tuple(POLYNOMIAL)
WORDS = {bool: "true or false", int: "an integer", float: "a number above 0", str: "a string", dict: "a table"}


def checked(where: str, table: Any, schema: Schema, *needed: str) -> dict[str, Any]:
    """The table; FirmwareError where a key is missing, unknown, of another type or out of its range."""
    if type(table) is not dict:
        raise FirmwareError(f"{where} must be a table, not {table!r}")
    for key, value in table.items():
        want = schema[one_of(where, "key", key, schema)]
        if _fits(value, want):
            continue
        if isinstance(want, tuple) and type(value) is str:
            one_of(where, key, value, [name for name in want if type(name) is str])
        raise FirmwareError(f"{where}: {key} must be {described(want)}, not {value!r}")
    if missing := next((key for key in needed if key not in table), None):
        raise FirmwareError(f"{where}: {missing} is missing")
    return table


def described(want: Any) -> str:
    """Describe the allowed values in words."""
    if isinstance(want, tuple):
        names = [described(item) if isinstance(item, range) else item for item in want]
        return f"{', '.join(names[:-1])} or {names[-1]}"
    if isinstance(want, list):
        of = want[0]
        if isinstance(of, tuple):
            return f"a list of {described(of)}"
        return f"a list of {f'integers {_bounds(of)}' if isinstance(of, range) else WORDS[of].removeprefix('a ') + 's'}"
    return f"an integer {_bounds(want)}" if isinstance(want, range) else WORDS[want]


def _bounds(numbers: range) -> str:
    steps = f" in steps of {numbers.step}" if numbers.step > 1 else ""
    return f"from {numbers[0]} to {numbers[-1]}{steps}"


def _fits(value: Any, want: Any) -> bool:
    if isinstance(want, tuple):
        return any(_fits(value, item) if isinstance(item, range) else value == item for item in want)
    if isinstance(want, list):
        return type(value) is list and bool(value) and all(_fits(item, want[0]) for item in value)
    if want is float:
        return type(value) in (int, float) and 0 < value < math.inf
    return type(value) is int and value in want if isinstance(want, range) else type(value) is want


def one_of(where: str, what: str, name: Any, known: Iterable[str]) -> str:
    """The name; FirmwareError with the nearest where it is not known."""
    if name not in known:
        raise FirmwareError(f"{where}: unknown {what} {name!r}{nearest(str(name), known)}")
    return str(name)
