"""Devices that the module may drive, each with the firmware file that the guest loads into it."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from lutra.soc import operations
from lutra.soc._model import Model
from lutra.soc.devices import rtl
from lutra.soc.linux import image, standin
from lutra.soc.linux.bridge import Device

Maker = Callable[[mmap.mmap], Device]
# The last bytes of the firmware file: a bank of the S-box.
BANK = 4096
# The process may wait for its processor for seconds, and a message is seconds of the RTL's work then.
PATIENT = "patience_ms=60000"
DRIVERS = frozenset({"ctr-aes-lutra", "cbc-aes-lutra", "gcm-aes-lutra"})
CHACHA = frozenset({"rfc7539-chacha20-poly1305-lutra"})


class Setup(NamedTuple):
    """A device. drivers: the algorithms that the module finds in its firmware. parameters: of the module."""

    maker: Maker
    firmware: bytes
    drivers: frozenset[str] = DRIVERS
    parameters: str = ""


def _model(name: str, drivers: frozenset[str] = DRIVERS) -> Setup:
    # One job at a time is enough for one that the guest waits for.
    return Setup(partial(Model, exact=False), image.of(operations.load(name)), drivers, PATIENT)


def _rtl() -> Setup:
    return _model("aes")._replace(maker=partial(rtl, latency=30))


def _wrong_table() -> Setup:
    setup = _model("aes")
    wrong = bytes(byte ^ 1 for byte in setup.firmware[-BANK:])
    return setup._replace(firmware=setup.firmware[:-BANK] + wrong)


def _stand_in(fault: standin.Fault) -> Setup:
    return Setup(partial(standin.Standin, fault=fault), image.pack(standin.table()))


# Those from `wrong-table` on are wrong, and a check with one of them has to fail.
DEVICES: Mapping[str, Callable[[], Setup]] = {
    "model": partial(_model, "aes"),
    "model-inverse": partial(_model, "aes-inverse", frozenset({"cbc-aes-lutra"})),
    "model-chacha20": partial(_model, "chacha20", CHACHA),
    "rtl": _rtl,
    "stand-in": partial(_stand_in, "none"),
    "wrong-table": _wrong_table,
    "wrong-cipher": partial(_stand_in, "cipher"),
    "wrong-tag": partial(_stand_in, "tag"),
    "stuck": partial(_stand_in, "stuck"),
    "dead": partial(_stand_in, "dead"),
}
