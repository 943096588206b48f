"""Bytes that know where they stand in a file are copied with it, and equal to others."""

from __future__ import annotations

import copy
import pickle

from lutra.firmware.pack.cbor import Placed, place


def test_a_copy_has_the_place() -> None:
    data = Placed(b"abc", 7)
    for same in (copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert (same, place(same)) == (b"abc", 7)
    assert place(b"abc") == 0
