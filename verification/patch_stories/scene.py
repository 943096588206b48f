"""Scene of a story: a vendor's keys, a device in a folder, and firmware that becomes packs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lutra.firmware import device, kat, pack
from lutra.firmware.ciphers import Catalogue, Direction
from lutra.firmware.device.fuses import SIZE as FUSE_BYTES
from lutra.firmware.device.session import DeviceSession, process
from lutra.firmware.manifest import SOURCES, catalogue_with
from lutra.firmware.pack import keys, roots
from lutra.firmware.published import VECTORS
from lutra.firmware.request import Request
from lutra.iss.engine import EngineName


class StoryError(Exception):
    """A story that went another way than it is told."""


@dataclass(frozen=True)
class Vendor:
    """Signing keys: two of three root keys, and two of three pack keys."""

    root_keys: tuple[Ed25519PrivateKey, ...]
    pack_keys: tuple[Ed25519PrivateKey, ...]
    roots: roots.Roots

    @classmethod
    def new(cls) -> Vendor:
        """With keys of its own and a first root."""
        root_keys, pack_keys = (tuple(Ed25519PrivateKey.generate() for _ in range(3)) for _ in range(2))
        chain = roots.create(
            roots.role("root keys", [keys.public(k) for k in root_keys], 2),
            roots.role("pack keys", [keys.public(k) for k in pack_keys], 2),
        )
        for key in root_keys[:2]:
            chain = roots.sign(chain, key)
        return cls(root_keys, pack_keys, chain)

    def signed(self, unsigned: pack.Pack) -> bytes:
        """A pack's file with the signatures of two."""
        return pack.encode(pack.signed(unsigned, self.roots, self.pack_keys[:2]))


class Scene:
    """A device that trusts a vendor, and what is told of it.

    tell: gets a line for each step.
    """

    def __init__(self, folder: Path, engine: EngineName, tell: Callable[[str], None]) -> None:
        self.vendor = Vendor.new()
        self.tell = tell
        self.path = folder / "device"
        self._engine = engine
        device.create(self.path, roots.trusted(self.vendor.roots), device.Description(engine=engine))

    # ------------------------------------------------------------------ packs

    def build(self, firmware: str, name: str, version: str, counter: int, algorithms: Sequence[str] = ()) -> pack.Pack:
        """A pack of a firmware folder, not signed yet."""
        return pack.build(
            pack.read_settings(SOURCES / firmware, name, version, counter, algorithms, list(_files(firmware)))
        )

    def install(self, unsigned: pack.Pack) -> None:
        """Sign a pack and bring it to the device, which takes it."""
        with device.opened(self.path) as it:
            it.update(self.vendor.signed(unsigned), title(unsigned), tell=lambda line: self.tell(f"  {line}"))

    def refused(self, unsigned: pack.Pack, result: str) -> None:
        """Sign a pack and bring it to the device, which refuses it for this reason and runs on as before."""
        with device.opened(self.path) as it:
            before = _firmware(it)
            try:
                it.update(self.vendor.signed(unsigned), title(unsigned))
            except device.LoaderError as error:
                self.check(error.error.result.name == result, f"refused: {error}")
            else:
                raise StoryError(f"{title(unsigned)} was taken")
            self.check(_firmware(it) == before, "the device runs on as before")

    # ------------------------------------------------------------------ jobs

    def crypt(self, algorithm: str, key: bytes, iv: bytes, data: bytes, direction: Direction = "encrypt") -> bytes:
        """A message through the device."""
        with device.opened(self.path) as it:
            session = DeviceSession(it)
            cipher = session.catalogue.cipher(algorithm)
            return process(session, Request(cipher, direction, key, iv), data)

    def known_answers(self, firmware: str) -> None:
        """All known answers of a cipher that the project has, through the device."""
        own = catalogue_with([SOURCES / firmware / "firmware.toml"]).own
        with device.opened(self.path) as it:
            session = DeviceSession(it)
            vectors = {cipher.name: cipher.vectors for cipher in own}
            served = Catalogue(
                tuple(replace(c, vectors=vectors[c.name]) for c in session.catalogue.ciphers if c.name in vectors)
            )
            tests = [test for file in _files(firmware) for test in kat.read(file, served)]
            report = kat.run(session, served, [t for t in tests if isinstance(t, kat.Vector)])
        ran = [o for o in report.outcomes if o.verdict != "skipped"]
        wrong = [o for o in ran if o.verdict == "failed"]
        self.check(bool(ran) and not wrong, f"{len(ran)} published answers come out of the device")

    def check(self, holds: bool, what: str) -> None:
        """Tell what holds; StoryError where it does not."""
        if not holds:
            raise StoryError(f"not so: {what}")
        self.tell(f"  {what}")


def _firmware(it: device.Device) -> tuple[object, ...]:
    """State that a refused pack must not change: the boot choice, its bytes, the fuses."""
    primary = it.status().primary
    return primary, primary is not None and it.pack(primary), it.folder.fuses.read(0, FUSE_BYTES)


def title(unsigned: pack.Pack) -> str:
    """Name of a pack."""
    manifest = pack.manifest_of(unsigned)
    return f"{manifest.name} {manifest.version}"


def _files(firmware: str) -> Iterator[Path]:
    """Vector files of a firmware folder, and of the examples of the standards all: what is not served is left out."""
    yield from sorted((SOURCES / firmware).glob("*.vectors.json"))
    yield from kat.files([VECTORS])
