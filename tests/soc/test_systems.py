"""A RISC-V host computes all ciphers of the study by itself, and by instructions; a wrong result is found."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from lutra.soc import programs
from lutra.soc.programs import RESULTS, SUBJECTS, Program, WrongResultError, measure
from lutra.soc.system import SYSTEMS, System


@pytest.fixture(scope="module")
def picorv32() -> Path:
    """The smallest system: PicoRV32, and Trivium in instructions, but no core."""
    return System("picorv32", frozenset({4})).build()


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_host_computes_a_cipher(picorv32: Path, name: str) -> None:
    messages = measure(picorv32, Program(name, "soft", sizes=(16, 64, 100), cold_sizes=(64,)))
    assert [message.size for message in messages] == [16, 64, 100, 64]
    assert all(message.words == 0 and 0 < message.first <= message.cycles for message in messages)


@pytest.mark.parametrize(("way", "form"), [(way, form) for way, forms in RESULTS.items() for form in forms])
def test_trivium_in_instructions(picorv32: Path, way: str, form: programs.Form) -> None:
    short, long = measure(picorv32, Program("trivium", way, form, sizes=(1024, 2048), cold_sizes=()))
    assert long.words > short.words > 0
    if (way, form) == ("memory", "raw"):
        # Schaumont and Verbauwhede have 128 bits in 11 cycles.
        assert 8 * (long.size - short.size) / (long.cycles - short.cycles) >= 11.63


def test_a_wrong_result_is_an_error(picorv32: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the key differs from the one that the expected ciphertext is made with."""
    monkeypatch.setattr(programs, "expected", lambda name, size, raw: right(name, size, raw)[:-1] + b"\0")
    with pytest.raises(WrongResultError, match="16 bytes is wrong"):
        measure(picorv32, Program("chacha20", "soft", sizes=(16,), cold_sizes=()))


right = programs.expected


def test_what_is_expected_is_what_others_compute() -> None:
    """The session that results are compared with agrees with OpenSSL where that has the cipher."""
    text = programs.text()[:100]
    ctr = Cipher(algorithms.AES128(programs.KEY[:16]), modes.CTR(programs.IV)).encryptor()
    assert programs.expected("aes-128-ctr", 100) == ctr.update(text)
    assert programs.expected("aes-128-gcm", 100) == AESGCM(programs.KEY[:16]).encrypt(programs.IV[:12], text, None)
    chacha = Cipher(algorithms.ChaCha20(programs.KEY, programs.IV), None).encryptor()
    assert programs.expected("chacha20", 100) == chacha.update(text)


def test_an_attachment_is_a_part_of_the_systems_name() -> None:
    some = System("ibex", frozenset({1, 2}))
    assert some.folder.name == "ibex-s12"
    assert dataclasses.replace(some, attachments=frozenset()).folder.name == "ibex-s0"


def test_a_digest_of_a_system_is_that_of_what_verilator_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another comment, or a host that the system has not, changes nothing."""
    some = System("picorv32", frozenset({4}))
    source = SYSTEMS / "rtl" / "lutra_system.sv"
    text, command, right = source.read_text(), some.command(), some.digest()
    changed = tmp_path / source.name
    monkeypatch.setattr(
        System, "command", lambda _: [str(changed) if word == str(source) else word for word in command]
    )
    for old, new, same in (
        ("module lutra_system", "// A comment\nmodule lutra_system", True),
        ("assign {trap, sleep} = '0;", "assign {trap, sleep} = '1;", True),
        ("ram_waits = 0,", "ram_waits = 1,", False),
    ):
        assert old in text
        changed.write_text(text.replace(old, new))
        assert (some.digest() == right) is same
