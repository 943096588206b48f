"""Write a large program that looks like firmware: many included files with constants, aliases, macros, and routines
with headers, loops, branches and calls. Everything follows from the seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

FILES = 20
LINES = 50_000  # lines with an instruction or a macro call
WORDS = 1 << 16  # the largest program memory that addresses reach
MAIN = "program.s"
_ROUTINE = 100  # instruction lines of a routine, about
_ROWS = 40  # rows of memory that the routines share

# Lines of straight code. {d} is also a source, so that no result is overwritten before it is read.
_PLAIN = (
    "xor     {d}, {d}, {s}",
    "xor     {d}, {d}, m2[in++]",
    "and     {d}, {d}, m1[{row}]",
    "or      {d}, {d}, {s}",
    "andnx   {d}, {d}, {s}, {t}",
    "andx    {d}, {s}, {d}, {t}",
    "orx     {d}, {d}, {s}, {t}",
    "xor3    {d}, {d}, {s}, {t}",
    "perm    {d}, {d}, m1[{row}]",
    "perm    {d}, {d}, {s}",
    "align   {d}, {d}, {s}, {byte}",
    "rotx32  {d}, {d}, {s}, {shift}",
    "shlx32  {d}, {d}, {s}, {shift}",
    "rotx    {d}, {d}, zero, {bits}",
    "add32   {d}, {d}, {s}",
    "add32   {d}, {d}, m1[{row}]",
    "add8    {d}, {d}, {s}",
    "mov     m3[out++], {d}",
    "mov     m3[out++], {d} ^ m2[in++]",
    "mov     {{{d}, m3[out++]}}, {d}",
    "aesenc2 {d}, {d}, m0:m1[{key}]",
    "aesenc2 {d}, {d}, m0:m1[{p}_keys + {part_key}]",
    "aesenc2l m3[out++], {d}, m0:m1[{key}], m2[in++]",
    "xor     {d}, {d}, m1[{p}_rows + 16 * {index}]",
    "aradd   in, in, {step}",
    "aradd   out, out, {step}",
    "aradd   in, in, {p}_step",
    "mov     wk, {d} ^ wk",
    "xor     {d}, {d}, m1[{r}_a + 16 * {index}]",
    "add32   {d}, {d}, m1[{r}_b + {step}]",
    "and     {d}, {d}, m2[{r}_a]",
    "perm    {d}, {d}, m1[{p}_row({index})]",
    "{p}_mix {d}, {s}, {shift}",
    "{p}_round {d}, {row}, {byte}",
    "{p}_round {d}, {r}_b + {step}",
)


class _Part:
    """One included file."""

    def __init__(self, number: int, lines: int, rng: random.Random) -> None:
        self._p = f"part{number:02}"
        self._lines = lines
        self._rng = rng

    def text(self) -> str:
        return "\n".join(self._all()) + "\n"

    def _all(self) -> Iterator[str]:
        p = self._p
        yield f"// {p}: routines of a large program, for measurements of the assembler."
        yield "//"
        yield "// Registers and memories: program.s."
        yield ""
        yield f"{p}_keys   = 0x{16 * self._rng.randrange(8):03x}                     // the first row of the round keys"
        yield f"{p}_rows   = 0x{16 * self._rng.randrange(8):03x}                     // the first row of constants"
        yield f"{p}_input  = 16 * ({p}_keys / 16 + 2)"
        yield f"{p}_step   = 2 * 16 + ({p}_rows & 0x10)"
        yield f"        .function {p}_row(i) = {p}_rows + 16 * (i % 8)"
        yield ""
        yield "// dst = dst ^ (src rotated), then a permutation."
        yield f"        .macro  {p}_mix dst, src, amount"
        yield "        rotx32  \\dst, \\src, \\dst, \\amount"
        yield f"        perm    \\dst, \\dst, m1[{p}_row(\\amount)]"
        yield "        .endm"
        yield ""
        yield f"        .macro  {p}_round dst, row, amount=4"
        yield "        add32   \\dst, \\dst, m1[\\row]"
        yield "        .if     \\amount > 7"
        yield "        align   \\dst, \\dst, \\dst, \\amount"
        yield "        .endif"
        yield "        .endm"
        yield ""
        left, routine = self._lines, 0
        while left > 0:
            body = list(self._routine(routine, left))
            left -= sum(is_code(line) for line in body)
            routine += 1
            yield from body

    def _line(self, routine: str) -> str:
        rng = self._rng
        return "        " + rng.choice(_PLAIN).format(
            p=self._p,
            r=routine,
            d=f"x{rng.randrange(6)}",
            s=f"x{rng.randrange(6)}",
            t=f"v{rng.randrange(8)}",
            row=f"0x{16 * rng.randrange(_ROWS):03x}",
            key=f"0x{16 * rng.randrange(_ROWS):03x}",
            part_key=f"0x{16 * rng.randrange(8):02x}",
            index=rng.randrange(16),
            byte=rng.randrange(1, 16),
            shift=rng.randrange(1, 32),
            bits=8 * rng.randrange(1, 16),
            step=16 * rng.randrange(1, 8),
        )

    def _block(self, routine: str, count: int) -> Iterator[str]:
        for _ in range(count):
            line = self._line(routine)
            if self._rng.random() < 0.15:
                line = f"{line:40}// {self._rng.choice(('the next block', 'key of this round', 'last word'))}"
            yield line

    def _routine(self, number: int, left: int) -> Iterator[str]:
        rng, p = self._rng, self._p
        name = f"{p}_r{number:02}"
        yield ""
        yield f"{name}_a = 0x{16 * rng.randrange(_ROWS):03x}"
        yield f"{name}_b = {p}_rows + 0x{16 * rng.randrange(16):03x}"
        yield ""
        yield f"// {name}: a routine of the program."
        yield "//"
        yield f"// Inputs:   {p}_keys in m0 and m1; rows of m2"
        yield "// Outputs:  rows of m3"
        yield "// Clobbers: v0-v7, wk, ar0, ar1, ar4, ar5"
        yield "// Time:     constant"
        yield f"        .global {name}"
        yield f"{name}:"
        yield f"        mov     wk, m1[{name}_a]"
        yield from (f"        mov     v{i}, m1[{p}_row({i})]" for i in range(8))
        yield f"        arset   in, {p}_input"
        yield "        arset   out, 0"
        yield f"        vtoar   turns, m1[0x{16 * rng.randrange(_ROWS):03x}], {rng.randrange(8)}"
        yield f"        vtoar   step, m1[{p}_rows], {rng.randrange(8)}"
        size = max(2, min(_ROUTINE, left) // 4 - 6)
        yield "// The blocks, one per turn."
        yield f"        repeat  {rng.choice(('turns', rng.randrange(2, 100)))}, .L{name}_turn"
        yield from self._block(name, size)
        yield "        .rept   3"
        yield "        xor     x0, x0, m1[16 * \\+]"
        yield "        .endr"
        yield f".L{name}_turn:"
        yield f"        bz      step, .L{name}_rest"
        yield from self._block(name, size)
        if number:
            yield f"        call    {p}_inner"
        yield ""
        yield f".L{name}_rest:"
        yield from self._block(name, size)
        yield f".L{name}_again:"
        yield from self._block(name, size // 2)
        yield f"        djnz    turns, .L{name}_again"
        yield "        mov     m3[out++], v6 ^ v7"
        yield "        mov     {v6, m3[out++]}, v7"
        yield "        halt"
        if not number:
            yield ""
            yield f"{p}_inner:"
            yield from self._block(name, size // 2)
            yield "        ret"


def is_code(line: str) -> bool:
    """Whether a line has an instruction or a macro call."""
    word = line.strip().split(" ")[0]
    return bool(word) and not word.startswith((".", "//")) and not word.endswith(":") and " = " not in line[:20]


def texts(files: int = FILES, lines: int = LINES, seed: int = 1) -> dict[str, str]:
    """Return file name -> text of a program; `lines` in all files together, about."""
    rng = random.Random(seed)
    parts = {f"part{n:02}.inc": _Part(n, lines // files, rng).text() for n in range(files)}
    main = [
        "// A large program, for measurements of the assembler.",
        "",
        *(f"        .alias  x{i}, v{i}" for i in range(6)),
        "        .alias  in, ar0",
        "        .alias  out, ar1",
        "        .alias  turns, ar4",
        "        .alias  step, ar5",
        "",
        "        .section m1",
        "rows:",
        *(f"        .row    {rng.getrandbits(128):032x}" for _ in range(16)),
        "        .word   rows, rows + 16, 0x01234567, 1 << 7 | 3",
        "",
        "        .section text",
        "        .entry  part00_r00",
        *(f'        .include "{name}"' for name in parts),
    ]
    return {MAIN: "\n".join(main) + "\n", **parts}


def write(folder: Path, files: int = FILES, lines: int = LINES, seed: int = 1) -> Path:
    """Write a program to a folder; return its source file."""
    for name, text in texts(files, lines, seed).items():
        Path(folder, name).write_text(text, encoding="utf-8")
    return Path(folder, MAIN)
