"""The steps of the demo from the file to the checked results, and what is said about each."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lutra.soc.demo import program, trace
from lutra.soc.demo.errors import DemoError
from lutra.soc.demo.packs import Cipher
from lutra.soc.demo.program import AFTER, BEFORE, DEMO, MOST_BYTES, PACKET_BYTES, Case
from lutra.soc.demo.run import Encrypted, Outcome, Step, follow, meaning
from lutra.soc.demo.simulator import system
from lutra.soc.system import ROOT

Tell = Callable[[str, str, float], None]
PICTURE = ROOT / "docs" / "pictures" / "transfers.py"
RECORDED = DEMO / "transfers.txt"
# Ciphers of the files in their order: before the patch, after one was refused, after one was taken.
CIPHERS = (BEFORE, BEFORE, AFTER)
TITLES = ("before the patch", "after a patch was refused", "after the patch")
# Lines of docs/transfers.svg: the cycles that it shows, and one window of them.
RECORDED_CYCLES = 5600


def read(path: Path) -> bytes:
    """The file to encrypt. DemoError where it cannot be read, is empty, or does not fit into the system's RAM."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DemoError(f"{path}: {error.strerror}; name a file with --file") from error
    if not data:
        raise DemoError(f"{path}: is empty; there is nothing to encrypt")
    if len(data) > MOST_BYTES:
        raise DemoError(
            f"{path}: has {len(data):,} bytes; the system's RAM has room for {MOST_BYTES:,}: choose a smaller file"
        )
    return data


def check_tools() -> None:
    """DemoError where a tool is missing."""
    for tool in ("clang-19", "llvm-objcopy-19", "ld.lld-19", "verilator_bin"):
        if shutil.which(tool) is None:
            raise DemoError(f"{tool} is not there; run: make setup")


@dataclass
class Demo:
    """A run: its host, the file, where it leaves the trace and the picture, who is told, and the memory's latency."""

    host: str
    file: Path
    out: Path
    tell: Tell
    memory: int = 0
    begun: float = 0.0

    def run(self) -> dict[str, Any]:
        """All of it; returns the figures. DemoError where anything is not as it has to be."""
        data = read(self.file)
        check_tools()
        self.begun = time.monotonic()
        self.out.mkdir(parents=True, exist_ok=True)
        simulator = system(self.host)
        kept = simulator.is_built()
        if not kept:
            self._say("simulator", f"building {self.host} with lutra_axi and the core, once; this takes minutes")
        executable = simulator.build(jobs=2)
        built = time.monotonic() - self.begun
        self._say("simulator", "kept from an earlier run" if kept else f"built in {built:.0f} s")
        case = Case.make(data)
        compiled = program.compile_host(self.host)
        ram, lines = self.out / "ram.hex", self.out / "trace.txt"
        ram.write_text(program.ram(compiled, case))
        self._say(
            "packs",
            f"keys made; firmware 1.0.0 with {BEFORE.title}, {len(case.first):,} bytes, is in the flash; "
            f"patch 1.1.0 with {AFTER.title}, {len(case.patch):,} bytes, waits",
        )
        outcome = Outcome()
        previous = 0
        for step in follow(executable, ram, lines, outcome, self.memory):
            self._tell_step(step, step.cycle - previous, case, outcome)
            previous = step.cycle
        for number, found in enumerate(outcome.files):
            self.check(number, found, case)
        if outcome.steps["refused"].result == 0:
            raise DemoError("a pack with a changed bit was taken")
        return self._figures(case, outcome, lines, built)

    def _say(self, what: str, text: str) -> None:
        self.tell(what, text, time.monotonic() - self.begun)

    def _tell_step(self, step: Step, cycles: int, case: Case, outcome: Outcome) -> None:
        sentence = SENTENCES.get(step.name)
        if sentence:
            self._say(step.name, sentence(step, cycles, case, outcome))

    def check(self, number: int, found: Encrypted, case: Case) -> None:
        """DemoError where a result is not what OpenSSL computes."""
        cipher, which = CIPHERS[number], int(CIPHERS[number] is AFTER)
        expected = case.expected(which)
        if found.result != expected:
            at = next((n for n, (a, b) in enumerate(zip(found.result, expected, strict=False)) if a != b), None)
            at = min(len(found.result), len(expected)) if at is None else at
            raise DemoError(f"{TITLES[number]}: {cipher.title} differs from OpenSSL at byte {at}")
        others = "cryptography"
        if command := openssl(cipher, case.keys[which], case.ivs[which], case.file):
            if command != found.result:
                raise DemoError(f"{TITLES[number]}: {cipher.title} differs from the command openssl")
            others += " and the command openssl"
        self._say("compare", f"{TITLES[number]}: {len(expected):,} bytes as OpenSSL has them ({others})")

    def _figures(self, case: Case, outcome: Outcome, lines: Path, built: float) -> dict[str, Any]:
        found = trace.windows(lines.read_text().splitlines())
        events = self.out / "transfers.json"
        events.write_text(json.dumps(trace.document(found, TITLES)) + "\n")
        picture = self.out / "transfers.svg"
        subprocess.run([sys.executable, str(PICTURE), str(picture), str(lines)], check=True)
        seconds = time.monotonic() - self.begun
        self._say("picture", f"{picture}; {events} for https://ui.perfetto.dev")
        packets = -(-len(case.file) // PACKET_BYTES)
        files = [
            {
                "cipher": cipher.title,
                "when": title,
                "cycles": done.cycles,
                "bytes per cycle": round(len(case.file) / done.cycles, 3),
                "core runs": round(window.busy("core") / window.cycles, 3),
                "words on the bus": done.marks[1].words - done.marks[0].words,
                "equals OpenSSL": True,
            }
            for cipher, title, done, window in zip(CIPHERS, TITLES, outcome.files, found, strict=True)
        ]
        for row, step in zip(files, outcome.encrypted, strict=True):
            row["host instructions per packet"] = round(step.detail / packets, 1)
        return {
            "host": self.host,
            "memory latency": self.memory,
            "file": str(self.file),
            "bytes": len(case.file),
            "packets": packets,
            "files": files,
            "steps": {
                step.name: {"cycle": step.cycle, "instructions": step.instructions, "result": meaning(step)}
                for step in outcome.steps.values()
            },
            "seconds": {"building the simulator": round(built, 1), "everything else": round(seconds - built, 1)},
            "cycles": max(step.cycle for step in outcome.steps.values()),
            "picture": str(picture),
            "trace": str(events),
        }


def openssl(cipher: Cipher, key: bytes, iv: bytes, data: bytes) -> bytes | None:
    """The ciphertext by the command openssl; None where there is none."""
    if shutil.which("openssl") is None:
        return None
    command = ["openssl", "enc", f"-{cipher.openssl}", "-K", key.hex(), "-iv", iv.hex()]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def record(lines: Path, target: Path = RECORDED) -> None:
    """Keep the first cycles of a trace for docs/transfers.svg."""
    kept: list[str] = []
    begin = None
    for line in lines.read_text().splitlines():
        cycle, _, event = line.partition(" ")
        begin = int(cycle) if begin is None else begin
        if int(cycle) - begin > RECORDED_CYCLES or event == "off":
            break
        kept.append(f"{int(cycle) - begin} {event}")
    target.write_text("\n".join([*kept, f"{RECORDED_CYCLES} off"]) + "\n")


def _cost(cycles: int) -> str:
    return f"{cycles / 1e6:.2f} M cycles"


def _file(step: Step, cycles: int, case: Case, outcome: Outcome) -> str:
    done = outcome.files[-1]
    packets = -(-len(case.file) // PACKET_BYTES)
    cipher = CIPHERS[len(outcome.files) - 1].title
    return (
        f"{len(case.file):,} bytes by {cipher} in {packets} packets: {done.cycles:,} cycles, "
        f"{len(case.file) / done.cycles:.2f} B/cycle, {step.detail / packets:.0f} host instructions per packet"
    )


Sentence = Callable[[Step, int, Case, Outcome], str]
SENTENCES: dict[str, Sentence] = {
    "device": lambda step, cycles, case, outcome: "the host runs; driver and ring 0 are open",
    "boot": lambda step, cycles, case, outcome: f"signatures verified, image loaded over the ring: {_cost(cycles)}",
    "table": lambda step, cycles, case, outcome: f"{step.detail} operations, from the image",
    "key": lambda step, cycles, case, outcome: f"{step.detail} bytes set",
    "file": _file,
    "refused": lambda step, cycles, case, outcome: (
        f"the patch with one bit changed: {meaning(step)} at byte {step.detail:,}: {_cost(cycles)}"
    ),
    "apply": lambda step, cycles, case, outcome: (
        f"the patch checked, written, read back, known answer right on the core: {_cost(cycles)}"
    ),
    "trial": lambda step, cycles, case, outcome: f"the patch verified again and loaded: {_cost(cycles)}",
    "confirm": lambda step, cycles, case, outcome: f"the patch stays; counter and root are burnt: {_cost(cycles)}",
}
