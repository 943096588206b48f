"""Configurations: the extensions and sizes of one core, from a file; what it does not name is left out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from isagen.description import Block, Insn
from isagen.errors import IsaError
from isagen.model import Isa
from isagen.records import Configuration, VectorName

FOLDER = Path(__file__).resolve().parents[1] / "configurations"
DEFAULT = "full"
BASE = "base"  # the extension of every core
CLOSE = "close"  # the extension of memories that a program hides from the host
STREAM = "stream"  # the extension of stream contexts
# Keys of a file -> the size of isa/machine.td that they set, and the least value. Others follow from the encoding.
SIZES = {"program_words": ("ProgramWords", 1), "memory_rows": ("MemoryRows", 1)}
# Keys that may be left out: what a core has against faults and leftovers.
PROTECTION = {"shadow_words": int, "protect": bool, "wipe": bool, "key_rows": int}
ROUNDS = (1, 2)
LFSR_WORDS = 16  # of a stream context; as many can have a shadow


@dataclass(frozen=True)
class File:
    """A configuration as it is written. extensions: their names; sizes: by the name in isa/machine.td."""

    place: Path
    name: str
    text: str
    extensions: tuple[str, ...]
    rounds: tuple[int, ...]
    contexts: int
    sizes: Mapping[str, int]
    shadow_words: int = 0
    protect: bool = False
    wipe: bool = False
    key_rows: int = 0


def ready() -> dict[str, Path]:
    """The configurations of this folder, by name."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.toml"))}


def find(named: str) -> Path:
    """The file of a ready configuration, or the file that is named. Raises IsaError."""
    known = ready()
    if named in known:
        return known[named]
    if named.endswith(".toml") and Path(named).is_file():
        return Path(named)
    raise IsaError([f"no configuration {named}; choose from {', '.join(known)}, or give a file that ends in .toml"])


def read(place: Path) -> File:
    """A configuration's file. Raises IsaError."""
    try:
        data: dict[str, Any] = tomllib.loads(place.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise IsaError([f"{place}: cannot be read: {error}"]) from error
    needed = {"text": str, "extensions": list, "rounds": list, "contexts": int}
    kinds = needed | dict.fromkeys(SIZES, int) | PROTECTION
    findings = [f"unknown key {key}; known are {', '.join(kinds)}" for key in data.keys() - kinds.keys()]
    findings += [f"no {key}" for key in needed.keys() - data.keys()]
    findings += [
        f"{key} is not of type {kind.__name__}"
        for key, kind in kinds.items()
        if key in data and type(data[key]) is not kind
    ]
    if not findings:
        findings = list(_values(data))
    if findings:
        raise IsaError([f"{place}: {text}" for text in sorted(findings)])
    sizes = {size: data[key] for key, (size, _) in SIZES.items() if key in data}
    extensions, rounds = tuple(data["extensions"]), tuple(sorted(data["rounds"]))
    protection = {key: kind(data.get(key, 0)) for key, kind in PROTECTION.items()}
    return File(place, place.stem, data["text"], extensions, rounds, data["contexts"], sizes=sizes, **protection)


def _values(data: Mapping[str, Any]) -> Iterable[str]:
    if not data["rounds"] or not set(data["rounds"]) <= set(ROUNDS):
        yield f"rounds are none of {', '.join(map(str, ROUNDS))}"
    if not all(isinstance(name, str) for name in data["extensions"]):
        yield "extensions are not all names"
    if not 0 <= data.get("shadow_words", 0) <= LFSR_WORDS:
        yield f"shadow_words is not from 0 to {LFSR_WORDS}"
    if data.get("key_rows", 0) < 0:
        yield "key_rows is less than 0"
    for key, (_, least) in SIZES.items():
        if key in data and data[key] < least:
            yield f"{key} is less than {least}"


def everything(isa: Isa) -> Configuration:
    """All that is described, with both rounds and the sizes of isa/machine.td."""
    names = tuple(e.name for e in isa.extensions)
    return Configuration(DEFAULT, "", names, ROUNDS, isa.machine["StreamContexts"])


def select(isa: Isa, file: File, outside: Sequence[str] = ()) -> Isa:
    """The core of a configuration, with extensions from outside this repository. Raises IsaError."""
    return reduced(isa, file.sizes, checked(isa, file, outside))


def checked(isa: Isa, file: File, outside: Sequence[str] = ()) -> Configuration:
    """A configuration that the description allows. Raises IsaError."""
    known = {e.name: e.record for e in isa.extensions}
    names = (*file.extensions, *(name for name in outside if name not in file.extensions))
    findings = [f"no extension {name}; choose from {', '.join(known)}" for name in names if name not in known]
    if BASE not in names:
        findings.append(f"extension {BASE} is in every core; name it")
    findings += [
        f"extension {e.name} needs {need}; name it too"
        for e in isa.extensions
        if e.name in names
        for need in e.needs
        if need not in names
    ]
    if file.shadow_words and STREAM not in names:
        findings.append(f"shadow_words needs extension {STREAM}; name it too, or leave shadow_words out")
    if CLOSE in names and not file.wipe:
        findings.append(f"extension {CLOSE} needs wipe = true, which alone opens what a program has left closed")
    rows = file.sizes.get("MemoryRows", isa.machine["MemoryRows"])
    if file.key_rows > rows:
        findings.append(f"key_rows is {file.key_rows}; a data memory has {rows} rows")
    contexts = isa.machine["StreamContexts"]
    if not 1 <= file.contexts <= contexts:
        findings.append(f"contexts is {file.contexts}, which is not from 1 to {contexts}")
    for size, value in file.sizes.items():
        if value > isa.machine[size]:
            findings.append(f"{size} is {value}; more than {isa.machine[size]} are not reached by the encoding")
    if findings:
        raise IsaError([f"{file.place}: {text}" for text in findings])
    name = "+".join((file.name, *outside))
    protection = (file.shadow_words, file.protect, file.wipe, file.key_rows)
    return Configuration(name, file.text, names, file.rounds, file.contexts, *protection)


def reduced(isa: Isa, sizes: Mapping[str, int], chosen: Configuration) -> Isa:
    """The description with the sizes and instructions of a configuration, and with what these use."""
    records = {e.record for e in isa.extensions if e.name in chosen.extensions}
    insns = tuple(
        _without(i, records)
        for i in isa.described
        if {i.extension, *i.also} <= records and chosen.has_rounds(isa.facts[i.record].two_rounds)
    )
    used = {(s.block, s.function) for i in insns for s in i.path}
    second = {(isa.blocks[b].kind, f) for b, f in used if b in isa.blocks and isa.blocks[b].half == 2}

    def keeps(block: Block, function: str) -> bool:
        # The first half does the second's work where there is one round per instruction, and function 0 is a pass.
        if (block.record, function) in used or isa.functions[function].code == 0:
            return True
        return block.half == 1 and (block.kind, function) in second and 1 in chosen.rounds

    blocks = {n: replace(b, functions=tuple(f for f in b.functions if keeps(b, f))) for n, b in isa.blocks.items()}
    vectors = tuple(v if v.extension in records else _nowhere(v) for v in isa.vectors)
    machine = {**isa.machine, **sizes}
    return replace(isa, machine=machine, insns=insns, blocks=blocks, vectors=vectors, configuration=chosen)


def _without(insn: Insn, extensions: set[str]) -> Insn:
    """An instruction without the operands of other extensions; the fields that only these fill are zero."""
    kept = tuple(o for o in insn.operands if o.extension in extensions)
    if kept == insn.operands:
        return insn
    filled = {name for o in kept for name in o.fields}
    gone = [f for f in insn.fields if f.name not in filled]
    mask = insn.mask | sum(((1 << f.width) - 1) << f.lsb for f in gone)
    return replace(insn, operands=kept, fields=tuple(f for f in insn.fields if f not in gone), mask=mask)


def _nowhere(vector: VectorName) -> VectorName:
    """A register that no operand may name."""
    return replace(vector, source=False, second_source=False, destination=False)
