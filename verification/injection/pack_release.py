"""A device that runs a pack gives plaintext out with its tag only: as `injection.release`, but the firmware is what the
loader in C puts into the core, and the algorithm is what the pack says of it.

python -m injection.pack_release --engine cosim       of the configuration, which has to have `close`

With --one-image the pack has no image that decrypts only: plaintext has to be seen then, or the host looks at nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from injection.release import AAD, CIPHERS, EVERY, LIMIT, NONCE, TEXT, Message, SeenError, Watch, findings
from lutra.asm import Image
from lutra.firmware import aead, device, pack
from lutra.firmware.aead import WrongTagError
from lutra.firmware.device import Device
from lutra.firmware.device.session import DeviceSession
from lutra.isa import load
from lutra.iss.engine import EngineName, Stop
from power_loss.packs import private_key, signed_roots

VECTORS = Path(__file__).parents[2] / "tests/vectors"
ROOTS = signed_roots(1)


class WatchedDevice(Watch, DeviceSession):
    """A session on a device, watched."""

    def __init__(self, opened: Device, every: int) -> None:
        DeviceSession.__init__(self, opened)
        self.every = every


class OneImage(WatchedDevice):
    """A session whose host looks for the plaintext while the routine runs that decrypts, and after it."""

    def _call(self, image: Image, entry: str) -> Stop:
        if entry != self.entry:
            return super()._call(image, entry)
        self.engine.start(image.symbol(entry).value)
        for cycles in range(self.every, LIMIT, self.every):
            state = self.engine.go(cycles).state
            if self.engine.read("m3", 0, len(TEXT)) == TEXT:
                raise SeenError(f"plaintext in cycle {self.engine.stop().cycles}, before its tag is checked")
            if state != "running":
                break
        return self.engine.stop()


def built(one_image: bool) -> bytes:
    """Return the pack, signed. one_image: without those that decrypt only."""
    # With all key sizes, so that the pack has the address at which the routine of one ends.
    names = [name.replace("128", bits) for name in CIPHERS for bits in ("128", "192", "256")]
    settings = pack.read_settings(Path("aes"), version="1.0.0", algorithms=names, vectors=[VECTORS])
    if one_image:
        alone = tuple(replace(c, implementations=(c.default,)) for c in settings.algorithms)
        settings = replace(settings, algorithms=alone)
    return pack.encode(pack.signed(pack.build(settings), ROOTS, [private_key("pack 1")]))


def seen_with_one_image(opened: Device, name: str, every: int) -> Iterator[str]:
    """Yield where the host sees the plaintext of a message with a wrong tag."""
    session = OneImage(opened, every)
    cipher = session.catalogue.cipher(name)
    session.entry = cipher.default.entries["decrypt"].run
    wrong = bytearray(aead.encrypt(name, cipher.any_key, NONCE, TEXT, AAD))
    wrong[len(TEXT)] ^= 0x80
    session.set_up(cipher, "decrypt", cipher.any_key)
    try:
        aead.process(session, cipher, "decrypt", NONCE, bytes(wrong), AAD)
    except SeenError as error:
        yield str(error)
    except WrongTagError:
        return


def main() -> int:
    """1 where the host has seen what it must not, or has not seen what it must."""
    parser = argparse.ArgumentParser(
        prog="python -m injection.pack_release",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--engine", choices=tuple(EVERY), default="iss")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="leave out every N-th word (default: each)")
    parser.add_argument("--one-image", action="store_true", help="without the images that decrypt only")
    options = parser.parse_args()
    configuration = load().configuration
    if "close" not in configuration.extensions:
        parser.error(f"configuration {configuration.name} lacks extension close; choose one with lutra --configuration")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "device"
        device.create(folder, pack.roots.trusted(ROOTS))
        engine: EngineName = options.engine
        with device.opened(folder, engine) as opened:
            opened.update(built(options.one_image))
            failed = [_tried(opened, name, options) for name in CIPHERS]
            return int(any(failed))


def _tried(opened: Device, name: str, options: argparse.Namespace) -> bool:
    """Return whether an algorithm is other than it has to be, and print what was seen."""
    every = EVERY[options.engine]
    if options.one_image:
        found = list(seen_with_one_image(opened, name, every))
        print(f"{name}: {found[0] if found else 'nothing seen'}")
        return not found
    session = WatchedDevice(opened, every)
    message = Message(session.catalogue.cipher(name))
    found = list(findings(session, message, options.step))
    print(f"{name}: {len(message.words[:: options.step])} words left out, one by one: {len(found)} findings")
    for line in found:
        print(f"  {line}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
