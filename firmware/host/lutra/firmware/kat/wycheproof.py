"""Files of Project Wycheproof, in its own schema (`testGroups`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lutra.firmware.ciphers import Catalogue
from lutra.firmware.errors import FirmwareError

# Our names of the fields in a group's tests, by the type of the group.
FIELDS: Mapping[str, Mapping[str, str]] = {
    "AeadTest": {
        "key": "key",
        "iv": "nonce",
        "aad": "aad",
        "msg": "plaintext",
        "ct": "ciphertext",
        "tag": "tag",
    },
    "IndCpaTest": {"key": "key", "iv": "iv", "msg": "plaintext", "ct": "ciphertext"},
    "MacTest": {"key": "key", "msg": "message", "tag": "mac"},
    "MacWithIvTest": {"key": "key", "iv": "nonce", "msg": "aad", "tag": "tag"},
}
TAG_BITS: Mapping[str, str] = {"AeadTest": "tag_bits", "MacTest": "mac_bits", "MacWithIvTest": "tag_bits"}
# GMAC is GCM with nothing to encrypt (SP 800-38D 3).
SAME_AS: Mapping[str, tuple[str, Mapping[str, str]]] = {"GMAC": ("GCM", {"plaintext": "", "ciphertext": ""})}


def converted(data: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """The file in the shared schema. FirmwareError where it is none of Wycheproof.

    Wycheproof writes all names in capitals; an algorithm that has firmware is called as its manifest does.
    """
    known = {algorithm.upper(): algorithm for c in catalogue.offered for algorithm, _ in c.vectors}
    name, groups = data.get("algorithm"), data["testGroups"]
    if not isinstance(name, str) or not isinstance(groups, list):
        raise FirmwareError("not a vector file of Wycheproof: no `algorithm` and list of `testGroups`")
    algorithm, _, mode = name.partition("-")
    mode, extra = SAME_AS.get(mode, (mode, {}))
    tests: list[Any] = []
    for group in groups:
        if not isinstance(group, dict) or not isinstance(group.get("tests"), list):
            raise FirmwareError("not a vector file of Wycheproof: a group has no list of `tests`")
        tests += [_test(group, test, extra) for test in group["tests"]]
    return {"algorithm": known.get(algorithm, algorithm), "mode": mode, "tests": tests}


def _test(group: Mapping[str, Any], test: Any, extra: Mapping[str, str]) -> Any:
    """Convert a test; leave anything else as it is, which the reader of the schema then reports."""
    if not isinstance(test, dict):
        return test
    kind = str(group.get("type"))
    mine = {ours: test[theirs] for theirs, ours in FIELDS.get(kind, {}).items() if theirs in test}
    if kind in TAG_BITS and "tagSize" in group:
        mine[TAG_BITS[kind]] = group["tagSize"]
    if "tcId" in test:
        mine["id"] = f"tc{test['tcId']}"
    if "result" in test:
        mine["result"] = test["result"]
    return {**mine, **extra}
