"""The reader of packs in Python against the one in C: `python -m fuzz.reader [libFuzzer's options] CORPUS`.

Both must accept the same packs, and the reader in Python must report every fault as a PackError. The mutator changes a
part of a pack and signs it again with the keys of the corpus, so that signature checks need not be disabled.
"""

from __future__ import annotations

import ctypes
import os
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType

import atheris

from lutra.firmware.pack import cbor, ed25519, keys, roots, schema, space
from lutra.firmware.pack import format as layout
from lutra.firmware.pack.errors import FlawedKeyError, PackError
from lutra.firmware.pack.records import Core, Manifest, Pack, Part, Signature, SignedRoot
from lutra.firmware.pack.verify import verify
from power_loss.packs import private_key, provisioned, signed_roots

ROOT = Path(__file__).parents[2]
LIBRARY = os.environ.get("LUTRA_FUZZ_LIBRARY") or str(ROOT / "build/fuzz/libfuzz_check.so")
CORE = Core(2, 64, 16, 2)
TRUSTED = roots.trusted(signed_roots(1))


class Loader:
    """The reader in C."""

    def __init__(self) -> None:
        library = ctypes.CDLL(LIBRARY)
        library.fuzz_text.restype = ctypes.c_char_p
        self._library = library
        self._fuses = provisioned()
        self._core = (ctypes.c_uint16 * 4)(CORE.rounds, CORE.program_words, CORE.memory_rows, CORE.contexts)

    def refusal(self, data: bytes) -> str:
        """The reason for refusing a pack, or an empty text."""
        at = ctypes.c_uint32()
        result = self._library.fuzz_check(data, len(data), self._fuses, self._core, ctypes.byref(at))
        return f"{self._library.fuzz_text(result).decode()} (byte {at.value})" if result else ""


def refusal(data: bytes) -> str:
    """The Python reader's reason for refusing a pack, or an empty text. Only it checks keys that signed nothing."""
    try:
        verify(data, TRUSTED, CORE)
    except FlawedKeyError:
        return ""
    except PackError as error:
        return str(error) or "PackError"
    return ""


def compare(loader: Loader, data: bytes) -> None:
    """Raise RuntimeError if only one reader accepts a pack."""
    here, there = refusal(data), loader.refusal(data)
    if bool(here) != bool(there):
        raise RuntimeError(f"the readers differ: Python: {here or 'taken'}; C: {there or 'taken'}")


# ------------------------------------------------------------------ mutation

Change = Callable[[bytes], bytes]
# The share of mutations that lengthen an encoding, which rarely happens by chance.
LONGER = 0.1


def mutate(data: bytes, seed: int, change: Change) -> bytes:
    """A pack with one part changed, and sizes, digests and signatures corrected. Other data is changed as it is."""
    rng = random.Random(seed)
    try:
        pack = layout.decode(data)
    except PackError:
        return change(data)
    where = rng.choice(("anything", "manifest", "manifest", "manifest", "part", "part", "root", "parts"))
    if where == "anything":
        return change(data)
    if rng.random() < LONGER:
        change = partial(_longer, rng)
    if where == "manifest":
        pack = replace(pack, manifest=change(pack.manifest))
    if where == "root" and pack.roots:
        n = rng.randrange(len(pack.roots))
        changed = replace(pack.roots[n], root=change(pack.roots[n].root))
        pack = replace(pack, roots=(*pack.roots[:n], changed, *pack.roots[n + 1 :]))
    if where.startswith("part"):
        parts = list(pack.parts)
        n = rng.randrange(len(parts))
        parts[n : n + 1] = [change(parts[n])] if where == "part" else rng.choice(([], [parts[n], parts[n]]))
        pack = replace(pack, parts=tuple(parts))
    try:
        return layout.encode(_closed(pack))
    except PackError:
        return change(data)


def _longer(rng: random.Random, data: bytes) -> bytes:
    """Put one byte, which may be the head of an item, into the next longer encoding of the same value."""
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] & 0xE0 | 24, data[at] & 31]) + data[at + 1 :]


def _closed(pack: Pack) -> Pack:
    """Recompute the parts' sizes and digests in the manifest, the format, and all signatures."""
    try:
        manifest: Manifest = layout.read(layout.MANIFEST, pack.manifest)
        entries = tuple(map(_entry, manifest.parts, pack.parts))
        manifest = replace(manifest, parts=entries)
        pack = replace(pack, manifest=layout.MANIFEST.write(manifest), format=manifest.format)
    except PackError:
        pass  # Sign it as it is.
    last = len(pack.roots)
    signatures = (Signature(0, keys.sign(private_key(f"pack {last}"), keys.PACK, pack.manifest)),)
    return replace(pack, roots=tuple(map(_signed_root, range(1, last + 1), pack.roots)), signatures=signatures)


def _entry(part: Part, data: bytes) -> Part:
    return replace(part, size=len(data), digest=layout.digest(data))


def _signed_root(version: int, root: SignedRoot) -> SignedRoot:
    def by(version: int) -> tuple[Signature, ...]:
        return (Signature(0, keys.sign(private_key(f"root {version}"), keys.ROOT, root.root)),)

    return replace(root, by_own=by(version), by_previous=by(version - 1) if version > 1 else ())


def count(module: ModuleType) -> None:
    """Count the branches of all functions of a module.

    Its loader is the tree's own, which atheris's import hook does not change.
    """
    own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    members = [member for value in own if isinstance(value, type) for member in vars(value).values()]
    for value in (*own, *members):
        if isinstance(value, FunctionType) and value.__code__.co_filename == module.__file__:
            atheris.instrument_func(value)


def main() -> None:
    """Fuzz until libFuzzer's options end it or the readers differ."""
    loader = Loader()
    for module in (cbor, ed25519, keys, layout, roots, schema, space, sys.modules[verify.__module__]):
        count(module)

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        return mutate(data, seed, lambda part: bytes(atheris.Mutate(part, max(len(part) + 16, 1))))[:most]

    atheris.Setup(sys.argv, lambda data: compare(loader, data), custom_mutator=mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
