"""Images of the stream's firmware, and the tables of operations that go with them: `soc/firmware/operations.toml`."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from systemrdl.node import RegNode

from lutra.asm import Image, assemble
from lutra.firmware.errors import FirmwareError
from lutra.firmware.schema import Table, convert
from lutra.soc.generate import REGISTERS, elaborate

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
MANIFEST = FIRMWARE / "operations.toml"
STREAM_RESET = "stream_reset"
CLASS = "class"
ENTRY = "entry"


class Operation(Table, frozen=True, rename={"key_class": CLASS}):
    """An entry of the table. flags: fields of the register that are 1."""

    number: Annotated[int, Meta(ge=0, le=15)]
    name: str
    flags: tuple[str, ...]
    key_class: Annotated[int, Meta(ge=0, le=15)]

    @property
    def label(self) -> str:
        """The routine in the image."""
        return self.name.replace("-", "_")

    def has(self, flag: str) -> bool:
        """Whether a flag is set."""
        return flag in self.flags


class Source(Table, frozen=True):
    """An image as the manifest has it."""

    sources: tuple[str, ...]
    operation: tuple[Operation, ...]


class Firmware(msgspec.Struct, frozen=True):
    """An image, and its operations by name."""

    name: str
    image: Image
    operations: dict[str, Operation]

    def entry(self, label: str) -> int:
        """The program address of a routine; FirmwareError where the image does not have it."""
        for symbol in self.image.symbols:
            if symbol.name == label and symbol.space == "pm" and symbol.is_global:
                return symbol.value
        raise FirmwareError(f"{MANIFEST}: {self.name}: the image has no global label {label!r}")

    @property
    def stream_reset(self) -> int:
        """The value of register `stream_reset`."""
        return self.entry(STREAM_RESET)

    def registers(self) -> dict[int, int]:
        """The values of registers `operation`, by number."""
        fields = operation_fields()
        values = {}
        for operation in self.operations.values():
            value = self.entry(operation.label) << fields[ENTRY] | operation.key_class << fields[CLASS]
            values[operation.number] = value | sum(1 << fields[flag] for flag in operation.flags)
        return values


@functools.cache
def operation_fields() -> dict[str, int]:
    """Lowest bits of the fields of register `operation`, by name."""
    register = elaborate()[REGISTERS].find_by_path("operation[]")
    assert isinstance(register, RegNode)
    return {field.inst_name: field.low for field in register.fields()}


def entry_bits() -> int:
    """Width of the entry in register `operation`, its lowest field."""
    register = elaborate()[REGISTERS].find_by_path("operation[]")
    assert isinstance(register, RegNode)
    return next(field.width for field in register.fields() if field.inst_name == ENTRY)


def manifest(path: Path = MANIFEST) -> dict[str, Source]:
    """The images of a manifest. FirmwareError where it is wrong."""
    try:
        tables = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FirmwareError(f"{path}: {error}") from error
    images = convert(str(path), tables, dict[str, Source])
    for name, source in images.items():
        check(f"{path}: {name}", source)
    return images


def check(where: str, source: Source) -> None:
    """FirmwareError where two operations of an image have one name or number, or a flag is not one."""
    flags = operation_fields().keys() - {ENTRY, CLASS}
    seen: set[str | int] = set()
    for operation in source.operation:
        for key in (operation.name, operation.number):
            if key in seen:
                raise FirmwareError(f"{where}: two operations {key}; give one another name or number")
            seen.add(key)
        for flag in set(operation.flags) - flags:
            raise FirmwareError(
                f"{where}: {operation.name}: unknown flag {flag!r}; choose from {', '.join(sorted(flags))}"
            )


@functools.cache
def load(name: str, path: Path = MANIFEST) -> Firmware:
    """An image with its operations. FirmwareError where there is none of this name, or its manifest is wrong."""
    images = manifest(path)
    if name not in images:
        raise FirmwareError(f"{path}: no image {name!r}; choose from {', '.join(images)}")
    source = images[name]
    image = assemble([path.parent / file for file in source.sources], warnings=("no-all",))
    firmware = Firmware(name, image, {operation.name: operation for operation in source.operation})
    for label in (STREAM_RESET, *(operation.label for operation in source.operation)):
        firmware.entry(label)
    return firmware
