"""Size and stack of the loader on RV32, from the linked program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from loader_checks.build import ENTRIES, CheckError, run

LIMIT = 24 * 1024
# Routines of rv32/runtime.S: their frames are those of their callers.
RUNTIME = ("__riscv_", ".L_save_")


@dataclass
class Function:
    """A function's use of the stack. calls: by name; callbacks: whether it calls through a pointer."""

    frame: int = 0
    calls: set[str] = field(default_factory=set)
    callbacks: bool = False


def sizes(elf: Path) -> dict[str, int]:
    """Bytes by section: code, constants, variables."""
    rows = re.findall(r"^\.(text|rodata|data|bss|sdata|sbss)\s+(\d+)", run(["llvm-size-19", "-A", elf]), re.M)
    return {name: int(size) for name, size in rows}


def functions(listing: str) -> dict[str, Function]:
    """Parse a listing by llvm-objdump.

    Raises:
        CheckError: The stack pointer changes by something other than a constant.
    """
    found: dict[str, Function] = {}
    current = Function()
    constants: dict[str, int] = {}
    runtime = False
    for line in listing.splitlines():
        if header := re.fullmatch(r"[0-9a-f]+ <(.+)>:", line):
            runtime = header[1].startswith(RUNTIME)
            current = found.setdefault(header[1], Function())
            constants = {}
        elif runtime:
            continue
        elif row := re.match(r"\s*[0-9a-f]+:\s+(\S+)\s*(.*)", line):
            _instruction(current, row[1], row[2], constants)
    return found


def _instruction(function: Function, name: str, operands: str, constants: dict[str, int]) -> None:
    register, *rest = [word.strip() for word in operands.split(",")]
    if target := re.search(r"<([^>+]+)>", operands):
        if name in ("jal", "j", "call", "tail"):
            function.calls.add(target[1])
    elif name in ("jalr", "jr") and register not in ("ra", "t0"):
        function.callbacks = True
    if name == "lui" or name == "li":
        constants[register] = int(rest[0], 0) << (12 if name == "lui" else 0)
    elif name == "addi" and rest[0] == "zero":
        constants[register] = int(rest[1], 0)
    elif name == "addi" and register != "sp" and rest[0] == register and register in constants:
        constants[register] += int(rest[1], 0)
    if register != "sp" or name in ("sw", "lw"):
        return
    if name == "addi" and rest[0] == "sp":
        function.frame += max(0, -int(rest[1], 0))
    elif name == "sub" and rest[0] == "sp" and rest[1] in constants:
        function.frame += constants[rest[1]]
    elif not (name == "add" and rest[0] == "sp" and rest[1] in constants):
        raise CheckError(f"the stack pointer is moved by `{name} {operands}`, which is not a constant")


def deepest(graph: Mapping[str, Function], start: str, above: tuple[str, ...] = ()) -> tuple[int, tuple[str, ...]]:
    """Maximum stack use of a call of `start`, excluding callbacks, and the chain of calls that causes it.

    Raises:
        CheckError: A function is recursive.
    """
    if start in above:
        raise CheckError(f"recursion: {' > '.join((*above, start))}")
    inner = [deepest(graph, name, (*above, start)) for name in sorted(graph[start].calls) if name in graph]
    bytes_below, path = max(inner, default=(0, ()))
    return graph[start].frame + bytes_below, (start, *path)


def own_frames(graph: dict[str, Function]) -> dict[str, Function]:
    """The same, with what the runtime's routines save for each."""
    saved = {f"__riscv_save_{n}": 16 * (n // 4 + 1) for n in range(13)}
    made = {}
    for name, function in graph.items():
        if name.startswith(RUNTIME):
            continue
        frame = function.frame + sum(saved.get(call, 0) for call in function.calls)
        calls = {call for call in function.calls if not call.startswith(RUNTIME) and call != name}
        made[name] = Function(frame, calls, function.callbacks)
    return made


def stack(elf: Path) -> tuple[int, tuple[str, ...]]:
    """The most that any function of the header takes, and by which calls."""
    listing = run(["llvm-objdump-19", "-d", "--no-show-raw-insn", "-M", "no-aliases", elf])
    graph = own_frames(functions(plain(listing)))
    return max(deepest(graph, f"lutra_{name}") for name in ENTRIES)


def plain(listing: str) -> str:
    """Compressed instructions under the names of their expansions."""
    for pattern, plain in (
        (r"c\.addi16sp\tsp, ", "addi\tsp, sp, "),
        (r"c\.(j|jr|jalr|jal|lui|li)\t", r"\1\t"),
        (r"c\.(addi|add|sub)\t(\w+), ", r"\1\t\2, \2, "),
        (r"\bjal\tzero, ", "j\t"),
        (r"\bjalr?\tra, ", "jal\t"),
    ):
        listing = re.sub(pattern, plain, listing)
    return listing
