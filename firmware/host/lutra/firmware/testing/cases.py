"""The runnable cases of a manifest: each direction of each implementation of a cipher."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lutra.firmware.ciphers import DIRECTIONS, Catalogue, Cipher, Direction, Entries, Implementation


@dataclass(frozen=True)
class Case:
    """One direction of one implementation of a cipher."""

    cipher: Cipher
    implementation: Implementation
    direction: Direction

    def __str__(self) -> str:
        return f"{self.cipher.name}-{self.implementation.image.name}-{self.direction}"

    @property
    def entries(self) -> Entries:
        return self.implementation.entries[self.direction]

    @property
    def is_repeated(self) -> bool:
        """Whether it decrypts by the very routines that encrypt: what runs is the same."""
        return self.direction != DIRECTIONS[0] and self.entries == self.implementation.entries.get(DIRECTIONS[0])

    @property
    def set_up(self) -> tuple[str, ...]:
        """Names of the routines that run before the jobs of a message, in the order in which they run."""
        e = self.entries
        return tuple(dict.fromkeys(name for name in (e.key_tables, e.key, e.tables, e.start) if name))

    @property
    def of_key(self) -> tuple[str, ...]:
        """Routines of `set_up` that read only the key, in all modes."""
        return tuple(name for name in self.set_up if name != self.entries.start)

    @property
    def jobs(self) -> tuple[str, ...]:
        """Names of the routines that process the data of a message; a wrapped key is not checked."""
        others = dict(self.entries.others)
        if self.cipher.wraps_keys and self.direction == "encrypt":
            del others["check"]
        return (self.entries.run, *others.values())

    @property
    def verdict(self) -> str:
        """The routine that tells the host whether a tag matches, which is not a secret; empty without one."""
        role = "finish" if self.cipher.is_aead else "check" if self.cipher.wraps_keys else ""
        return self.entries.others[role] if role and self.direction == "decrypt" else ""


def cases(catalogue: Catalogue) -> Iterator[Case]:
    """Every case of a catalogue, in its order."""
    for cipher in catalogue.ciphers:
        for implementation in cipher.implementations:
            for direction in implementation.entries:
                yield Case(cipher, implementation, direction)
