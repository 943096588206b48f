"""Speed of the Verilated core, and of core and simulator in lock-step."""

from __future__ import annotations

from lutra.firmware.ciphers import Cipher
from lutra.firmware.session import Session
from lutra.iss import engine as engines
from speed.simulator import best_per_second

ENGINES = ("rtl", "cosim")


def measured(cipher: Cipher, seconds: float) -> dict[str, dict[str, float]]:
    """Clock cycles and instructions per second of CPU time, by engine; engines that are not built are left out."""
    found: dict[str, dict[str, float]] = {}
    for name in ENGINES:
        if name not in engines.names():
            continue
        session = Session(engines.make(name))
        session.set_up(cipher, "encrypt", cipher.any_key, bytes(cipher.iv_bytes))
        session.put(bytes(session.job_bytes))
        stop = session.run()
        rate = best_per_second(lambda session=session: session.run().cycles, seconds)  # type: ignore[misc]
        instructions = rate * stop.instructions / stop.cycles
        found[name] = {"cycles_per_second": round(rate), "instructions_per_second": round(instructions)}
    return found
