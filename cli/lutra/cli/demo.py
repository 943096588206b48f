"""`lutra demo`: encrypt real files on the processor and compare with OpenSSL."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import time
from io import BytesIO
from pathlib import Path

from lutra.cli.bench import table
from lutra.cli.errors import CliError
from lutra.cli.output import progress
from lutra.firmware import bench
from lutra.firmware.crypt import stream
from lutra.firmware.manifest import assembled, catalogue
from lutra.firmware.session import Session
from lutra.iss import engine as engines

CIPHER = "aes-128-ctr"
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
# The low half of the counter overflows within the generated data.
IV = bytes.fromhex("f0f1f2f3f4f5f6f7fffffffffffff000")
# Not a multiple of a block, and a few seconds in lock-step.
GENERATED_BYTES = 300_001


def command() -> None:
    """Encrypt files in lock-step and compare with OpenSSL.

    Encrypts README.md of the current folder and generated data on simulator and core.

    \b
    Example:
      lutra demo
    """
    readme = Path("README.md")
    inputs = {
        "README.md": readme.read_bytes() if readme.is_file() else None,
        "generated data": hashlib.shake_256(b"lutra demo").digest(GENERATED_BYTES),
    }
    cipher = catalogue().cipher(CIPHER)
    image = assembled(cipher.default.image)
    names = ", ".join(s.name for s in cipher.default.image.sources)
    print(f"assembled {names}: {len(image.program)} instruction words")
    session = Session(engines.make("cosim"))
    openssl = shutil.which("openssl")
    if openssl is None:
        print("openssl is not installed: the results are NOT compared with it")
    for name, data in inputs.items():
        if data is None:
            print(f"no {name} in this folder: skipped")
            continue
        _encrypt(session, name, data, openssl)
    print("\ncycles per block, from the core's counters:\n")
    ciphers = [catalogue().cipher(f"aes-{bits}-ctr") for bits in (128, 192, 256)]
    print(table(list(bench.measure(ciphers, "rtl"))))


def _encrypt(session: Session, name: str, data: bytes, openssl: str | None) -> None:
    cipher = catalogue().cipher(CIPHER)
    begun = time.monotonic()
    before = session.usage.cycles
    session.set_up(cipher, "encrypt", KEY, IV)
    with progress(f"encrypting {name}", len(data)) as done:
        result = b"".join(stream(session, cipher, "encrypt", BytesIO(data), size=len(data), progress=done))
    cycles, seconds = session.usage.cycles - before, time.monotonic() - begun
    print(f"{name}: {len(data)} bytes, {CIPHER}, simulator and core in lock-step: {cycles} cycles in {seconds:.1f} s")
    if openssl is None:
        return
    command = [openssl, "enc", f"-{CIPHER}", "-K", KEY.hex(), "-iv", IV.hex()]
    run = subprocess.run(command, input=data, capture_output=True, check=False)
    if run.returncode:
        raise CliError(f"openssl enc failed: {run.stderr.decode(errors='replace').strip()}")
    if run.stdout != result:
        raise CliError(f"{name}: the output differs from OpenSSL's")
    print(f"{name}: equal to `openssl enc -{CIPHER}`")
