"""`lutra pack inspect`: show the contents of a pack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from lutra.asm.errors import plural
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.cli.pack import files
from lutra.cli.pack.files import PackArgument, short
from lutra.firmware import pack
from lutra.firmware.pack import keys


def command(file: PackArgument, json: JsonOption = False) -> None:
    """Show the contents of a pack: manifest, maps, algorithms with their cycles, known answers and signers.

    Nothing is verified; use `lutra pack verify` before you trust a pack.

    \b
    Example:
      lutra pack inspect otter.pack
    """
    made = files.envelope(file)
    with files.about(file):
        if json:
            print_json(document(made))
        else:
            print("\n".join(_lines(made)))


def document(made: pack.Pack) -> dict[str, Any]:
    """Return a pack as JSON; bytes are hexadecimal."""
    contents = pack.contents(made)
    manifest = contents.manifest
    roots = [{"version": n + 1, "digest": pack.digest(signed.root).hex()} for n, signed in enumerate(made.roots)]
    answers = [
        {"name": a.name, "image": a.image, "steps": [{"step": type(s).__name__.lower(), **asdict(s)} for s in a.steps]}
        for a in contents.answers
    ]
    found: dict[str, Any] = _plain(
        asdict(manifest)
        | {
            "format": made.format,
            "version": str(manifest.version),
            "isa": str(manifest.isa),
            "digest": pack.digest(made.manifest),
            "roots": roots,
            "signatures": [{"key": key, "right": right} for key, right in _signed(made)],
            "images": [
                {"name": part.name, "segments": [asdict(segment) for segment in image]}
                for part, image in zip(manifest.images, contents.images, strict=True)
            ],
            "answers": answers,
        }
    )
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def signers(made: pack.Pack) -> str:
    """Return who has signed, as text."""
    if not made.signatures:
        return "not signed"
    by = ", ".join(short(key) + ("" if right else " (wrong)") for key, right in _signed(made))
    return f"signed by {by} of root {len(made.roots)}"


def _signed(made: pack.Pack) -> Iterator[tuple[bytes, bool]]:
    """Return the key of each signature, and whether the signature is valid."""
    known = pack.roots.opened(made.roots[-1]).pack_keys.keys if made.roots else ()
    for s in made.signatures:
        key = known[s.key] if s.key < len(known) else b""
        yield key, keys.is_signed(key, s.signature, keys.PACK, made.manifest)


def _lines(made: pack.Pack) -> Iterator[str]:
    contents = pack.contents(made)
    m = contents.manifest
    yield f"{m.name} {m.version}, counter {m.counter}, {signers(made)}"
    core = f"{plural(m.core.program_words, 'program word')}, {plural(m.core.memory_rows, 'memory row')}"
    yield f"needs ISA {m.isa}, rounds {m.core.rounds}, {core}, {plural(m.core.contexts, 'stream context')}"
    yield f"manifest {pack.digest(made.manifest).hex()}, format {made.format}"
    for n, signed in enumerate(made.roots):
        yield f"root {n + 1} {pack.digest(signed.root).hex()}"
    yield "\nparts:"
    for n, part in enumerate(m.parts):
        yield f"  {n}  {part.name}, {plural(part.size, 'byte')}, {part.digest.hex()}"
        yield from (f"     {r.space:3} {r.first:#06x}  {plural(r.size, 'byte')}" for r in part.map)
    yield "\nalgorithms:"
    width = max((len(a.name) for a in m.algorithms), default=0)
    for a in m.algorithms:
        cycles = f"{a.cycles / 1000:.3f} cycles per {plural(a.unit_bytes, 'byte')}"
        if len({routines["run"] for routines in a.routines.values() if routines}) > 1:
            cycles += " (the slower direction)"
        image = f"image {a.image}" + (f", to decrypt image {a.decryption.image}" if a.decryption else "")
        yield f"  {a.name:{width}}  {a.kind}, {image}, key {a.key_bits} bits, iv {a.iv_bytes} bytes, {cycles}"
        if a.proof:
            yield f"  {'':{width}}  proved equal to specification {a.proof.specification.hex()}"
    yield "\nknown answers:"
    for answer in contents.answers:
        runs = [step.cycles for step in answer.steps if isinstance(step, pack.Run)]
        yield f"  {answer.name}  image {answer.image}, {plural(len(answer.steps), 'step')}, {sum(runs)} cycles"
    if missing := pack.unanswered(contents):
        yield f"  none of {', '.join(missing)}"
