"""Packs: signed firmware in one file, as docs/pack-format.md describes it.

settings = pack.read_settings(Path("firmware/zuc"), version="1.5.0")
unsigned = pack.build(settings)
roots = pack.roots.decode(Path("vendor.roots").read_bytes())
data = pack.encode(pack.signed(unsigned, roots, [key]))
contents = pack.verify(data, pack.roots.trusted(roots))
outcomes = pack.run(contents, lutra.make_engine("iss"))
"""

from lutra.firmware.pack import keys, roots
from lutra.firmware.pack.build import build, unanswered
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.format import contents, decode, digest, encode, manifest_of
from lutra.firmware.pack.opened import catalogue
from lutra.firmware.pack.records import (
    Algorithm,
    Answer,
    Compare,
    Contents,
    Core,
    Manifest,
    Pack,
    PackVersion,
    Part,
    Proof,
    Region,
    Role,
    Root,
    Run,
    Segment,
    Signature,
    SignedRoot,
    Write,
)
from lutra.firmware.pack.runner import Outcome, run
from lutra.firmware.pack.settings import LeftOut, Settings
from lutra.firmware.pack.settings import read as read_settings
from lutra.firmware.pack.signing import signed
from lutra.firmware.pack.verify import verify
from lutra.iss.places import Place

__all__ = [
    "Algorithm",
    "Answer",
    "Compare",
    "Contents",
    "Core",
    "LeftOut",
    "Manifest",
    "Outcome",
    "Pack",
    "PackError",
    "PackVersion",
    "Part",
    "Place",
    "Proof",
    "Region",
    "Role",
    "Root",
    "Run",
    "Segment",
    "Settings",
    "Signature",
    "SignedRoot",
    "Write",
    "build",
    "catalogue",
    "contents",
    "decode",
    "digest",
    "encode",
    "keys",
    "manifest_of",
    "read_settings",
    "roots",
    "run",
    "signed",
    "unanswered",
    "verify",
]
