"""Claims about the algorithms of the catalogue, and what comes of them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal

from lutra.asm import Image
from lutra.firmware.ciphers import Catalogue, Cipher, Direction, Implementation
from lutra.firmware.manifest import assembled
from lutra.isa import load
from lutra.prove import atoms
from lutra.prove.counterexample import Counterexample, search
from lutra.prove.entries import Firmware, Symbol
from lutra.prove.errors import Exceeded, Refuted, Unprovable, told
from lutra.prove.goal import Goal
from lutra.prove.registry import OPEN, digest, own, specification

State = Literal["proved", "refuted", "open"]
BLOCKS, BANKS = load().machine["MemoryBlocks"], load().machine["TableBanks"]
# What every proof takes for granted.
ASSUMED = (
    "the host calls the routines in their order, with whole parameters and lengths that fit a job",
    "nothing else changes the memories between them",
)


@dataclass(frozen=True)
class Claim:
    """An algorithm in one direction, by one of its implementations, is what its specification says."""

    cipher: Cipher
    direction: Direction
    implementation: Implementation

    @property
    def name(self) -> str:
        """As it is listed."""
        image = self.implementation.image.name
        shown = "" if self.implementation is self.cipher.default else f" ({image})"
        return f"{self.cipher.name} {self.direction}{shown}"

    @property
    def specified(self) -> bool:
        """Whether there is a specification."""
        return specification(self.cipher, self.direction) is not None


@dataclass(frozen=True)
class Outcome:
    """The result of a claim. reason: why it is refuted or open. image: hash of what was proved."""

    claim: Claim
    state: State
    reason: str
    seconds: float
    image: str
    counterexample: Counterexample | None = None

    def as_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "algorithm": self.claim.cipher.name,
            "direction": self.claim.direction,
            "image": self.claim.implementation.image.name,
            "state": self.state,
            "reason": self.reason,
            "seconds": round(self.seconds, 2),
            "sha256": self.image,
            "specification": digest(self.claim.cipher).hex(),
            "counterexample": self.counterexample and self.counterexample.as_json(),
        }

    def message(self) -> dict[str, str | int]:
        """The counterexample as a file that `lutra debug --counterexample` reads."""
        assert self.counterexample is not None
        texts = {name: getattr(self.counterexample, name).hex() for name in ("key", "iv", "aad", "data", "expected")}
        claim = self.claim
        about: dict[str, str | int] = {"algorithm": claim.cipher.name, "direction": claim.direction}
        about |= {"image": claim.implementation.image.name, "manifest": str(claim.cipher.manifest)}
        return about | texts | {"tag_bits": 8 * self.counterexample.tag_bytes}


def claims(ciphers: Sequence[Cipher]) -> Iterator[Claim]:
    """Yield one claim for each direction and implementation."""
    for cipher in ciphers:
        for implementation in cipher.implementations:
            for direction in implementation.entries:
                yield Claim(cipher, direction, implementation)


@dataclass(frozen=True)
class Folder:
    """A folder of firmware: how many claims there are, and how many have a specification; reason: why not all."""

    name: str
    specified: int
    claims: int
    reason: str


def coverage(ciphers: Sequence[Cipher]) -> list[Folder]:
    """Return what has a specification, folder by folder. Raises SpecificationError."""
    found: dict[str, list[bool]] = {}
    for claim in claims(ciphers):
        found.setdefault(claim.cipher.manifest.parent.name, []).append(claim.specified)
    return [Folder(name, sum(have), len(have), OPEN.get(name, "")) for name, have in sorted(found.items())]


def check(
    claim: Claim,
    hold: Callable[[], AbstractContextManager[None]] = nullcontext,
    kept: list[object] | None = None,
) -> Outcome:
    """Try to prove a claim; where that fails, look for a counterexample. Raises SpecificationError.

    hold: limits of the proof, without the search. kept: where a proof is kept instead of freed, which takes up to a
    tenth of its time; for a process that ends.
    """
    began = time.process_time()
    image = assembled(claim.implementation.image)
    spec = specification(claim.cipher, claim.direction)
    state: State = "open"
    reason = ""
    found: Counterexample | None = None
    if spec is None:
        reason = "no specification yet"
    else:
        with told(own(claim.cipher)):
            try:
                with hold(), atoms.fresh() as made:
                    goal = Goal(firmware(claim, image), spec)
                    goal.prove()
                    if kept is not None:
                        kept += [made, goal]
                state = "proved"
            except Refuted as error:
                state, reason = "refuted", str(error)
            except (Unprovable, Exceeded) as error:
                reason = str(error)
            if state != "proved":
                sealed = claim.cipher.is_aead or claim.cipher.kind.wrap is not None
                encryption = specification(claim.cipher, "encrypt") if sealed else None
                found = search(claim.cipher, claim.direction, claim.implementation, spec, encryption)
                if found is not None:
                    state, reason = "refuted", f"{found.summary}; the proof ends with: {reason}"
    return Outcome(claim, state, reason, time.process_time() - began, _hash(image), found)


def stopped(claim: Claim, reason: str) -> Outcome:
    """The outcome of a claim that nothing was found out about."""
    return Outcome(claim, "open", reason, 0.0, _hash(assembled(claim.implementation.image)))


def firmware(claim: Claim, image: Image) -> Firmware:
    """Return what is proved: the words of an image, and where the host finds things."""
    source, entries = claim.implementation.image, claim.implementation.entries[claim.direction]
    parameters = source.parameters

    def entry(name: str) -> int:
        return image.symbol(name).value

    def symbol(name: str) -> Symbol | None:
        if not name:
            return None
        found = image.symbol(name)
        return Symbol(load().space_by_name[found.space].blocks[0], found.value)

    length = symbol(parameters.length)
    assert length is not None
    # The routine that opens memories after a tag says so only of a right one.
    says = [entries.key, entries.start, entries.run, *(r for name, r in entries.others.items() if name != "open")]
    spaces = {s.name: s for s in load().spaces}
    parts = [(spaces[name], segment) for name, segments in image.memory.items() for segment in segments]
    return Firmware(
        program=image.program,
        memory={n: [segment for space, segment in parts if n in space.blocks] for n in range(BLOCKS)},
        banks={n: [segment for space, segment in parts if n in space.banks] for n in range(BANKS)},
        set_up=[entry(name) for name in (entries.key_tables, entries.key, entries.tables) if name],
        start=entry(entries.start) if entries.start else None,
        others={name: entry(routine) for name, routine in entries.others.items() if routine},
        run=entry(entries.run),
        key=symbol(parameters.key),
        iv=symbol(parameters.iv),
        length=length,
        tables=claim.cipher.host_tables,
        offset=source.offset,
        job_bytes=source.job_bytes,
        key_again=symbol(parameters.key_again),
        iv_again=symbol(parameters.iv_again if any(s.name == parameters.iv_again for s in image.symbols) else ""),
        asked=symbol(parameters.asked),
        done=symbol(parameters.done),
        answer=frozenset(entry(name) for name in says if name),
    )


def _hash(image: Image) -> str:
    """Hash all that an image puts into the machine."""
    out = hashlib.sha256(b"".join(word.to_bytes(8, "little") for word in image.program))
    for space, parts in sorted(image.memory.items()):
        for at, data in parts:
            out.update(f"{space}@{at}:{len(data)}:".encode() + data)
    return out.hexdigest()


def named(known: Catalogue, names: Sequence[str]) -> list[Cipher]:
    """The algorithms of these names, or all. FirmwareError where there is none of a name."""
    return [known.cipher(name) for name in names] if names else list(known.listed)
