"""Errors of packets."""

from __future__ import annotations

from lutra.firmware.errors import InputError


class PacketError(InputError):
    """A packet, a capture or a security association that is wrong."""
