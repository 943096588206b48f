"""Known answers: each test on its own, through every implementation of its cipher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from lutra.firmware import kat
from lutra.firmware.ciphers import Catalogue, Cipher, Implementation
from lutra.firmware.errors import FirmwareError
from lutra.firmware.session import Session
from lutra.firmware.testing.loaded import Loaded, too_few
from lutra.firmware.testing.machines import Machine
from lutra.firmware.testing.outcome import Check, State, Wanted

UNSERVED = "no algorithm of the manifest serves"
STATES: Mapping[kat.Verdict, State] = {
    "passed": "passed",
    "rejected": "passed",
    "failed": "failed",
    "skipped": "skipped",
}


def of_file(
    path: Path, loaded: Loaded, machines: Sequence[Machine], wanted: Wanted, tested: set[str]
) -> Iterator[Check]:
    """A check for each test of a file, implementation and machine. tested: the ciphers that it reaches are added.

    A file next to the sources must have tests for them; in other files, tests of other ciphers are ignored.
    """
    file, catalogue = str(path), loaded.catalogue
    try:
        tests = kat.read(path, catalogue)
    except FirmwareError as error:
        yield Check("vector", file, "vectors", "failed", str(error).removeprefix(f"{file}: "))
        return
    found = [(test, _serving(catalogue, test)) for test in tests]
    if path not in loaded.unit.vectors:
        found = [(test, cipher) for test, cipher in found if cipher]
    elif not any(cipher or isinstance(test, kat.Malformed) for test, cipher in found):
        pairs = ", ".join(dict.fromkeys(_name(test) for test in tests)) or "a file without tests"
        remedy = "compare its `vectors` and `key_bits`" if loaded.unit.manifest else "there is none next to this file"
        yield Check("vector", file, "vectors", "failed", f"{UNSERVED} {pairs}; {remedy}")
        return
    for test, cipher in found:
        if cipher is None:
            # Nothing runs; what came of it is known without a machine.
            (outcome,) = kat.run(machines[0].session, catalogue, [test]).outcomes
            if wanted(file, test.id):
                yield Check("vector", file, test.id, STATES[outcome.verdict], outcome.reason)
            continue
        tested.add(cipher.name)
        for implementation in (i for i in cipher.implementations if loaded.runs(cipher, i)):
            name = test.id + (f" [{implementation.image.name}]" if implementation is not cipher.default else "")
            run = partial(_run, catalogue=catalogue, test=test, implementation=implementation)
            if wanted(file, name):
                image = loaded.images[implementation.image.name]
                yield from (
                    machine.check("vector", file, name, run, too_few(machine.rounds, image)) for machine in machines
                )


def _serving(catalogue: Catalogue, test: kat.Test) -> Cipher | None:
    if not isinstance(test, kat.Vector):
        return None
    return catalogue.serving(test.algorithm, test.mode, 8 * len(test.key))


def _name(test: kat.Test) -> str:
    bits = f" with a key of {8 * len(test.key)} bits" if isinstance(test, kat.Vector) else ""
    return f"{test.algorithm} {test.mode}".strip() + bits


def _run(session: Session, catalogue: Catalogue, test: kat.Test, implementation: Implementation) -> list[str]:
    """Return errors in the answers, by direction."""
    report = kat.run(session, catalogue, [test], lambda cipher, direction: implementation)
    return [f"{o.direction}: {o.reason}" for o in report.failures]


def untested(loaded: Loaded, tested: set[str]) -> Iterator[Check]:
    """Yield ciphers without a vector: failed, except for interleaved streams whose manifest names none."""
    file = str(loaded.unit.manifest)
    for cipher in loaded.catalogue.ciphers:
        if cipher.name in tested or not any(loaded.runs(cipher, i) for i in cipher.implementations):
            continue
        if cipher.streams > 1 and not cipher.vectors:
            text = f"its entry has no `vectors` of its own; nothing compares its {cipher.streams} interleaved messages"
            yield Check("vector", file, cipher.name, "skipped", text)
        elif not cipher.vectors:
            text = "no vectors can name it: its entry in the manifest has no `vectors`"
            yield Check("vector", file, cipher.name, "failed", text)
        else:
            wanted = f"{' or '.join(' '.join(v) for v in cipher.vectors)} with a key of {cipher.key_bits} bits"
            text = f"no vectors next to it have a test of {wanted}; name other files with --vectors"
            yield Check("vector", file, cipher.name, "failed", text)
