"""The line table, .debug_line (DWARF4 6.2): file and line of each program word."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from lutra.asm.formats.dwarf_format import VERSION, WORD_BYTES, ByteReader, DwarfError, sleb, string, uleb

# File, line, and anything else that makes a word begin a row of its own.
Row = tuple[str, int, int]

_LINE_BASE, _LINE_RANGE, _OPCODE_BASE = -5, 14, 13
# Operands of standard opcodes 1 to 12 (DWARF4 6.2.5.2).
_STANDARD_LENGTHS = bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE = 1, 2, 3, 4
_CONST_ADD_PC, _FIXED_ADVANCE_PC = 8, 9
_END_SEQUENCE, _SET_ADDRESS, _DEFINE_FILE = 1, 2, 3  # extended opcodes (DWARF4 6.2.5.3)


def line_section(rows: Mapping[int, Row], files: Sequence[str]) -> bytes:
    """Return the section; `rows` by program address, `files` with the file of each."""
    header = struct.pack("<BBBbBB", WORD_BYTES, 1, 1, _LINE_BASE, _LINE_RANGE, _OPCODE_BASE) + _STANDARD_LENGTHS
    header += b"\0"  # no include folders: names are relative to the compilation's folder
    header += b"".join(string(name) + uleb(0) + uleb(0) + uleb(0) for name in files) + b"\0"
    unit = struct.pack("<HI", VERSION, len(header)) + header + _program(rows, files)
    return struct.pack("<I", len(unit)) + unit


def _program(rows: Mapping[int, Row], files: Sequence[str]) -> bytes:
    """Return the line number program: a sequence per run of addresses, a row per word that differs from the last."""
    out = bytearray()
    number = {name: i for i, name in enumerate(files, 1)}
    open_at: int | None = None  # address of the sequence's last row
    file, line = 1, 1
    last = -2
    shown: Row | None = None
    for address in sorted(rows):
        row = rows[address]
        if address != last + 1:
            if open_at is not None:
                out += _end(last + 1 - open_at)
            out += b"\0" + uleb(9) + bytes([_SET_ADDRESS]) + struct.pack("<Q", address * WORD_BYTES)
            open_at, file, line = address, 1, 1
        elif row == shown:
            last = address
            continue
        assert open_at is not None
        new_file, new_line = number[row[0]], row[1]
        if new_file != file:
            out += bytes([_SET_FILE]) + uleb(new_file)
        step = address - open_at
        special = new_line - line - _LINE_BASE + _LINE_RANGE * step + _OPCODE_BASE
        if 0 <= new_line - line - _LINE_BASE < _LINE_RANGE and special <= 255:
            out.append(special)
        else:
            out += bytes([_ADVANCE_LINE]) + sleb(new_line - line) + bytes([_ADVANCE_PC]) + uleb(step) + bytes([_COPY])
        open_at, file, line, last, shown = address, new_file, new_line, address, row
    if open_at is not None:
        out += _end(last + 1 - open_at)
    return bytes(out)


def _end(step: int) -> bytes:
    return bytes([_ADVANCE_PC]) + uleb(step) + b"\0" + uleb(1) + bytes([_END_SEQUENCE])


def read_lines(section: bytes, words: int) -> tuple[dict[int, tuple[str, int]], dict[int, list[str]]]:
    """Return program address -> (file, line) below `words`, and offset of a table -> its files. Raises DwarfError."""
    found: dict[int, tuple[str, int]] = {}
    files: dict[int, list[str]] = {}
    reader = ByteReader(section)
    while reader.at < len(section):
        at = reader.at
        files[at] = _read_unit(ByteReader(reader.take(reader.number("I"))), words, found)
    return found, files


def _read_unit(unit: ByteReader, words: int, found: dict[int, tuple[str, int]]) -> list[str]:
    version = unit.number("H")
    if version != VERSION:
        raise DwarfError(f"line information of DWARF version {version}; only version {VERSION} is supported")
    header = ByteReader(unit.take(unit.number("I")))
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
    return files


def _run(
    unit: ByteReader,
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
            body = ByteReader(unit.take(unit.uleb()))
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
