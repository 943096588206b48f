"""Attackers on a device in memory: a flash that answers as they like."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from support.loader import Board

READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint8), ctypes.c_uint32)


class Interposer:
    """Between the loader and its flash: `answer` gets the number of the read, address and bytes, and gives others."""

    def __init__(self, board: Board, answer: Callable[[int, int, bytes], bytes]) -> None:
        self.reads = 0
        memory = board.memory

        def read(_: int, address: int, to: ctypes._Pointer[ctypes.c_uint8], length: int) -> int:
            self.reads += 1
            true = ctypes.string_at(ctypes.addressof(memory.flash.contents) + address, length)
            ctypes.memmove(to, answer(self.reads, address, true), length)
            return 0

        self._read = READ(read)  # as long as the device calls it
        memory.device.flash.calls[0] = ctypes.cast(self._read, ctypes.c_void_p)
