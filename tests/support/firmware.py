"""Every implementation that a manifest offers, in each direction."""

from __future__ import annotations

from dataclasses import dataclass

from lutra.firmware.manifest import Cipher, Direction, Implementation, catalogue


@dataclass(frozen=True)
class Case:
    """One direction of one implementation of a cipher."""

    cipher: Cipher
    implementation: Implementation
    direction: Direction

    def __str__(self) -> str:
        return f"{self.cipher.name}-{self.implementation.image.name}-{self.direction}"


IMPLEMENTATIONS = [
    Case(cipher, implementation, direction)
    for cipher in catalogue().ciphers
    for implementation in cipher.implementations
    for direction in implementation.entries
]
