"""Tags, attributes and forms of DWARF 4 that images have (DWARF4 7.5)."""

from __future__ import annotations

from enum import IntEnum


class Tag(IntEnum):
    """Tags: the kinds of entries."""

    COMPILE_UNIT = 0x11
    INLINED_SUBROUTINE = 0x1D
    SUBPROGRAM = 0x2E


class At(IntEnum):
    """Names of attributes."""

    NAME = 0x03
    STMT_LIST = 0x10
    LOW_PC = 0x11
    HIGH_PC = 0x12
    LANGUAGE = 0x13
    COMP_DIR = 0x1B
    INLINE = 0x20
    PRODUCER = 0x25
    ABSTRACT_ORIGIN = 0x31
    DECL_FILE = 0x3A
    DECL_LINE = 0x3B
    RANGES = 0x55
    CALL_FILE = 0x58
    CALL_LINE = 0x59


class Form(IntEnum):
    """Encodings of attribute values."""

    ADDR = 0x01
    DATA2 = 0x05
    DATA8 = 0x07
    STRING = 0x08
    DATA1 = 0x0B
    UDATA = 0x0F
    REF4 = 0x13
    SEC_OFFSET = 0x17
