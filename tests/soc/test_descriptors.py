"""Whatever is wrong with a descriptor is reported, nothing is done for it, and the next one works."""

from __future__ import annotations

from typing import Any

import pytest

from support import toy
from support.soc import BUFFERS, LAYOUT, MEMORY_BYTES, Bench, Ring

from .conftest import KEY, SetKey, operation

IV = bytes(range(16))
SOURCE, DESTINATION, LIST = BUFFERS, BUFFERS + 0x10000, BUFFERS + 0x20000
CRYPT: dict[str, Any] = {
    "operation": operation("toy_crypt"),
    "bytes": 48,
    "source": SOURCE,
    "destination": DESTINATION,
    "iv": IV,
}
SEAL = CRYPT | {"operation": operation("toy_seal"), "tag": 16}
RAW = {"operation": LAYOUT.raw["write"], "source": SOURCE, "bytes": 16}
SET = {"operation": operation("toy_key"), "inline_payload": 1, "key": KEY, "bytes": 32, "context": 9}
ONCE = CRYPT | {"operation": operation("toy_once"), "inline_key": KEY[:16], "context": 9}
OUTSIDE = MEMORY_BYTES + 0x1000
WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "operation that is not in the table": ("bad_operation", CRYPT | {"operation": len(toy.OPERATIONS)}),
    "operation beyond the table": ("bad_operation", CRYPT | {"operation": 0xEF}),
    "inline payload and a list": ("bad_descriptor", CRYPT | {"inline_payload": 1, "gather": 1, "bytes": 16}),
    "reserved word": ("bad_descriptor", CRYPT | {"reserved": 1}),
    "key that is not inline": ("bad_descriptor", SET | {"inline_payload": 0}),
    "inline key and inline payload": ("bad_descriptor", ONCE | {"inline_payload": 1, "bytes": 8}),
    "inline payload and associated data": ("bad_descriptor", SEAL | {"inline_payload": 1, "bytes": 8, "aad_bytes": 1}),
    "inline payload and a tag to check": (
        "bad_descriptor",
        SEAL | {"operation": operation("toy_open"), "inline_payload": 1, "bytes": 8},
    ),
    "raw operation with inline payload": ("bad_descriptor", RAW | {"inline_payload": 1}),
    "raw operation on no memory": ("bad_descriptor", RAW | {"tag": 8}),
    "key that is too long": ("bad_length", SET | {"bytes": 33}),
    "inline payload that is too long": ("bad_length", CRYPT | {"inline_payload": 1, "bytes": 25}),
    "partial block": ("bad_length", CRYPT | {"operation": operation("toy_crypt_blocks"), "bytes": 17}),
    "associated data that is not taken": ("bad_length", CRYPT | {"aad_bytes": 1}),
    "tag that is too long": ("bad_length", SEAL | {"tag": 17}),
    "no tag": ("bad_length", SEAL | {"tag": 0}),
    "tag that is not made": ("bad_length", CRYPT | {"tag": 1}),
    "stale key": ("bad_key", CRYPT | {"generation": 6}),
    "context that was never set": ("bad_key", CRYPT | {"context": 8}),
    "context that does not exist": ("bad_key", CRYPT | {"context": 31}),
    "key to a context that does not exist": ("bad_key", SET | {"context": 24}),
    "source outside": ("bad_address", CRYPT | {"source": OUTSIDE}),
    "source that leaves": ("bad_address", CRYPT | {"source": MEMORY_BYTES - 47}),
    "destination outside": ("bad_address", CRYPT | {"destination": OUTSIDE}),
    "destination that leaves": ("bad_address", CRYPT | {"destination": MEMORY_BYTES - 47}),
    "associated data outside": ("bad_address", SEAL | {"aad": OUTSIDE, "aad_bytes": 5}),
    "address beyond the bus": ("bad_address", CRYPT | {"source": SOURCE | 1 << 40}),
    "address of all ones": ("bad_address", CRYPT | {"source": (1 << 64) - 16}),
    "list outside": ("bad_address", CRYPT | {"gather": 1, "source": OUTSIDE}),
    "list that is not aligned": ("bad_address", CRYPT | {"scatter": 1, "destination": LIST + 8}),
}


@pytest.fixture
def ring(toys: Bench, set_key: SetKey) -> Ring:
    """Return a ring with a key in context 3, generation 5."""
    set_key(toys.rings[0])
    toys.put(DESTINATION, b"\xee" * 256)
    return toys.rings[0]


def _works(ring: Ring) -> bool:
    ring.bench.put(DESTINATION, bytes(48))
    done = ring.do(**CRYPT | {"context": 3, "generation": 5})
    text = bytes(ring.bench.memory[SOURCE : SOURCE + 48])
    return done.status == "ok" and ring.bench.memory[DESTINATION : DESTINATION + 48] == toy.crypt(KEY, IV, text)


@pytest.mark.parametrize("what", WRONG)
def test_wrong_descriptor_is_reported(ring: Ring, what: str) -> None:
    status, fields = WRONG[what]
    memory = ring.bench.memory
    before = bytes(memory[BUFFERS:])
    done = ring.do(**{"context": 3, "generation": 5} | fields)
    assert done.status == status
    assert memory[BUFFERS:] == before
    assert _works(ring)


def test_every_reserved_bit_is_checked(ring: Ring) -> None:
    for word in ("control", "extra"):
        used = sum(f.mask for path, f in LAYOUT.descriptor.fields.items() if path.startswith(f"{word}."))
        at = LAYOUT.descriptor.offset(word)
        for bit in range(32):
            if not used >> bit & 1:
                raw = bytearray(ring.descriptor(**CRYPT | {"context": 3, "generation": 5}))
                raw[at + bit // 8] |= 1 << bit % 8
                ring.write(bytes(raw))
                assert ring.wait()[0].status == "bad_descriptor", (word, bit)
    assert _works(ring)


BAD_LISTS = {
    "too short": ("bad_descriptor", [(SOURCE, 40)]),
    "empty element": ("bad_descriptor", [(SOURCE, 16), (SOURCE, 0), (SOURCE, 32)]),
    "element outside": ("bad_address", [(SOURCE, 16), (OUTSIDE, 32)]),
    "element that leaves": ("bad_address", [(SOURCE, 16), (MEMORY_BYTES - 31, 32)]),
    "element beyond the bus": ("bad_address", [(SOURCE, 16), (SOURCE | 1 << 41, 32)]),
}


@pytest.mark.parametrize("side", ("gather", "scatter"))
@pytest.mark.parametrize("what", BAD_LISTS)
def test_bad_list_is_reported(ring: Ring, side: str, what: str) -> None:
    status, pieces = BAD_LISTS[what]
    pieces = [(address + (DESTINATION - SOURCE if side == "scatter" else 0), count) for address, count in pieces]
    address = ring.bench.list(LIST, pieces)
    place = {"gather": {"source": address}, "scatter": {"destination": address}}[side]
    before = bytes(ring.bench.memory[DESTINATION + 0x1000 :])
    done = ring.do(**CRYPT | {"context": 3, "generation": 5, side: 1} | place)
    assert done.status == status
    assert ring.bench.memory[DESTINATION + 0x1000 :] == before
    assert _works(ring)


def test_reserved_flag_of_an_element_is_reported(ring: Ring) -> None:
    ring.bench.list(LIST, [(SOURCE, 48)])
    ring.bench.memory[LIST + LAYOUT.element.offset("flags")] |= 2
    done = ring.do(**CRYPT | {"context": 3, "generation": 5, "gather": 1, "source": LIST})
    assert done.status == "bad_descriptor"


@pytest.mark.parametrize("place", ("source", "destination"))
def test_window_of_a_ring_is_its_border(toys: Bench, set_key: SetKey, place: str) -> None:
    ring = toys.rings[1]
    handle = set_key(ring)
    ring.set_window(0x10000, DESTINATION + 48)
    for offset, status in ((0, "ok"), (1, "bad_address")):
        address = {"source": SOURCE, "destination": DESTINATION} | {place: DESTINATION + offset}
        assert ring.do(**CRYPT | handle | address).status == status
    ring.set_window(SOURCE, MEMORY_BYTES)
    ring.write(ring.descriptor(**CRYPT | handle))
    toys.device.run(5000)
    # The ring itself is outside now.
    assert (ring.get("state.stopped"), ring.get("state.reason")) == (1, LAYOUT.status["bad_address"])
