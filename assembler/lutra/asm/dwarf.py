"""DWARF 4 line information: the line number program and the least that makes debuggers read it.

Addresses are byte addresses: WORD_BYTES times the program address (minimum_instruction_length).
Sections of the standard are cited as DWARF4 n.n.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

WORD_BYTES = 8

_VERSION = 4
_LINE_BASE, _LINE_RANGE, _OPCODE_BASE = -5, 14, 13
# Operands of standard opcodes 1 to 12 (DWARF4 6.2.5.2).
_STANDARD_LENGTHS = bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE = 1, 2, 3, 4
_CONST_ADD_PC, _FIXED_ADVANCE_PC = 8, 9
_END_SEQUENCE, _SET_ADDRESS, _DEFINE_FILE = 1, 2, 3  # extended opcodes (DWARF4 6.2.5.3)

# Tags, attributes and forms (DWARF4 7.5).
_TAG_COMPILE_UNIT = 0x11
_AT_NAME, _AT_STMT_LIST, _AT_LOW_PC, _AT_HIGH_PC = 0x03, 0x10, 0x11, 0x12
_AT_LANGUAGE, _AT_COMP_DIR, _AT_PRODUCER = 0x13, 0x1B, 0x25
_FORM_ADDR, _FORM_DATA2, _FORM_DATA8, _FORM_STRING, _FORM_SEC_OFFSET = 0x01, 0x05, 0x07, 0x08, 0x17
_LANG_ASSEMBLER = 0x8001  # DW_LANG_Mips_Assembler, what other assemblers use


class DwarfError(Exception):
    """Not line information as written here."""


@dataclass(frozen=True)
class Sections:
    """Contents of .debug_abbrev, .debug_info and .debug_line."""

    abbrev: bytes
    info: bytes
    line: bytes


def uleb(value: int) -> bytes:
    """Unsigned LEB128 (DWARF4 7.6)."""
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if not value:
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def sleb(value: int) -> bytes:
    """Signed LEB128 (DWARF4 7.6)."""
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40):
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def build(lines: Mapping[int, tuple[str, int]], words: int) -> Sections:
    """Sections for a program of `words` words; `lines`: program address -> (file, line)."""
    files = list(dict.fromkeys(file for file, _ in lines.values()))
    attributes = [
        (_AT_PRODUCER, _FORM_STRING, b"lutra\0"),
        (_AT_LANGUAGE, _FORM_DATA2, struct.pack("<H", _LANG_ASSEMBLER)),
        (_AT_NAME, _FORM_STRING, _string(files[0] if files else "")),
        (_AT_COMP_DIR, _FORM_STRING, b".\0"),  # names are as given; a build is the same in any folder
        (_AT_STMT_LIST, _FORM_SEC_OFFSET, struct.pack("<I", 0)),
        (_AT_LOW_PC, _FORM_ADDR, struct.pack("<Q", 0)),
        (_AT_HIGH_PC, _FORM_DATA8, struct.pack("<Q", words * WORD_BYTES)),
    ]
    pairs = b"".join(uleb(at) + uleb(form) for at, form, _ in attributes)
    abbrev = uleb(1) + uleb(_TAG_COMPILE_UNIT) + b"\0" + pairs + b"\0\0" + b"\0"
    body = uleb(1) + b"".join(value for _, _, value in attributes)
    info = struct.pack("<HIB", _VERSION, 0, 8) + body
    return Sections(abbrev, struct.pack("<I", len(info)) + info, _line_section(lines, files))


def _string(text: str) -> bytes:
    return text.replace("\0", "").encode("utf-8", "surrogateescape") + b"\0"


def _line_section(lines: Mapping[int, tuple[str, int]], files: list[str]) -> bytes:
    header = struct.pack("<BBBbBB", WORD_BYTES, 1, 1, _LINE_BASE, _LINE_RANGE, _OPCODE_BASE) + _STANDARD_LENGTHS
    header += b"\0"  # no include folders: names are relative to the compilation's folder
    header += b"".join(_string(name) + uleb(0) + uleb(0) + uleb(0) for name in files) + b"\0"
    unit = struct.pack("<HI", _VERSION, len(header)) + header + _program(lines, files)
    return struct.pack("<I", len(unit)) + unit


def _program(lines: Mapping[int, tuple[str, int]], files: list[str]) -> bytes:
    """The line number program: one sequence a run of addresses, one row where file or line changes."""
    out = bytearray()
    number = {name: i for i, name in enumerate(files, 1)}
    open_at: int | None = None  # address of the sequence's last row
    file, line = 1, 1
    last = -2
    for address in sorted(lines):
        new_file, new_line = number[lines[address][0]], lines[address][1]
        if address != last + 1:
            if open_at is not None:
                out += _end(last + 1 - open_at)
            out += b"\0" + uleb(9) + bytes([_SET_ADDRESS]) + struct.pack("<Q", address * WORD_BYTES)
            open_at, file, line = address, 1, 1
        elif (new_file, new_line) == (file, line):
            last = address
            continue
        assert open_at is not None
        if new_file != file:
            out += bytes([_SET_FILE]) + uleb(new_file)
        step = address - open_at
        special = new_line - line - _LINE_BASE + _LINE_RANGE * step + _OPCODE_BASE
        if 0 <= new_line - line - _LINE_BASE < _LINE_RANGE and special <= 255:
            out.append(special)
        else:
            out += bytes([_ADVANCE_LINE]) + sleb(new_line - line) + bytes([_ADVANCE_PC]) + uleb(step) + bytes([_COPY])
        open_at, file, line, last = address, new_file, new_line, address
    if open_at is not None:
        out += _end(last + 1 - open_at)
    return bytes(out)


def _end(step: int) -> bytes:
    return bytes([_ADVANCE_PC]) + uleb(step) + b"\0" + uleb(1) + bytes([_END_SEQUENCE])


class _Reader:
    """Bytes with a bound; reading beyond it is an error."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if count < 0 or self.at + count > len(self.data):
            raise DwarfError("line information is cut off")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, layout: str) -> int:
        (value,) = struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))
        return int(value)

    def uleb(self) -> int:
        value = shift = 0
        while True:
            byte = self.number("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value
            if shift > 63:
                raise DwarfError("line information has a number of more than 64 bits")

    def sleb(self) -> int:
        start = self.at
        value = self.uleb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def string(self) -> str:
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise DwarfError("line information is cut off")
        text = self.take(end - self.at)
        self.at += 1
        return text.decode("utf-8", "surrogateescape")


def read_lines(section: bytes, words: int) -> dict[int, tuple[str, int]]:
    """Program address -> (file, line) below `words`, from a .debug_line of version 4. Raises DwarfError."""
    found: dict[int, tuple[str, int]] = {}
    reader = _Reader(section)
    while reader.at < len(section):
        _read_unit(_Reader(reader.take(reader.number("I"))), words, found)
    return found


def _read_unit(unit: _Reader, words: int, found: dict[int, tuple[str, int]]) -> None:
    version = unit.number("H")
    if version != _VERSION:
        raise DwarfError(f"line information of DWARF version {version}; version {_VERSION} is read")
    header = _Reader(unit.take(unit.number("I")))
    unit_bytes, _, _, line_base, line_range, opcode_base = (header.number(c) for c in "BBBbBB")
    if not line_range or not opcode_base:
        raise DwarfError("line information with an impossible header")
    lengths = header.take(opcode_base - 1)
    while header.string():
        pass
    files: list[str] = []
    while name := header.string():
        files.append(name)
        for _ in range(3):
            header.uleb()
    _run(unit, unit_bytes, line_base, line_range, opcode_base, lengths, files, words, found)


def _run(
    unit: _Reader,
    unit_bytes: int,
    line_base: int,
    line_range: int,
    opcode_base: int,
    lengths: bytes,
    files: list[str],
    words: int,
    found: dict[int, tuple[str, int]],
) -> None:
    """Execute a line number program (DWARF4 6.2.5)."""
    address, file, line = 0, 1, 1
    previous: tuple[int, int, int] | None = None  # the last row of the open sequence

    def row() -> None:
        """A row holds from its address to the next one's."""
        nonlocal previous
        if previous is not None:
            start, number, at_line = previous
            if not 1 <= number <= len(files):
                raise DwarfError("line information names a file that it does not list")
            for word in range(start // WORD_BYTES, min(address // WORD_BYTES, words)):
                found[word] = (files[number - 1], at_line)
        previous = (address, file, line)

    while unit.at < len(unit.data):
        opcode = unit.number("B")
        if opcode >= opcode_base:
            special = opcode - opcode_base
            address += special // line_range * unit_bytes
            line += line_base + special % line_range
            row()
        elif opcode == 0:
            body = _Reader(unit.take(unit.uleb()))
            match body.number("B"):
                case 1:  # _END_SEQUENCE
                    row()
                    address, file, line, previous = 0, 1, 1, None
                case 2:  # _SET_ADDRESS
                    address = body.number("Q")
                case 3:  # _DEFINE_FILE
                    files.append(body.string())
        elif opcode == _COPY:
            row()
        elif opcode == _ADVANCE_PC:
            address += unit.uleb() * unit_bytes
        elif opcode == _ADVANCE_LINE:
            line += unit.sleb()
        elif opcode == _SET_FILE:
            file = unit.uleb()
        elif opcode == _CONST_ADD_PC:
            address += (255 - opcode_base) // line_range * unit_bytes
        elif opcode == _FIXED_ADVANCE_PC:
            address += unit.number("H")
        else:
            for _ in range(lengths[opcode - 1]):
                unit.uleb()
