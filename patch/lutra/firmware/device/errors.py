"""Errors of a device, in one line with the place and the remedy."""

from __future__ import annotations

from lutra.firmware._loader import Error, Result, text
from lutra.firmware.errors import FirmwareError

_AGAIN = "transfer the pack again, or build it again"
_SIGN = "see `lutra pack sign`"
_FIX = "what runs is as it was; `lutra pack test` shows more of the fault"
_KEPT = "keep what runs, or build the pack with a higher one"
_PART = "look for the fault in flash, fuses or core, then boot"
# Remedy for each result of the loader.
REMEDIES: dict[Result, str] = {
    Result.FLASH: _PART,
    Result.FUSES: _PART,
    Result.CORE: _PART,
    Result.SOURCE: _AGAIN,
    Result.ENCODING: _AGAIN,
    Result.TRUNCATED: _AGAIN,
    Result.TRAILING: _AGAIN,
    Result.FORMAT: _AGAIN,
    Result.BOUNDS: _AGAIN,
    Result.ORDER: _AGAIN,
    Result.UNSIGNED: _SIGN,
    Result.ROOT_UNKNOWN: "the pack needs the chain of roots from the one that `lutra device show` names",
    Result.ROOT_VERSION: "the pack needs every root in between, in their order",
    Result.ROOT_SIGNATURE: "a new root is signed by a threshold of the old root's keys and of its own",
    Result.SIGNATURE: _SIGN,
    Result.THRESHOLD: _SIGN,
    Result.DIGEST: _AGAIN,
    Result.COUNTER: _KEPT,
    Result.VERSION: _KEPT,
    Result.ISA: "build the pack for this device's instruction set",
    Result.CONFIGURATION: "build the pack for this device's core",
    Result.SIZE: "build a smaller pack, with fewer images",
    Result.ROOT_FUSES: "this device cannot take another root",
    Result.ANSWER: _FIX,
    Result.CYCLES: _FIX,
    Result.STOPPED: _FIX,
    Result.VERIFY: "the flash is worn or damaged",
    Result.NO_FIRMWARE: "see `lutra patch apply`",
    Result.NO_TRIAL: "see `lutra patch status`",
    Result.PENDING: "see `lutra patch status`",
    Result.NO_OTHER: "see `lutra patch status`",
    Result.NO_ALGORITHM: "`lutra device show` lists its contents",
    Result.NO_DIRECTION: "`lutra device show` lists its contents",
    Result.NO_ROUTINE: "`lutra device show` lists its contents",
    Result.NO_IMAGE: "`lutra device show` lists its contents",
}
# Whose place is a known answer, and whose a byte of the pack; of the others a place says nothing.
_IN_ANSWER = {Result.ANSWER, Result.CYCLES, Result.STOPPED}
_IN_PACK = {
    *(Result.ENCODING, Result.TRUNCATED, Result.TRAILING, Result.FORMAT, Result.BOUNDS, Result.ORDER),
    *(Result.ROOT_VERSION, Result.ROOT_SIGNATURE, Result.SIGNATURE, Result.THRESHOLD, Result.DIGEST),
}


class DeviceError(FirmwareError):
    """The folder is not a device, or the device cannot do what was asked."""


class LoaderError(DeviceError):
    """The loader has refused: why, where in the pack (`error`: byte, known answer, step), and what to do.

    remedy: where it is another than that of the result.
    """

    def __init__(self, error: Error, subject: str = "", remedy: str = "") -> None:
        self.error = error
        place = f" (byte {error.offset})" if error.result in _IN_PACK else ""
        if error.result in _IN_ANSWER:
            place = f" (known answer {error.answer}, step {error.step})"
        before = f"{subject}: " if subject else ""
        super().__init__(f"{before}{text(error.result)}{place}; {remedy or REMEDIES[error.result]}")


def checked(error: Error, subject: str = "") -> None:
    """Raise LoaderError where a call of the loader has failed."""
    if error.result is not Result.OK:
        raise LoaderError(error, subject)
