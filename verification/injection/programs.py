"""Short programs of the stream unit, run on the simulator with a fault."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache

from lutra.asm import assemble_text
from lutra.iss.engine import Engine, Simulator
from lutra.iss.fault import Fault
from models import snow3g, zuc
from models.lanes import unlanes

INIT, GROUPS = 32, 16  # clocks of the initialisation; groups of four words after the first, which is thrown away
WORDS = 4 * GROUPS
KEY, IV = bytes(range(16)), bytes(range(100, 116))
OUTPUT = 16 * GROUPS  # bytes in m3 from 0 on, then the context


@dataclass(frozen=True)
class Cipher:
    """A generator in assembly: clocks of the initialisation, of the keystream, and the one that shows the buffer."""

    name: str

    @property
    def bank(self) -> bytes:
        return {"snow": snow3g.bank, "zuc": zuc.bank}[self.name]()

    def state(self, key: bytes, iv: bytes) -> bytes:
        """Rows 0 to 4 of a context after key and IV were loaded."""
        model = snow3g.Snow3g(key, iv) if self.name == "snow" else zuc.Zuc(key, iv)
        return unlanes([*model.s, *model.r, *[0] * (4 - len(model.r))], 4)

    def text(self, c: int) -> str:
        """Load, initialise, keystream to m3, and every row of the context after it."""
        name = self.name
        lines = [f"ctxld c{c}, {row}, m2[{16 * row}]" for row in range(5)]
        lines += [f"repeat {INIT}, .Linit", f"{name}i c{c}", ".Linit:", f"{name} c{c}"]
        for group in range(GROUPS):
            lines += [f"{name} c{c}"] * 3 + [f"{name}x v{group % 4}, c{c}, c{c}", f"mov m3[{16 * group}], v{group % 4}"]
        lines += [f"ctxst m3[{OUTPUT + 16 * row}], c{c}, {row}" for row in range(6)]
        return "\n".join([*lines, "halt"])


CIPHERS = (Cipher("snow"), Cipher("zuc"))


@cache
def words(cipher: Cipher, c: int) -> bytes:
    """The program's words."""
    program = assemble_text(cipher.text(c), warnings=["no-all"]).program
    return struct.pack(f"<{len(program)}Q", *program)


def prepare(engine: Engine, cipher: Cipher, c: int, key: bytes = KEY, iv: bytes = IV) -> Engine:
    """The program, its tables and its state."""
    engine.write("pm", 0, words(cipher, c))
    engine.write(f"t{c}", 0, cipher.bank)
    engine.write("m2", 0, cipher.state(key, iv))
    return engine


def machine(cipher: Cipher, c: int, shadow_words: int, rounds: int = 2) -> Engine:
    """A simulator of a core with a shadow, ready to start at 0."""
    return prepare(Simulator(rounds, shadow_words), cipher, c)


def faulty(engine: Engine, *faults: Fault) -> tuple[str, bytes]:
    """Run from the beginning with faults: the state after it, and what is in m3."""
    engine.reset()
    engine.write("m3", 0, bytes(OUTPUT + 16 * 6))
    for fault in faults:
        engine.inject(fault)
    state = engine.run(0, 10_000).state
    return state, engine.read("m3", 0, OUTPUT + 16 * 6)
