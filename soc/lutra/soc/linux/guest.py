"""A guest with the module in it: how it boots, and what it says."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from lutra.soc.linux import initramfs
from lutra.soc.linux.bridge import Bridge
from lutra.soc.linux.cases import cases
from lutra.soc.linux.devices import Setup
from lutra.soc.linux.kernel import MODULES, SOURCE, Kernel, tool

MEGABYTES = 256
QEMU, QEMU_PACKAGE = "qemu-system-x86_64", "qemu-system-x86"


# The two sentences about all cases.
SENTENCES = (r"\d+ cases, all as expected", r"0 of \d+ processes at once failed")


@dataclass(frozen=True)
class Outcome:
    """The words of a guest. said: its lines. selftests: results of the kernel by driver."""

    log: str
    said: tuple[str, ...]
    selftests: dict[str, str]

    @property
    def unloaded(self) -> bool:
        """The module could be unloaded, and the guest came to its end."""
        return {"unloaded", "end"} <= set(self.said)

    @property
    def passed(self) -> bool:
        """All tests of the kernel and all cases passed."""
        return (
            self.unloaded
            and set(self.selftests.values()) == {"passed"}
            and all(any(re.fullmatch(sentence, line) for line in self.said) for sentence in SENTENCES)
            and not any(line.startswith("failed") for line in self.said)
        )


def outcome(log: str) -> Outcome:
    """Read what a guest printed."""
    said = tuple(line.removeprefix("lutra: ") for line in log.splitlines() if line.startswith("lutra: "))
    results = [m for line in said if (m := re.fullmatch(r"algorithm (\S+): (\w+)", line))]
    return Outcome(log, said, {m[1]: m[2] for m in results})


def build_init(folder: Path) -> Path:
    """Compile the guest's only program."""
    init = folder / "init"
    command = [tool("gcc", "gcc"), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-static"]
    subprocess.run([*command, "-o", str(init), str(SOURCE / "guest" / "init.c")], check=True)
    return init


def pack(kernel: Kernel, module: Path, init: Path, setup: Setup, parameters: str = "") -> bytes:
    """Return the initramfs. parameters: of the module, after those of the device."""
    modules = [*kernel.closure(MODULES), module]
    listed = [f"/modules.d/{file.name}" for file in modules]
    listed[-1] += f" {setup.parameters} {parameters}"
    return initramfs.archive(
        {
            "init": init.read_bytes(),
            "modules": "".join(f"{line}\n" for line in listed).encode(),
            "lib/firmware/lutra/stream.bin": setup.firmware,
            "cases": b"".join(case.pack() for case in cases(setup.drivers)),
            **{f"modules.d/{file.name}": file.read_bytes() for file in modules},
        }
    )


def run(kernel: Kernel, archive: bytes, setup: Setup, seconds: float = 600, show: bool = False) -> Outcome:
    """Boot a guest with a device and wait until it switches itself off. show: print what it says."""
    with tempfile.TemporaryDirectory(prefix="lutra-") as name:
        folder = Path(name)
        (folder / "initramfs").write_bytes(archive)
        bridge = Bridge(folder, MEGABYTES << 20, setup.maker)
        try:
            return outcome(_serve(bridge, _command(kernel, folder, bridge), seconds, show))
        finally:
            bridge.close()


# Two processors in turn. In threads of their own, QEMU 7.2 may miss that the kernel has patched its code.
ACCELERATOR = "tcg,thread=single"
# A guest that waits for its processor must not take its timer or a task for stuck: no_timer_check, nowatchdog.
APPEND = "console=ttyS0 loglevel=5 no_timer_check nowatchdog panic=-1 rdinit=/init"


def _command(kernel: Kernel, folder: Path, bridge: Bridge) -> list[str]:
    return [
        *(tool(QEMU, QEMU_PACKAGE), "-accel", ACCELERATOR, "-cpu", "max", "-smp", "2", "-m", str(MEGABYTES)),
        *("-object", f"memory-backend-file,id=ram,size={MEGABYTES}M,mem-path={bridge.ram},share=on"),
        *("-machine", "pc,memory-backend=ram"),
        *("-chardev", f"socket,id=lutra,path={bridge.socket}"),
        *("-device", "ivshmem-doorbell,vectors=1,chardev=lutra"),
        *("-kernel", str(kernel.image), "-initrd", str(folder / "initramfs")),
        *("-append", APPEND),
        *("-display", "none", "-serial", "stdio", "-monitor", "none", "-nodefaults", "-no-reboot"),
    ]


def _serve(bridge: Bridge, command: list[str], seconds: float, show: bool) -> str:
    end = time.monotonic() + seconds
    log = bytearray()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as qemu:
        try:
            bridge.connect(seconds=30)
            assert qemu.stdout is not None
            with selectors.DefaultSelector() as selector:
                selector.register(qemu.stdout, selectors.EVENT_READ)
                selector.register(bridge.doorbell, selectors.EVENT_READ)
                busy = False
                while time.monotonic() < end:
                    ready = [key.fileobj for key, _ in selector.select(0 if busy else 1)]
                    if qemu.stdout in ready:
                        text = os.read(qemu.stdout.fileno(), 65536)
                        if not text:
                            break
                        log += text
                        if show:
                            print(text.decode(errors="replace"), end="", flush=True)
                    if busy or bridge.doorbell in ready:
                        busy = bridge.work()
        finally:
            qemu.kill()
    return log.decode(errors="replace").replace("\r", "")
