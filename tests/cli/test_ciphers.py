"""`lutra ciphers`."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.firmware.manifest import catalogue
from support.cli import Lutra


def test_every_cipher_is_listed(lutra: Lutra) -> None:
    names = [c.name for c in catalogue().ciphers]
    assert [line.split()[0] for line in lutra("ciphers").out.splitlines()] == names
    assert [c["name"] for c in lutra("ciphers", "--json").json] == names


def test_ciphers_of_openssl_are_listed_with_what_runs_and_its_cycles(lutra: Lutra) -> None:
    lines = lutra("ciphers", "--openssl").out.splitlines()
    rows = {name: rest for name, *rest in map(str.split, lines[1:-2])}
    assert rows["AES-128-CTR"] == ["aes-128-ctr", "0.312", "0.312"]
    assert rows["SM4-CBC"][0] == "sm4-128-cbc"
    assert rows["id-smime-alg-CMS3DESwrap"] == ["3des-192-wrap", "81.250", "28.625"]
    runs = sum(row[0] != "-" for row in rows.values())
    assert lines[-1] == f"{runs} of {len(rows)} run; cycles per byte are for a long message"
    objects = {o["openssl"]: o for o in lutra("ciphers", "--openssl", "--json").json}
    assert list(objects) == list(rows)
    assert objects["AES-128-CBC"] == {
        "openssl": "AES-128-CBC",
        "others": ["AES128"],
        "name": "aes-128-cbc",
        "encrypt_cycles_per_byte": 0.625,
        "decrypt_cycles_per_byte": 0.3125,
    }


def test_the_list_of_openssl_needs_openssl(lutra: Lutra, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lutra("ciphers", "--openssl", "--needs").code == 2
    monkeypatch.setenv("PATH", str(tmp_path))
    error = lutra("ciphers", "--openssl").error
    assert error.startswith("cannot run openssl: No such file or directory; install OpenSSL 3.0 or later")
    (tmp_path / "openssl").write_text("#!/bin/sh\necho 'list: Use -help for summary.' >&2\nexit 1\n")
    (tmp_path / "openssl").chmod(0o755)
    error = lutra("ciphers", "--openssl").error
    assert "lists no ciphers: list: Use -help for summary.; install OpenSSL" in error
