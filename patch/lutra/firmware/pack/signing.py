"""Signatures of packs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lutra.firmware.pack import keys
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.records import Pack, Role, Signature
from lutra.firmware.pack.roots import Roots, added, chain, opened


def signed(pack: Pack, roots: Roots, private_keys: Sequence[Ed25519PrivateKey]) -> Pack:
    """The pack with these roots, and with one more signature for each key.

    Signatures that it has stay where the last root names their keys. PackError for a key that this does not name, and
    for roots that are not signed by enough keys.
    """
    role = chain(roots)[-1].pack_keys
    signatures = _kept(pack, role)
    for key in private_keys:
        more = added(signatures, role, key, keys.PACK, pack.manifest)
        if more is None:
            raise PackError(
                f"the key {keys.public(key).hex()[:16]} is not a pack key of root {len(roots)}, the last one"
            )
        signatures = more
    return replace(pack, roots=roots, signatures=signatures)


def _kept(pack: Pack, role: Role) -> tuple[Signature, ...]:
    """The signatures of a pack as those of another root's role."""
    if not pack.roots:
        return ()
    known = opened(pack.roots[-1]).pack_keys.keys
    by = {known[s.key]: s.signature for s in pack.signatures if s.key < len(known)}
    return tuple(Signature(n, by[key]) for n, key in enumerate(role.keys) if key in by)
