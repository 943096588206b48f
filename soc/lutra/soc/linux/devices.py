"""Devices that the module may drive, each with the firmware file that the guest loads into it."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Mapping
from functools import partial

from lutra.soc import operations
from lutra.soc._model import Model
from lutra.soc.linux import image, standin
from lutra.soc.linux.bridge import Device

Maker = Callable[[mmap.mmap], Device]
# The last bytes of the firmware file: a bank of the S-box.
BANK = 4096


def _model() -> tuple[Maker, bytes]:
    # One job at a time is enough for one that the guest waits for.
    return partial(Model, exact=False), image.of(operations.load("aes"))


def _wrong_table() -> tuple[Maker, bytes]:
    maker, firmware = _model()
    return maker, firmware[:-BANK] + bytes(byte ^ 1 for byte in firmware[-BANK:])


def _stand_in(fault: standin.Fault) -> tuple[Maker, bytes]:
    return partial(standin.Standin, fault=fault), image.pack(standin.table())


# All but the first two are wrong, and a check with one of them has to fail.
DEVICES: Mapping[str, Callable[[], tuple[Maker, bytes]]] = {
    "model": _model,
    "stand-in": partial(_stand_in, "none"),
    "wrong-table": _wrong_table,
    "wrong-cipher": partial(_stand_in, "cipher"),
    "wrong-tag": partial(_stand_in, "tag"),
    "stuck": partial(_stand_in, "stuck"),
    "dead": partial(_stand_in, "dead"),
}
