"""A RV32IM hart for tests of what runs on a host: it counts instructions, and its loads and stores beyond the memory go
to a device. The RISC-V Instruction Set Manual, volume I, chapters 2 and 12."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import run
from typing import Protocol

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

MASK = 0xFFFFFFFF
RETURN = 0xFFFFFFF0
DEVICE = 0x80000000
RA, SP, A0 = 1, 2, 10
CLANG = ["clang-19", "--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32", "-ffreestanding", "-mno-relax"]


class Device(Protocol):
    def read(self, offset: int) -> int: ...
    def write(self, offset: int, value: int) -> None: ...


def build(sources: list[Path], includes: list[Path], folder: Path, base: int) -> Path:
    """Compile and link C for this hart, from an address on."""
    objects = []
    for source in sources:
        objects.append(folder / f"{source.stem}.o")
        flags = [f"-I{path}" for path in includes]
        run(
            [*CLANG, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", *flags, "-c", source, "-o", objects[-1]],
            check=True,
        )
    linked = folder / "linked.elf"
    run(["ld.lld-19", "-melf32lriscv", f"-Ttext={base:#x}", "-e0", "-z", "norelro", *objects, "-o", linked], check=True)
    return linked


def signed(value: int, bits: int = 32) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _divide(a: int, b: int) -> int:
    quotient = abs(a) // abs(b) if b else -1
    return -quotient if b and (a < 0) != (b < 0) else quotient


def _alu(kind: int, variant: int, a: int, b: int) -> int:
    shift = b & 31
    operations = {
        (0, 0): a + b,
        (0, 0x20): a - b,
        (1, 0): a << shift,
        (2, 0): int(signed(a) < signed(b)),
        (3, 0): int(a < b),
        (4, 0): a ^ b,
        (5, 0): a >> shift,
        (5, 0x20): signed(a) >> shift,
        (6, 0): a | b,
        (7, 0): a & b,
        (0, 1): a * b,
        (1, 1): signed(a) * signed(b) >> 32,
        (2, 1): signed(a) * b >> 32,
        (3, 1): a * b >> 32,
        (4, 1): _divide(signed(a), signed(b)),
        (5, 1): a // b if b else MASK,
        (6, 1): signed(a) - signed(b) * _divide(signed(a), signed(b)) if b else a,
        (7, 1): a % b if b else a,
    }
    return operations[kind, variant] & MASK


@dataclass
class Hart:
    """A hart with a program. memory: from address 0; loads and stores from DEVICE on are the device's registers."""

    memory: bytearray
    device: Device
    program: Path
    stack: int
    registers: list[int] = field(default_factory=lambda: [0] * 32)

    def __post_init__(self) -> None:
        elf = ELFFile(io.BytesIO(self.program.read_bytes()))
        for segment in elf.iter_segments("PT_LOAD"):
            data = segment.data().ljust(segment["p_memsz"], b"\0")
            self.memory[segment["p_vaddr"] : segment["p_vaddr"] + len(data)] = data
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        self.symbols: dict[str, int] = {s.name: s["st_value"] for s in table.iter_symbols()}

    def call(self, name: str, *arguments: int, limit: int = 1_000_000) -> tuple[int, int]:
        """Call a function; return its result and the instructions that it took, its return included."""
        self.registers[RA], self.registers[SP] = RETURN, self.stack
        for i, argument in enumerate(arguments):
            self.registers[A0 + i] = argument & MASK
        pc, count = self.symbols[name], 0
        while pc != RETURN:
            assert count < limit, f"{name} takes more than {limit} instructions"
            pc = self._step(pc)
            count += 1
        return self.registers[A0], count

    def _load(self, address: int, kind: int) -> int:
        size = 1 << (kind & 3)
        assert address % size == 0, f"a misaligned load from {address:#x}"
        if address >= DEVICE:
            assert size == 4, f"a load of {size} bytes from a register"
            return self.device.read(address - DEVICE)
        value = int.from_bytes(self.memory[address : address + size], "little")
        return value if kind & 4 else signed(value, 8 * size) & MASK

    def _store(self, address: int, kind: int, value: int) -> None:
        size = 1 << kind
        assert address % size == 0, f"a misaligned store to {address:#x}"
        if address >= DEVICE:
            assert size == 4, f"a store of {size} bytes to a register"
            self.device.write(address - DEVICE, value)
        else:
            self.memory[address : address + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def _step(self, pc: int) -> int:
        word = int.from_bytes(self.memory[pc : pc + 4], "little")
        opcode, rd, kind, variant = word & 0x7F, word >> 7 & 31, word >> 12 & 7, word >> 25
        a, b = self.registers[word >> 15 & 31], self.registers[word >> 20 & 31]
        immediate = signed(word >> 20, 12)
        following, result = pc + 4, None
        if opcode == 0x33:
            result = _alu(kind, variant, a, b)
        elif opcode == 0x13:
            shifts = kind in (1, 5)
            result = _alu(kind, variant & 0x20 if shifts else 0, a, immediate & (31 if shifts else MASK))
        elif opcode == 0x03:
            result = self._load((a + immediate) & MASK, kind)
        elif opcode == 0x23:
            self._store((a + signed(variant << 5 | rd, 12)) & MASK, kind, b)
        elif opcode == 0x63:
            less, lower = signed(a) < signed(b), a < b
            taken = {0: a == b, 1: a != b, 4: less, 5: not less, 6: lower, 7: not lower}[kind]
            offset = (word >> 31) << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 0x3F) << 5 | (word >> 8 & 0xF) << 1
            following = pc + signed(offset, 13) if taken else following
        elif opcode == 0x6F:
            offset = (word >> 31) << 20 | (word >> 12 & 0xFF) << 12 | (word >> 20 & 1) << 11 | (word >> 21 & 0x3FF) << 1
            result, following = following, pc + signed(offset, 21)
        elif opcode == 0x67:
            result, following = following, (a + immediate) & ~1
        elif opcode == 0x37:
            result = word & 0xFFFFF000
        elif opcode == 0x17:
            result = pc + (word & 0xFFFFF000)
        elif opcode != 0x0F:
            raise AssertionError(f"instruction {word:#010x} at {pc:#x} is not one of RV32IM")
        if result is not None and rd:
            self.registers[rd] = result & MASK
        return following & MASK
