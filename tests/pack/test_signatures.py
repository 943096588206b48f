"""A pack is taken from those only who may sign it, and only as they have signed it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lutra.firmware import pack
from lutra.firmware.pack import format as layout
from lutra.firmware.pack import keys, roots
from lutra.isa import Version, load
from support import small_pack as packs

MADE = packs.small()
DATA = pack.encode(MADE)
TRUSTED = roots.trusted(MADE.roots)


def refused(made: pack.Pack, trusted: bytes = TRUSTED) -> str:
    """Why a pack is not taken."""
    with pytest.raises(pack.PackError) as found:
        pack.verify(pack.encode(made), trusted)
    assert "\n" not in str(found.value)
    assert found.value.offset is not None
    return found.value.path + ": " + found.value.text


def test_a_pack_that_is_signed_is_taken() -> None:
    contents = pack.verify(DATA, TRUSTED)
    assert contents.manifest.name == "mole"
    assert [answer.name for answer in contents.answers] == ["xor"]


def test_every_single_bit_counts() -> None:
    for at in range(len(DATA)):
        for bit in range(8):
            changed = bytearray(DATA)
            changed[at] ^= 1 << bit
            with pytest.raises(pack.PackError) as found:
                pack.verify(bytes(changed), TRUSTED)
            assert found.value.offset is not None


def three_roots() -> pack.Pack:
    """A pack of three roots, with signatures beyond the thresholds."""
    chain = packs.made_roots(("a", "b"))
    for names in ("abc", "cd"):
        chain = roots.rotate(chain, packs.role(*names[-2:]), packs.role("pack"))
        for name in names:
            chain = roots.sign(chain, packs.key(name))
    return pack.signed(MADE, chain, [packs.key("pack")])


@pytest.mark.parametrize("first", range(3))
def test_every_bit_counts_from_the_trusted_root_on(first: int) -> None:
    made = three_roots()
    root = made.roots[first]
    data, trusted = pack.encode(made), layout.digest(root.root)
    begin = data.index(root.root)
    by_previous = begin + len(root.root)
    by_own = by_previous + len(layout.SIGNATURES.write(root.by_previous))
    pack.verify(data, trusted)
    for at in (*range(begin, by_previous), *range(by_own, data.index(made.manifest))):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        with pytest.raises(pack.PackError):
            pack.verify(bytes(changed), trusted)


def test_what_comes_before_the_trusted_root_is_not_looked_at() -> None:
    """Nothing follows from it, and anybody can put there what takes long to check."""
    made = three_roots()
    trusted = layout.digest(made.roots[2].root)
    forged = tuple(pack.SignedRoot(b"", by_own=made.roots[0].by_own) for _ in range(2))
    foreign = replace(made.roots[2], by_previous=made.roots[0].by_own)
    pack.verify(pack.encode(replace(made, roots=(*forged, foreign))), trusted)
    with pytest.raises(pack.PackError, match=r"roots\[1\]"):
        pack.verify(
            pack.encode(replace(made, roots=(made.roots[0], forged[1], foreign))), layout.digest(made.roots[0].root)
        )


def test_a_pack_that_is_cut_or_longer_is_refused() -> None:
    for size in range(len(DATA)):
        with pytest.raises(pack.PackError):
            pack.verify(DATA[:size], TRUSTED)
    with pytest.raises(pack.PackError, match="expected the end"):
        pack.verify(DATA + b"\0", TRUSTED)


def test_a_pack_without_signatures_is_refused() -> None:
    assert refused(packs.unsigned()) == "roots: the pack has no roots: it is not signed"
    assert refused(replace(MADE, signatures=())) == "signatures: expected 1 signature or more, found 0"


def test_a_threshold_is_of_different_keys() -> None:
    chain = packs.made_roots(pack_keys=("p", "q"))
    trusted = roots.trusted(chain)
    one = pack.signed(MADE, chain, [packs.key("p")])
    assert refused(one, trusted) == "signatures: expected 2 signatures or more, found 1"
    (signature,) = one.signatures
    with pytest.raises(pack.PackError, match="ascending keys"):
        pack.encode(replace(one, signatures=(signature, signature)))
    twice = (pack.Signature(0, signature.signature), pack.Signature(1, signature.signature))
    assert "the signature does not match the key" in refused(replace(one, signatures=twice), trusted)
    pack.verify(pack.encode(pack.signed(one, chain, [packs.key("q")])), trusted)


def test_a_key_that_the_root_does_not_name_does_not_sign() -> None:
    with pytest.raises(pack.PackError, match="is not a pack key of root 1, the last one"):
        pack.signed(MADE, MADE.roots, [packs.key("other")])
    wrong = pack.Signature(0, keys.sign(packs.key("other"), keys.PACK, MADE.manifest))
    assert "the signature does not match the key" in refused(replace(MADE, signatures=(wrong,)))
    beyond = pack.Signature(1, MADE.signatures[0].signature)
    assert "expected one of 1 keys of the root, found number 1" in refused(replace(MADE, signatures=(beyond,)))


def test_a_root_key_does_not_sign_packs() -> None:
    with pytest.raises(pack.PackError, match="is not a pack key"):
        pack.signed(MADE, MADE.roots, [packs.key("root")])


def test_a_signature_for_roots_is_none_for_packs() -> None:
    wrong = pack.Signature(0, keys.sign(packs.key("pack"), keys.ROOT, MADE.manifest))
    assert "the signature does not match" in refused(replace(MADE, signatures=(wrong,)))


def test_a_pack_of_other_roots_is_refused() -> None:
    """Whoever makes roots of their own signs what they like with them."""
    other = pack.signed(MADE, packs.made_roots(("thief",), ("thief",)), [packs.key("thief")])
    assert refused(other).startswith(f"roots: none has the digest {TRUSTED.hex()}")


def rotated(add: str = "", remove: str = "", *, sign: tuple[str, ...] = ("root",)) -> roots.Roots:
    names = [name for name in ("pack", add) if name and name != remove]
    chain = roots.rotate(MADE.roots, packs.role("root"), packs.role(*names))
    for name in sign:
        chain = roots.sign(chain, packs.key(name))
    return chain


def test_rotation_brings_a_key_to_devices_that_know_the_old_root() -> None:
    chain = rotated(add="new")
    made = pack.signed(packs.unsigned(), chain, [packs.key("new")])
    for trusted in (TRUSTED, roots.trusted(chain)):
        pack.verify(pack.encode(made), trusted)


def test_a_revoked_key_signs_no_more() -> None:
    chain = rotated(add="new", remove="pack")
    with pytest.raises(pack.PackError, match="is not a pack key of root 2"):
        pack.signed(MADE, chain, [packs.key("pack")])
    assert "the signature does not match the key" in refused(replace(MADE, roots=chain))
    # Its old signature is left out when another one signs.
    again = pack.signed(MADE, chain, [packs.key("new")])
    assert len(again.signatures) == 1
    pack.verify(pack.encode(again), TRUSTED)


def test_an_old_root_is_refused_after_the_new_one_is_trusted() -> None:
    assert refused(MADE, roots.trusted(rotated(add="new"))).startswith("roots: none has the digest")


def test_signatures_stay_when_their_keys_stay() -> None:
    chain = rotated(add="new")
    both = pack.signed(MADE, chain, [packs.key("new")])
    assert len(both.signatures) == 2
    pack.verify(pack.encode(both), TRUSTED)


@pytest.mark.parametrize(
    ("sign", "error"),
    [((), "by_previous: expected 1 signature or more"), (("other",), "by_previous: expected 1 signature or more")],
)
def test_a_root_that_those_before_have_not_signed_is_refused(sign: tuple[str, ...], error: str) -> None:
    root = layout.ROOT.write(pack.Root(2, packs.role("other"), packs.role("other")))
    chain = (*MADE.roots, pack.SignedRoot(root))
    for name in sign:
        chain = roots.sign(chain, packs.key(name))
    made = replace(MADE, roots=chain)
    assert refused(made).startswith(f"roots[1].{error}")


def test_a_root_that_its_own_keys_have_not_signed_is_refused() -> None:
    chain = roots.rotate(MADE.roots, packs.role("other"), packs.role("pack"))
    chain = roots.sign(chain, packs.key("root"))
    assert refused(replace(MADE, roots=chain)).startswith("roots[1].by_own: expected 1 signature or more, found 0")
    with pytest.raises(pack.PackError, match="by_own"):
        roots.trusted(chain)
    with pytest.raises(pack.PackError, match="by_own"):
        roots.rotate(chain, packs.role("root"), packs.role("pack"))
    roots.trusted(roots.sign(chain, packs.key("other")))


def test_versions_of_roots_have_no_gap_and_no_repetition() -> None:
    chain = rotated(add="new")
    for wrong in ((chain[1],), (chain[0], chain[0]), (chain[1], chain[0])):
        assert ".root.version: expected version" in refused(replace(MADE, roots=wrong), layout.digest(wrong[0].root))


def test_nobody_signs_the_first_root_from_before() -> None:
    first = replace(MADE.roots[0], by_previous=MADE.roots[0].by_own)
    assert "by_previous: expected no signatures" in refused(replace(MADE, roots=(first,)))


def test_a_key_that_no_root_names_signs_no_root() -> None:
    with pytest.raises(pack.PackError, match="is not a root key of the last root or of the one before"):
        roots.sign(rotated(), packs.key("pack"))


def test_there_are_eight_roots_at_most() -> None:
    chain = MADE.roots
    for _ in range(7):
        chain = roots.sign(roots.rotate(chain, packs.role("root"), packs.role("pack")), packs.key("root"))
    with pytest.raises(pack.PackError, match="there are already 8 roots"):
        roots.rotate(chain, packs.role("root"), packs.role("pack"))
    assert roots.decode(roots.encode(chain)) == chain
    pack.verify(pack.encode(pack.signed(MADE, chain, [packs.key("pack")])), TRUSTED)


@pytest.mark.parametrize(("names", "threshold"), [((), 1), (("a",) * 2, 1), (("a",), 2), (("a",), 0)])
def test_a_role_reaches_its_threshold(names: tuple[str, ...], threshold: int) -> None:
    with pytest.raises(pack.PackError):
        packs.role(*names, threshold=threshold)


def test_parts_of_two_packs_do_not_mix() -> None:
    other = pack.signed(packs.unsigned(name="otter"), MADE.roots, [packs.key("pack")])
    assert "the signature does not match" in refused(replace(other, signatures=MADE.signatures))
    changed = layout.ANSWERS.write((replace(pack.contents(MADE).answers[0], name="xxx"),))
    assert refused(replace(MADE, parts=(MADE.parts[0], changed))) == (
        "parts[1]: this is not the answers that the manifest has the digest of"
    )
    assert "parts[0]: expected" in refused(replace(MADE, parts=MADE.parts[::-1]))
    assert refused(replace(MADE, parts=MADE.parts[:1])) == "parts: expected 2 parts as in the manifest, found 1"


@pytest.mark.parametrize(
    ("other", "error"),
    [
        ({"isa": Version(1, 0)}, "manifest.isa: is for instruction set 1.0"),
        ({"isa": Version(0, load().version.minor + 1)}, "manifest.isa: is for instruction set"),
        ({"core": pack.Core(2, 1025, 1, 0)}, "manifest.core.program_words: needs 1025, but the core has 1024"),
        ({"core": pack.Core(2, 1, 257, 0)}, "manifest.core.memory_rows: needs 257"),
        ({"core": pack.Core(2, 1, 1, 3)}, "manifest.core.contexts: needs 3"),
    ],
)
def test_a_pack_for_another_core_is_refused(other: dict[str, object], error: str) -> None:
    assert refused(packs.with_manifest(MADE, **other)).startswith(error)


def test_a_core_of_one_round_does_not_take_what_needs_two() -> None:
    made = packs.with_manifest(MADE, core=pack.Core(2, 1, 1, 0))
    with pytest.raises(pack.PackError, match=r"manifest\.core\.rounds: needs 2, but the core has 1"):
        pack.verify(pack.encode(made), TRUSTED, pack.Core(1, 1024, 256, 2))


def _image(*segments: pack.Segment) -> pack.Pack:
    return packs.with_parts(MADE, layout.SEGMENTS.write(segments), MADE.parts[1])


def _answer(*steps: pack.Write | pack.Run | pack.Compare, image: int = 0) -> pack.Pack:
    steps = (*steps, pack.Compare("m3", 0, b"a"))
    return packs.with_parts(MADE, MADE.parts[0], layout.ANSWERS.write((pack.Answer("x", image, steps),)))


@pytest.mark.parametrize(
    ("made", "error"),
    [
        (_image(pack.Segment("m0", 0, b"a")), "parts[0][0]: 1 bytes at m0@0x0 are not within the map"),
        (_image(pack.Segment("m1", 16, b"a")), "parts[0][0]: 1 bytes at m1@0x10 are not within the map"),
        (_answer(pack.Write("m0", 4095, b"ab")), "parts[1][0].steps[0]: 2 bytes at m0@0xfff do not fit"),
        (_answer(pack.Compare("t1", 4096, b"a")), "parts[1][0].steps[0]: 1 bytes at t1@0x1000 do not fit"),
        (_answer(pack.Write("pm", 1 << 31, b"a")), "parts[1][0].steps[0]: 1 bytes at pm@0x80000000 do not fit"),
        (_answer(pack.Run(1024, 1)), "parts[1][0].steps[0]: entry 0x400 is beyond the 1024 words"),
        (_answer(image=1), "parts[1][0].image: expected one of 1 images, found number 1"),
    ],
)
def test_what_lies_outside_of_the_memories_is_refused(made: pack.Pack, error: str) -> None:
    assert refused(made).startswith(error)


def test_a_map_and_places_of_algorithms_lie_within_the_memories() -> None:
    manifest = layout.manifest_of(MADE)
    image, answers = manifest.parts
    beyond = replace(image, map=(*image.map[:-1], pack.Region("pm", 0, 8193)))
    assert "manifest.parts[0].map[" in refused(packs.with_manifest(MADE, parts=(beyond, answers)))
    (algorithm,) = manifest.algorithms
    for wrong in (
        replace(algorithm, key=pack.Place("m1", 4096)),
        replace(algorithm, encrypt=(replace(algorithm.encrypt[0], entry=1024),)),
    ):
        assert refused(packs.with_manifest(MADE, algorithms=(wrong,))).startswith("manifest.algorithms: xor")


@pytest.mark.parametrize("kinds", [(1, 1), (0, 0), (1, 0)])
def test_parts_are_images_and_then_one_of_answers(kinds: tuple[int, int]) -> None:
    manifest = layout.manifest_of(MADE)
    parts = tuple(replace(part, kind=kind, map=()) for part, kind in zip(manifest.parts, kinds, strict=True))
    with pytest.raises(pack.PackError, match="expected images, then one part of answers"):
        packs.with_manifest(MADE, parts=parts)


def test_a_wrong_order_of_signatures_is_no_second_pack() -> None:
    chain = packs.made_roots(pack_keys=("p", "q"))
    made = pack.signed(MADE, chain, [packs.key("p"), packs.key("q")])
    with pytest.raises(pack.PackError, match="ascending keys"):
        pack.encode(replace(made, signatures=made.signatures[::-1]))
    assert pack.signed(MADE, chain, [packs.key("q"), packs.key("p")]) == made


@pytest.mark.parametrize(
    "point",
    [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ],
    ids=["order 1", "order 2", "order 4", "order 4, odd", "order 8", "order 8, odd"],
)
def test_a_root_names_no_key_that_anybody_can_sign_for(point: str) -> None:
    good = roots.opened(MADE.roots[0]).pack_keys.keys
    with pytest.raises(pack.PackError, match=f"pack keys: {point[:16]} .*: anybody can sign for it"):
        roots.role("pack keys", [*good, bytes.fromhex(point)], 1)
