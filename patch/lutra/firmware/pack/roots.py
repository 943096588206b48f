"""Roots: the keys that may sign packs, and the keys that may change them.

A root has the keys of two roles. The next one is signed by the root keys of both, so that keys come and go without a
new device; a key that a root does not name any more is revoked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lutra.asm.errors import plural
from lutra.firmware.pack import keys
from lutra.firmware.pack.cbor import place
from lutra.firmware.pack.errors import FlawedKeyError, PackError
from lutra.firmware.pack.format import ROOT, ROOTS, digest, read
from lutra.firmware.pack.records import ROOTS as MOST_ROOTS
from lutra.firmware.pack.records import SIGNATURES, Role, Root, Signature, SignedRoot
from lutra.firmware.pack.schema import within

Roots = tuple[SignedRoot, ...]


def role(called: str, public_keys: Collection[bytes], threshold: int) -> Role:
    """A role of some keys. called: `root keys` or `pack keys`. PackError where these cannot reach the threshold,
    or not every one of them takes a secret of its own."""
    if not 1 <= len(public_keys) <= SIGNATURES:
        raise PackError(f"a root has 1 to {SIGNATURES} {called}, not {len(public_keys)}")
    if len(set(public_keys)) < len(public_keys):
        raise PackError(f"one of the {called} is given twice")
    if found := keys.flaw(tuple(public_keys)):
        raise FlawedKeyError(f"{called}: {found}")
    if not 1 <= threshold <= len(public_keys):
        raise PackError(f"{called}: the threshold must be 1 to {len(public_keys)}, the number of keys, not {threshold}")
    return Role(threshold, tuple(sorted(public_keys)))


def create(root_keys: Role, pack_keys: Role) -> Roots:
    """Return the first root, not signed yet."""
    return (SignedRoot(ROOT.write(Root(1, root_keys, pack_keys))),)


def rotate(roots: Roots, root_keys: Role, pack_keys: Role) -> Roots:
    """Append a root, not signed yet. Raises PackError if the earlier ones are not signed by enough keys."""
    chain(roots)
    if len(roots) == MOST_ROOTS:
        raise PackError(f"there are already {MOST_ROOTS} roots, the most that a device has fuses for")
    return (*roots, SignedRoot(ROOT.write(Root(len(roots) + 1, root_keys, pack_keys))))


def sign(roots: Roots, key: Ed25519PrivateKey) -> Roots:
    """Sign the last root with a root key of its own or of the previous version. Raises PackError for another key."""
    *before, last = roots
    own = added(last.by_own, opened(last).root_keys, key, keys.ROOT, last.root)
    previous = None
    if before:
        previous = added(last.by_previous, opened(before[-1]).root_keys, key, keys.ROOT, last.root)
    if own is None and previous is None:
        either = " or of the one before" if before else ""
        raise PackError(f"the key {keys.public(key).hex()[:16]} is not a root key of the last root{either}")
    by_own = last.by_own if own is None else own
    by_previous = last.by_previous if previous is None else previous
    return (*before, replace(last, by_own=by_own, by_previous=by_previous))


def added(
    signatures: tuple[Signature, ...], known: Role, key: Ed25519PrivateKey, purpose: bytes, data: bytes
) -> tuple[Signature, ...] | None:
    """Signatures of a role with one more; None where the role does not have the key."""
    public = keys.public(key)
    if public not in known.keys:
        return None
    index = known.keys.index(public)
    others = {s.key: s for s in signatures}
    others[index] = Signature(index, keys.sign(key, purpose, data))
    return tuple(others[n] for n in sorted(others))


def chain(roots: Sequence[SignedRoot], first: int = 0) -> tuple[Root, ...]:
    """The roots from a trusted one on, each signed by enough keys of its own and of the one before. PackError with the
    place otherwise.

    first: the index of the root that is trusted. Nothing before it is looked at.
    """
    found: list[Root] = []
    for n, signed in enumerate(roots[first:], first):
        with within(f"roots[{n}]"):
            root = opened(signed)
            if root.version != n + 1:
                raise PackError(f"expected version {n + 1}, found {root.version}", place(signed.root), "root.version")
            if found:
                with within("by_previous"):
                    enough(found[-1].root_keys, signed.by_previous, keys.ROOT, signed.root)
            elif n == 0 and signed.by_previous:
                raise PackError(
                    "expected no signatures, since there is no previous root", place(signed.root), "by_previous"
                )
            with within("by_own"):
                enough(root.root_keys, signed.by_own, keys.ROOT, signed.root)
        found.append(root)
    return tuple(found)


def enough(role: Role, signatures: Sequence[Signature], purpose: bytes, data: bytes) -> None:
    """Raise PackError if a signature is wrong, if its key is not of the role, or if there are fewer than required."""
    for n, given in enumerate(signatures):
        at = place(given.signature)
        with within(f"[{n}]"):
            if given.key >= len(role.keys):
                raise PackError(f"expected one of {len(role.keys)} keys of the root, found number {given.key}", at)
            if not keys.is_signed(role.keys[given.key], given.signature, purpose, data):
                raise PackError(f"the signature does not match the key {role.keys[given.key].hex()[:16]}", at)
    if len(signatures) < role.threshold:
        raise PackError(f"expected {plural(role.threshold, 'signature')} or more, found {len(signatures)}", place(data))


def opened(signed: SignedRoot) -> Root:
    """Return the signed bytes. Raises PackError if they do not follow the schema."""
    with within("root"):
        found: Root = read(ROOT, signed.root)
    return found


def encode(roots: Roots) -> bytes:
    """A file of roots."""
    return ROOTS.write(roots)


def decode(data: bytes) -> Roots:
    """The roots of a file, whose signatures are not checked yet. PackError with the place where it is none, or where
    keys of a root do not take a secret each."""
    found: Roots = read(ROOTS, data)
    check_keys(found)
    return found


def check_keys(roots: Sequence[SignedRoot], first: int = 0) -> None:
    """FlawedKeyError where a role of a root, from the one with index `first` on, has keys of one secret, or of none."""
    for n, signed in enumerate(roots[first:], first):
        root = opened(signed)
        for name, role in (("root_keys", root.root_keys), ("pack_keys", root.pack_keys)):
            if found := keys.flaw(role.keys):
                raise FlawedKeyError(found, place(signed.root), f"roots[{n}].root.{name}")


def trusted(roots: Roots) -> bytes:
    """The digest of the last root, which a device has in its fuses. PackError where it is not signed by enough keys."""
    chain(roots)
    return digest(roots[-1].root)
