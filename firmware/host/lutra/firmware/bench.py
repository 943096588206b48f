"""Cycles of the firmware, from start to halt of a job: loads, keys, XOR and stores included."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from lutra.asm import Image
from lutra.firmware import bound, message
from lutra.firmware.ciphers import BenchCase, Cipher, Hardware, Implementation, Literature
from lutra.firmware.errors import InputError
from lutra.firmware.manifest import assembled
from lutra.firmware.session import ROW, Session
from lutra.iss import engine as engines

# Long enough that the host's clock and the start of a job do not show.
SECONDS = 0.2
# Instructions between two looks at the clock.
REPEATED = 100_000
# The most that firmware processes at once; for a part of it, half a job would cost more than half.
GROUP_BYTES = 64


@dataclass(frozen=True)
class Speed:
    """Million simulated instructions per second, and what they make of the text: Gbit per second on this machine."""

    mips: float
    gbits: float


@dataclass(frozen=True)
class Message:
    """Lengths of a message in bytes, by default a short packet. aad: length of the associated data."""

    size: int = 64
    aad: int = 0

    def __str__(self) -> str:
        return f"{self.size} bytes" + (f" + {self.aad}" if self.aad else "")


@dataclass(frozen=True)
class Result:
    """Figures of one variant of a cipher's firmware.

    units: those of the long job. steady: cycles per unit without what a job costs once. all_in: the job's cycles over
    its units. message: whose cycles are in message_cycles, None where the algorithm takes no such message.
    code_words: of the routine that does the job. lock_step: instructions per second in lock-step. hardware: published
    rates of designs for the algorithm. bound: steady cycles that no order of the instructions can beat, or None.
    """

    cipher: str
    variant: str
    engine: str
    unit: str
    units: int
    steady: float
    all_in: float
    message: Message
    message_cycles: int | None
    tables: int
    key_schedule: int
    code_words: int
    literature: Literature | None
    speed: Speed | None
    lock_step: float | None
    hardware: tuple[Hardware, ...] = ()
    bound: float | None = None

    @property
    def optimal(self) -> bool:
        """Whether no order of the same instructions takes fewer steady cycles."""
        return self.bound is not None and round(self.bound, 2) >= round(self.steady, 2)

    def as_json(self) -> dict[str, object]:
        """The object of `lutra bench --json`."""
        published = self.literature
        found: dict[str, object] = {
            "cipher": self.cipher,
            "variant": self.variant,
            "engine": self.engine,
            "unit": self.unit,
            "units": self.units,
            "steady_cycles_per_unit": round(self.steady, 4),
            "all_in_cycles_per_unit": round(self.all_in, 4),
            "message": {
                "bytes": self.message.size,
                "aad_bytes": self.message.aad,
                "cycles": self.message_cycles,
            },
            "setup_cycles": {"tables": self.tables, "key_schedule": self.key_schedule},
            "code_words": self.code_words,
            "literature": published and {"source": published.source, "cycles_per_unit": published.cycles_per_unit},
            "hardware": [{"source": h.source, "bits_per_cycle": round(h.bits_per_cycle, 4)} for h in self.hardware],
        }
        if self.speed is not None:
            found["mips"] = round(self.speed.mips, 1)
            found["gbit_per_second"] = round(self.speed.gbits, 3)
        if self.bound is not None:
            found["bound_cycles_per_unit"] = round(self.bound, 4)
        if self.lock_step is not None:
            found["lock_step_instructions_per_second"] = round(self.lock_step)
        return found


def variants(algorithm: Cipher) -> list[str]:
    """The variants of an algorithm that are measured, one per line of `bench`."""
    return [case.variant for i in algorithm.implementations for case in i.bench]


def measure(
    algorithms: Iterable[Cipher],
    engine: engines.EngineName,
    only: Collection[str] = (),
    speeds: bool = True,
    short: Message | None = None,
    bounds: bool = False,
) -> Iterator[Result]:
    """Measure every variant of the algorithms, or those in `only`, one after another.

    speeds: measure also how fast a simulator works, which takes longer than its jobs. short: the message to measure.
    bounds: compute also what no order of the same instructions can beat.
    """
    machine = engines.make(engine)
    for algorithm in algorithms:
        for implementation in algorithm.implementations:
            for case in implementation.bench:
                if not only or case.variant in only:
                    yield _measure(machine, algorithm, implementation, case, speeds, short or Message(), bounds)


def _measure(
    machine: engines.Engine,
    cipher: Cipher,
    implementation: Implementation,
    case: BenchCase,
    speeds: bool,
    short: Message,
    bounds: bool,
) -> Result:
    # Cycles do not depend on the values (tests/firmware), so any key and data do; a session of its own makes tables
    # and key schedule run.
    session = Session(machine)
    session.set_up(cipher, case.direction, cipher.any_key, bytes(cipher.iv_bytes), implementation)
    jobs = measured_jobs(session, cipher)
    # For the long job, which is still loaded.
    speed = _speed(session) if speeds and machine.name == "iss" else None
    lock_step = _lock_step(session) if speeds and machine.name == "cosim" else None
    return Result(
        cipher=cipher.name,
        variant=case.variant,
        engine=machine.name,
        unit=cipher.unit,
        units=jobs.units,
        steady=jobs.more_cycles / jobs.more_units,
        all_in=jobs.cycles / jobs.units,
        message=short,
        message_cycles=_message_cycles(session, cipher, implementation, case, short),
        tables=session.usage.tables,
        key_schedule=session.usage.key_schedule + session.usage.start,
        code_words=code_words(assembled(implementation.image), implementation.entries[case.direction].run),
        literature=case.literature,
        speed=speed,
        lock_step=lock_step,
        hardware=cipher.hardware,
        bound=bound.steady(cipher, implementation, case) if bounds else None,
    )


@dataclass(frozen=True)
class Jobs:
    """A job as long as the image takes, and how much more it does than one of half the length."""

    units: int
    cycles: int
    more_units: int
    more_cycles: int


def measured_jobs(session: Session, cipher: Cipher) -> Jobs:
    """Runs both jobs on a session that is set up."""
    full_bytes = session.job_bytes
    step = _step(cipher)
    whole = math.lcm(step, GROUP_BYTES)
    half_bytes = full_bytes // 2 // whole * whole or full_bytes // 2 // step * step
    half = _cycles(session, half_bytes) if half_bytes else 0
    full = _cycles(session, full_bytes)
    units = full_bytes // cipher.unit_bytes
    return Jobs(units, full, units - half_bytes // cipher.unit_bytes, full - half)


def _message_cycles(
    session: Session, cipher: Cipher, implementation: Implementation, case: BenchCase, of: Message
) -> int | None:
    try:
        return message.run(session, cipher, case.direction, of.size, of.aad, implementation)
    except InputError:
        return None


def _step(cipher: Cipher) -> int:
    """Jobs are multiples of this many bytes."""
    return math.lcm(cipher.whole_bytes, ROW)


def _cycles(session: Session, length: int) -> int:
    session.put(bytes(length))
    return session.run_before() + session.run().cycles


def code_words(image: Image, entry: str) -> int:
    """Words from a routine's entry to the next routine, or to the end of the program."""
    start = image.symbol(entry).value
    after = [s.value for s in image.symbols if s.is_global and s.space == image.symbol(entry).space and s.value > start]
    return min([*after, len(image.program)]) - start


def _speed(session: Session) -> Speed:
    """Repeat the loaded job on the simulator."""
    once, bits = session.repeat(1), 8 * session.job_bytes
    times = max(1, REPEATED // once)
    instructions = _per_second(lambda: session.repeat(times))
    return Speed(instructions / 1e6, instructions / once * bits / 1e9)


def _lock_step(session: Session) -> float:
    """Instructions that retire in lock-step per second."""
    return _per_second(lambda: session.run().instructions)


def _per_second(work: Callable[[], int]) -> float:
    """Return how much `work` does per second of this process, whatever else the machine does."""
    done, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < SECONDS:
        done += work()
    return done / elapsed
