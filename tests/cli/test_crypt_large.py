"""`lutra crypt` of files larger than any job: its bytes, and its memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from support.cli import Lutra

KEY = bytes(range(16))
IV = bytes(range(0xF0, 0x100))
OPTIONS = ["--key", KEY.hex(), "--iv", IV.hex()]
CTR = ["crypt", "--cipher", "aes-128-ctr", *OPTIONS]
MB = 1_000_000
# The command, and the most memory that its process has had: `ru_maxrss` would include that of the process before exec.
MEASURED = """
import sys
from lutra.cli.main import main
try:
    main()
finally:
    status = open("/proc/self/status").read()
    print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""


def openssl(data: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(KEY), modes.CTR(IV)).encryptor()
    return encryptor.update(data) + encryptor.finalize()


@pytest.mark.parametrize(("engine", "size"), [("iss", 5 * MB), ("rtl", MB // 4), ("cosim", MB // 4)])
def test_messages_of_many_jobs_are_those_of_openssl_on_every_engine(engine: str, size: int, lutra: Lutra) -> None:
    data = os.urandom(size + 5)
    Path("plain").write_bytes(data)
    assert lutra(*CTR, "--engine", engine, "plain", "enc").code == 0
    assert Path("enc").read_bytes() == openssl(data)


def most_memory(size: int, cipher: str = "aes-128-ctr", pipes: bool = False) -> int:
    """Bytes that a process of `lutra crypt` needs for a message of some size, with files or with pipes."""
    with Path("plain").open("wb") as file:
        file.truncate(size)
    names = ["-", "-"] if pipes else ["plain", "enc"]
    command = [sys.executable, "-c", MEASURED, "crypt", "--cipher", cipher, *OPTIONS, *names]
    with Path("plain").open("rb") as source:
        feed = subprocess.Popen(["cat"], stdin=source, stdout=subprocess.PIPE)
    run = subprocess.run(command, stdin=feed.stdout, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    assert feed.stdout is not None
    feed.stdout.close()
    feed.wait(timeout=60)
    assert pipes or Path("enc").stat().st_size >= size
    return 1024 * int(run.stderr)


@pytest.mark.parametrize("pipes", [False, True], ids=["files", "pipes"])
def test_ten_times_the_message_takes_no_more_memory(pipes: bool) -> None:
    assert most_memory(20 * MB, pipes=pipes) - most_memory(2 * MB, pipes=pipes) < 2 * MB


def test_a_message_with_a_tag_is_held_in_memory() -> None:
    """Decryption writes nothing before it has verified the tag. This also shows that the measurement sees memory."""
    more = most_memory(6 * MB, "aes-128-gcm") - most_memory(MB, "aes-128-gcm")
    assert more > 5 * MB
