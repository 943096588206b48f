"""The packs of the campaign: small ones, signed with reproducible keys."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lutra.asm import Image, assemble_text
from lutra.firmware.device import fuses
from lutra.firmware.pack import format as layout
from lutra.firmware.pack import keys, roots
from lutra.firmware.pack import records as r
from lutra.firmware.pack.needs import segments
from lutra.firmware.pack.roots import Roots
from lutra.firmware.pack.signing import signed
from lutra.firmware.session import INPUT, OUTPUT
from lutra.isa import load
from lutra.iss.engine import make
from lutra.iss.places import Place

# XORs a row with a key: the smallest possible cipher.
SOURCE = """
        .section m0
key:    .row    "{key}"

        .section text
        mov     v0, m0[key]
        xor     m3[ar1], m2[ar0], v0
        halt
"""
TABLES, TABLE_BYTES = ("t0", "t1"), 4096
CORE = r.Core(1, 16, 16, 1)


@dataclass(frozen=True)
class Firmware:
    """A pack of the campaign.

    wrong: its known answer differs from what it computes. root: version of the root that signs it. tables: it has two
    images with full table banks, which make it large. decrypts: a second image decrypts.
    """

    version: r.PackVersion
    counter: int
    wrong: bool = False
    root: int = 1
    tables: bool = False
    decrypts: bool = False

    @property
    def images(self) -> int:
        return 2 if self.tables or self.decrypts else 1


SMALL = {
    "older": Firmware(r.PackVersion(1, 0, 0), 1),
    "old": Firmware(r.PackVersion(1, 1, 0), 1),
    "new": Firmware(r.PackVersion(1, 2, 0), 8),
    "broken": Firmware(r.PackVersion(1, 3, 0), 9, wrong=True),
    "rotated": Firmware(r.PackVersion(2, 0, 0), 15, root=2),
}
# Only read, not installed over one another.
READ = {"both": Firmware(r.PackVersion(1, 4, 0), 9, decrypts=True)}
LARGE = {name: replace(firmware, tables=True) for name, firmware in SMALL.items()}


def private_key(name: str) -> Ed25519PrivateKey:
    """A key derived from its name: only for campaigns."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"lutra campaign " + name.encode()).digest())


def signed_roots(count: int) -> Roots:
    """The given number of roots, each with its own keys."""
    made: Roots = ()
    for version in range(1, count + 1):
        root_key, pack_key = (private_key(f"{of} {version}") for of in ("root", "pack"))
        one = [roots.role(called, [keys.public(key)], 1) for called, key in (("root", root_key), ("pack", pack_key))]
        made = roots.rotate(made, *one) if made else roots.create(*one)
        if version > 1:
            made = roots.sign(made, private_key(f"root {version - 1}"))
        made = roots.sign(made, root_key)
    return made


def build(name: str, firmware: Firmware) -> bytes:
    """A pack in the form for its device."""
    rng = random.Random(f"{name} {firmware}")
    images = [_image(rng, firmware.tables) for _ in range(firmware.images)]
    contents = [segments(image) for image in images]
    answers = tuple(_answer(n, image, rng, firmware.wrong) for n, image in enumerate(images))
    data = [*map(layout.SEGMENTS.write, contents), layout.ANSWERS.write(answers)]
    entries = [
        r.Part(
            r.IMAGE,
            f"xor{n}",
            len(part),
            layout.digest(part),
            tuple(r.Region(s.space, s.offset, len(s.data)) for s in of),
        )
        for n, (of, part) in enumerate(zip(contents, data, strict=False))
    ]
    entries.append(r.Part(r.ANSWER, "answers", len(data[-1]), layout.digest(data[-1])))
    manifest = r.Manifest(
        *("campaign", firmware.version, firmware.counter, load().version, CORE, tuple(entries)),
        (_algorithm(firmware.decrypts),),
    )
    pack = r.Pack((), layout.MANIFEST.write(manifest), (), tuple(data), manifest.format)
    return layout.encode(signed(pack, signed_roots(firmware.root), [private_key(f"pack {firmware.root}")]))


def _image(rng: random.Random, tables: bool) -> Image:
    image = assemble_text(SOURCE.format(key=rng.randbytes(16).hex()))
    if tables:
        image.memory.update({table: [(0, rng.randbytes(TABLE_BYTES))] for table in TABLES})
    return image


def _answer(number: int, image: Image, rng: random.Random, wrong: bool) -> r.Answer:
    engine, given = make("iss"), rng.randbytes(16)
    engine.load(image)
    engine.write(INPUT, 0, given)
    stop = engine.run(0, 1000)
    expected = bytearray(engine.read(OUTPUT, 0, len(given)))
    expected[-1] ^= wrong
    steps = (r.Write(INPUT, 0, given), r.Run(0, stop.cycles), r.Compare(OUTPUT, 0, bytes(expected)))
    return r.Answer(f"xor{number}", number, steps)


def _algorithm(decrypts: bool) -> r.Algorithm:
    places = (Place("m0", 0), None, None, r.Input(INPUT, 0, 256), Place(OUTPUT, 0))
    routines = (r.Routine("run", 0),)
    return r.Algorithm(
        *("xor", "block", 0, 128, 0, 16, False, 1, 0, "", 1000, *places),
        *(routines, routines if decrypts else (), None, None, r.Call(1, *places) if decrypts else None),
    )


def provisioned() -> bytes:
    """The fuses of a device that trusts the first root."""
    return fuses.provisioned(roots.trusted(signed_roots(1)))
