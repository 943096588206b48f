"""Check everything in a pack that can be checked without a device, in the order of docs/pack-format.md.

The keys of its roots, which a device takes as they are, come last.
"""

from __future__ import annotations

from dataclasses import fields

from lutra.firmware.pack import format as layout
from lutra.firmware.pack import keys, roots
from lutra.firmware.pack.cbor import place
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.records import Algorithm, Answer, Contents, Core, Manifest, Pack, Region, Run, Segment
from lutra.firmware.pack.schema import within
from lutra.firmware.pack.space import core_here, size
from lutra.isa import load


def verify(data: bytes, trusted: bytes, core: Core | None = None) -> Contents:
    """Return the contents of a pack that a device would accept. Raises PackError with the first error and its place.

    trusted: the digest of the root that the device's fuses hold. core: that of the device; default: as built here.
    """
    pack = layout.decode(data)
    first = authenticate(pack, trusted)
    manifest = layout.manifest_of(pack)
    has = core or core_here()
    fits(manifest, has, place(pack.manifest))
    contents = layout.contents(pack)
    bounds(contents, has, place(pack.manifest), [place(part) for part in pack.parts])
    roots.check_keys(pack.roots, first)
    return contents


def authenticate(pack: Pack, trusted: bytes) -> int:
    """The index of the trusted root. PackError where the roots from there on do not lead to enough signatures of the
    manifest."""
    if not pack.roots:
        raise PackError("the pack has no roots: it is not signed", place(pack.manifest), "roots")
    digests = [layout.digest(signed.root) for signed in pack.roots]
    if trusted not in digests:
        at = place(pack.roots[-1].root)
        raise PackError(f"none has the digest {trusted.hex()} of the trusted root", at, "roots")
    first = digests.index(trusted)
    last = roots.chain(pack.roots, first)[-1]
    with within("signatures"):
        roots.enough(last.pack_keys, pack.signatures, keys.PACK, pack.manifest)
    return first


def fits(manifest: Manifest, core: Core, at: int) -> None:
    """PackError where the firmware is for another instruction set or another core; at: of the manifest."""
    have = load().version
    if not have.runs(manifest.isa):
        raise PackError(f"is for instruction set {manifest.isa}, but this Lutra has {have}", at, "manifest.isa")
    for name in (field.name for field in fields(Core)):
        least, has = getattr(manifest.core, name), getattr(core, name)
        if least > has:
            raise PackError(f"needs {least}, but the core has {has}", at, f"manifest.core.{name}")


def bounds(contents: Contents, core: Core, manifest_at: int, at: list[int]) -> None:
    """Raise PackError if something is outside the memories, or outside the map of its image.

    manifest_at, at: offsets of manifest and parts in the file.
    """
    manifest = contents.manifest
    for algorithm in manifest.algorithms:
        _check_algorithm(algorithm, core, manifest_at)
    for n, (part, image) in enumerate(zip(manifest.images, contents.images, strict=True)):
        for m, region in enumerate(part.map):
            _inside(region, core, manifest_at, f"manifest.parts[{n}].map[{m}]")
        regions = {region.space: region for region in part.map}
        for m, segment in enumerate(image):
            if not _within(segment, regions.get(segment.space)):
                text = f"{len(segment.data)} bytes at {segment.space}@{segment.offset:#x} are not within the map"
                raise PackError(text, place(segment.data), f"parts[{n}][{m}]")
    for n, answer in enumerate(contents.answers):
        _check_answer(answer, f"parts[{len(contents.images)}][{n}]", len(contents.images), core, at[-1])


def _check_algorithm(algorithm: Algorithm, core: Core, at: int) -> None:
    path = f"manifest.algorithms: {algorithm.name}"
    for call in algorithm.calls:
        for where in (call.key, call.iv, call.length, call.input, call.output):
            if where is not None:
                _inside(Region(where.space, where.offset, 1), core, at, path)
    for routines in algorithm.routines.values():
        for role, entry in routines.items():
            _check_entry(entry, core, at, f"{path}: {role}")


def _check_answer(answer: Answer, path: str, images: int, core: Core, at: int) -> None:
    if answer.image >= images:
        raise PackError(f"expected one of {images} images, found number {answer.image}", at, f"{path}.image")
    for m, step in enumerate(answer.steps):
        where = f"{path}.steps[{m}]"
        if isinstance(step, Run):
            _check_entry(step.entry, core, at, where)
        else:
            _inside(Region(step.space, step.offset, len(step.data)), core, place(step.data), where)


def _check_entry(entry: int, core: Core, at: int, path: str) -> None:
    if entry >= core.program_words:
        raise PackError(f"entry {entry:#x} is beyond the {core.program_words} words of the program memory", at, path)


def _inside(region: Region, core: Core, at: int, path: str) -> None:
    if region.first + region.size > (most := size(region.space, core)):
        text = f"{region.size} bytes at {region.space}@{region.first:#x} do not fit; {region.space} has {most:#x}"
        raise PackError(text, at, path)


def _within(segment: Segment, region: Region | None) -> bool:
    if region is None:
        return False
    end = region.first + region.size
    return region.first <= segment.offset and segment.offset + len(segment.data) <= end
