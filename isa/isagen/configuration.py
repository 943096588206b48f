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
STREAM = "stream"  # the extension of stream contexts
# Keys of a file -> the size of isa/machine.td that they set, and the least value. Others follow from the encoding.
SIZES = {"program_words": ("ProgramWords", 1), "memory_rows": ("MemoryRows", 1)}
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
    shadow_words: int
    sizes: Mapping[str, int]


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
    kinds = needed | dict.fromkeys(SIZES, int) | {"shadow_words": int}
    findings = [f"unknown key {key}; known are {', '.join(kinds)}" for key in data.keys() - kinds.keys()]
    findings += [f"no {key}" for key in needed.keys() - data.keys()]
    findings += [
        f"{key} is not of type {kind.__name__}"
        for key, kind in kinds.items()
        if key in data and (not isinstance(data[key], kind) or isinstance(data[key], bool))
    ]
    if not findings:
        findings = list(_values(data))
    if findings:
        raise IsaError([f"{place}: {text}" for text in sorted(findings)])
    sizes = {size: data[key] for key, (size, _) in SIZES.items() if key in data}
    extensions, rounds = tuple(data["extensions"]), tuple(sorted(data["rounds"]))
    shadow_words = data.get("shadow_words", 0)
    return File(place, place.stem, data["text"], extensions, rounds, data["contexts"], shadow_words, sizes)


def _values(data: Mapping[str, Any]) -> Iterable[str]:
    if not data["rounds"] or not set(data["rounds"]) <= set(ROUNDS):
        yield f"rounds are none of {', '.join(map(str, ROUNDS))}"
    if not all(isinstance(name, str) for name in data["extensions"]):
        yield "extensions are not all names"
    if not 0 <= data.get("shadow_words", 0) <= LFSR_WORDS:
        yield f"shadow_words is not from 0 to {LFSR_WORDS}"
    for key, (_, least) in SIZES.items():
        if key in data and data[key] < least:
            yield f"{key} is less than {least}"


def everything(isa: Isa) -> Configuration:
    """All that is described, with both rounds and the sizes of isa/machine.td."""
    names = tuple(e.name for e in isa.extensions)
    return Configuration(DEFAULT, "", names, ROUNDS, isa.machine["StreamContexts"])


def select(isa: Isa, file: File, outside: Sequence[str] = ()) -> Isa:
    """The core of a configuration, with extensions from outside this repository. Raises IsaError."""
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
    contexts = isa.machine["StreamContexts"]
    if not 1 <= file.contexts <= contexts:
        findings.append(f"contexts is {file.contexts}, which is not from 1 to {contexts}")
    for size, value in file.sizes.items():
        if value > isa.machine[size]:
            findings.append(f"{size} is {value}; more than {isa.machine[size]} are not reached by the encoding")
    if findings:
        raise IsaError([f"{file.place}: {text}" for text in findings])
    name = "+".join((file.name, *outside))
    chosen = Configuration(name, file.text, names, file.rounds, file.contexts, file.shadow_words)
    return reduced(replace(isa, machine={**isa.machine, **file.sizes}), chosen)


def reduced(isa: Isa, chosen: Configuration) -> Isa:
    """The description with the instructions of a configuration, and with what these use."""
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
    return replace(isa, insns=insns, blocks=blocks, vectors=vectors, configuration=chosen)


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
