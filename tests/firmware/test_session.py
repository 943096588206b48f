"""A session does no set-up twice, and says what it cannot do."""

from __future__ import annotations

import pytest

import lutra
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import Direction, assembled, catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import Stop

KEY, OTHER = bytes(range(16)), bytes(16)
ECB = catalogue().cipher("aes-128-ecb")


class Watched(Session):
    """Remembers the entries that were run."""

    def __init__(self) -> None:
        super().__init__(lutra.make_engine("iss"))
        self.called: list[str] = []
        engine_run = self.engine.run
        names = assembled(ECB.default.image).labels("pm")

        def run(entry: int, max_cycles: int | None = None) -> Stop:
            self.called.append(names[entry])
            return engine_run(entry, max_cycles)

        self.engine.run = run  # type: ignore[method-assign]

    def calls(self, direction: Direction, key: bytes) -> list[str]:
        self.called.clear()
        self.set_up(ECB, direction, key)
        return list(self.called)


def test_tables_and_key_stay_while_they_are_right() -> None:
    session = Watched()
    assert session.calls("encrypt", KEY) == ["aes_tables_encrypt", "aes128_key_encrypt"]
    assert session.calls("encrypt", KEY) == []
    assert session.calls("encrypt", OTHER) == ["aes128_key_encrypt"]
    assert session.calls("decrypt", OTHER) == ["aes128_key_decrypt", "aes_tables_decrypt"]
    assert session.calls("decrypt", OTHER) == []
    assert session.calls("decrypt", KEY) == ["aes_tables_encrypt", "aes128_key_decrypt", "aes_tables_decrypt"]


def test_a_session_that_is_not_set_up_runs_no_job() -> None:
    with pytest.raises(FirmwareError, match="not set up"):
        Session(lutra.make_engine("iss")).job(bytes(16))


def test_a_job_has_a_largest_size() -> None:
    session = Session(lutra.make_engine("iss"))
    session.set_up(ECB, "encrypt", KEY)
    assert len(session.job(bytes(session.job_bytes))) == 4096
    with pytest.raises(FirmwareError, match="at most 4096 bytes, got 4112"):
        session.job(bytes(4112))


def test_firmware_that_traps_is_named_with_its_place() -> None:
    session = Session(lutra.make_engine("iss"))
    session.set_up(ECB, "encrypt", KEY)
    session.engine.write("pm", 0, bytes(session.engine.size("pm")))
    with pytest.raises(FirmwareError, match=r"firmware aes128_ecb_encrypt ended trapped at pc 0x.*illegal-instruction"):
        session.job(bytes(16))
