"""The stories, in the order of their years."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from lutra.firmware import pack
from lutra.firmware.manifest import SOURCES
from lutra.firmware.pack.format import MANIFEST
from patch_stories.scene import Scene, StoryError

ZEROS = bytes(32)
# Not a multiple of any block, and longer than a job.
DATA = hashlib.shake_256(b"lutra").digest(5_003)

# S0 and S1 of 0 to 3, entry by entry (TS 35.222 tables 3.1 and 3.2).
SBOX = bytes.fromhex("3e5572c25b634771")


def zuc(scene: Scene) -> None:
    """ZUC 1.4 gives two IVs one keystream (2010); 1.5 does not."""
    scene.tell("The device is made with ZUC 1.4")
    scene.install(scene.build("withdrawn/zuc14", "zuc", "1.4.0", 1))
    first, second = json.loads((SOURCES / "withdrawn/zuc14/zuc14.vectors.json").read_text())["tests"][:2]
    key, ivs = bytes.fromhex(first["key"]), [bytes.fromhex(test["iv"]) for test in (first, second)]
    streams = [scene.crypt("zuc14-128", key, iv, ZEROS) for iv in ivs]
    scene.check(ivs[0] != ivs[1] and streams[0] == streams[1], f"two IVs, one keystream: {streams[0].hex()[:16]}...")

    scene.tell("ZUC 1.5 comes as a pack, on the same core")
    scene.install(scene.build("zuc", "zuc", "1.5.0", 2))
    streams = [scene.crypt("zuc-128", key, iv, ZEROS) for iv in ivs]
    scene.check(streams[0] != streams[1], f"now they differ: {streams[0].hex()[:16]}..., {streams[1].hex()[:16]}...")
    scene.known_answers("zuc")


def snow(scene: Scene) -> None:
    """SNOW 1.0 (2000) was broken by guess-and-determine and distinguishing attacks; 2.0 (2002), then 3G (2006)."""
    scene.tell("The device is made with SNOW 1.0")
    scene.install(scene.build("snow1", "snow", "1.0.0", 1))
    scene.known_answers("snow1")
    scene.tell("SNOW 2.0 comes as a pack")
    scene.install(scene.build("snow3g", "snow", "2.0.0", 2, ["snow2-128", "snow2-256"]))
    scene.known_answers("snow3g")
    scene.tell("SNOW 3G comes as a pack")
    scene.install(scene.build("snow3g", "snow", "3.0.0", 2))
    scene.known_answers("snow3g")


def rc4(scene: Scene) -> None:
    """RC4 may not be used any more (RFC 7465, 2015); ChaCha20 takes its place."""
    key = hashlib.sha256(b"rc4").digest()
    scene.tell("The device is made with RC4")
    scene.install(scene.build("rc4", "stream", "1.0.0", 1))
    expected = Cipher(ARC4(key[:16]), None).encryptor().update(DATA)
    scene.check(scene.crypt("rc4-128", key[:16], b"", DATA) == expected, "RC4 is the independent library's")
    scene.tell("ChaCha20 comes as a pack")
    scene.install(scene.build("chacha20", "stream", "2.0.0", 2))
    counter_and_nonce = bytes(4) + key[:12]
    expected = Cipher(algorithms.ChaCha20(key, counter_and_nonce), None).encryptor().update(DATA)
    scene.check(scene.crypt("chacha20", key, counter_and_nonce, DATA) == expected, "so is ChaCha20")
    scene.known_answers("chacha20")


def younger(scene: Scene) -> None:
    """Ciphers that came after the core's own: SM4 as a standard of ISO (2021), ZUC-256 (2018), Ascon (2025)."""
    for firmware, version in (("sm4", "1.0.0"), ("zuc256", "1.0.0"), ("ascon", "1.0.0")):
        scene.tell(f"{firmware} comes as a pack")
        scene.install(scene.build(firmware, firmware, version, 1))
        scene.known_answers(firmware)


def broken(scene: Scene) -> None:
    """A patch that is wrong itself is refused, as is one that undoes another; the next one repairs it."""
    scene.tell("The device runs ZUC 1.5")
    scene.install(scene.build("zuc", "zuc", "1.5.0", 2))
    scene.tell("ZUC 1.5.1 has a wrong entry in an S-box, and everybody has signed it")
    scene.refused(_with_wrong_sbox(scene.build("zuc", "zuc", "1.5.1", 3)), "ANSWER")
    scene.known_answers("zuc")
    scene.tell("ZUC 1.4 was signed too, once")
    scene.refused(scene.build("withdrawn/zuc14", "zuc", "1.4.0", 1), "COUNTER")
    scene.tell("ZUC 1.5.2 has the right S-box")
    scene.install(scene.build("zuc", "zuc", "1.5.2", 3))
    scene.known_answers("zuc")


def _with_wrong_sbox(unsigned: pack.Pack) -> pack.Pack:
    """The pack with one bit of S0(0) changed in its first image, and with that image's digest."""
    image = unsigned.parts[0].replace(SBOX, bytes([SBOX[0] ^ 1]) + SBOX[1:])
    if image == unsigned.parts[0]:
        raise StoryError("the image does not have the S-box")
    manifest = pack.manifest_of(unsigned)
    part = replace(manifest.parts[0], digest=pack.digest(image))
    manifest = replace(manifest, parts=(part, *manifest.parts[1:]))
    return replace(unsigned, manifest=MANIFEST.write(manifest), parts=(image, *unsigned.parts[1:]))


STORIES: Mapping[str, Callable[[Scene], None]] = {s.__name__: s for s in (snow, zuc, rc4, younger, broken)}
