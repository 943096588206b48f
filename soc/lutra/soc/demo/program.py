"""The program of the demo's host, and RAM as it is when the host starts."""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from lutra.firmware import device, pack
from lutra.firmware._loader import FUSE_BYTES
from lutra.firmware.device import Layout
from lutra.firmware.pack.records import PackVersion
from lutra.isa import load as load_isa
from lutra.soc.demo.packs import AES, CHACHA, TABLE_SPACE, Cipher, Vendor
from lutra.soc.system import BUILD as SYSTEM_BUILD
from lutra.soc.system import CLANG, ROOT, SYSTEMS, run_tool

BUILD = SYSTEM_BUILD.parent / "demo"
DEMO = SYSTEMS / "demo"
DRIVER, LOADER = ROOT / "soc" / "driver", ROOT / "patch" / "loader"
LAYOUT = Layout(sector_bytes=1024, granule_bytes=8, slot_bytes=20 * 1024)
# `RESULT` of system.h and the stack begin where the message ends; the stack has the rest.
TEXT_AT, RESULT_AT = 0x40000, 0x60000
MOST_BYTES = 96 * 1024
SKEW = 1
PACKET_BYTES = 1024
BEFORE, AFTER = AES, CHACHA
# Sources of the loader that the demo does without: it has a library of its own, and no user reads its results.
REPLACED = ("freestanding.c", "text.c")
# The number of the CSR that counts instructions, and whether the host has wfi and the device's interrupt.
HOSTS = {"ibex": (0xB02, 1), "picorv32": (0xC02, 0)}


@dataclass(frozen=True)
class Program:
    """A program, and the places of its variables in RAM."""

    words: str
    symbols: dict[str, int]

    def place(self, name: str) -> int:
        """The address of a variable."""
        return self.symbols[name]


def compile_host(host: str) -> Program:
    """Compile the program for a host, unless that has been done from the same sources."""
    sources = [SYSTEMS / "host" / "start.S", DEMO / "demo.c", DEMO / "library.c", *sorted((DRIVER / "src").glob("*.c"))]
    sources += [path for path in sorted((LOADER / "src").glob("*.c")) if path.name not in REPLACED]
    sources.append(LOADER / "monocypher" / "monocypher-ed25519.c")
    generated = ROOT / "build" / "gen"
    includes = [DEMO, SYSTEMS / "host", DRIVER / "include", LOADER / "include", LOADER / "src", LOADER / "monocypher"]
    includes += [generated / "soc", generated / "c"]
    instret, sleeps = HOSTS[host]
    isa = load_isa()
    defines = {
        "SECTOR_BYTES": LAYOUT.sector_bytes,
        "GRANULE_BYTES": LAYOUT.granule_bytes,
        "SLOT_BYTES": LAYOUT.slot_bytes,
        "PACK_BYTES": LAYOUT.slot_bytes,
        "INSTRET": instret,
        "SLEEPS": sleeps,
        "ROUNDS": isa.configuration.rounds[-1],
        "CONTEXTS": isa.configuration.contexts,
        "PROGRAM_WORDS": isa.machine["ProgramWords"],
        "MEMORY_ROWS": isa.machine["MemoryRows"],
        "TABLE_SPACE": next(space.code for space in isa.spaces if space.name == TABLE_SPACE),
    }
    script = SYSTEMS / "host" / "system.ld"
    options = [*(f"-D{name}={value}" for name, value in defines.items()), *(f"-I{folder}" for folder in includes)]
    command = [
        *CLANG,
        "-fno-builtin",
        "-fno-strict-aliasing",
        "-ffunction-sections",
        "-Wl,--gc-sections",
        *options,
        f"-Wl,-T,{script}",
        "-Wl,-melf32lriscv",
        *map(str, sources),
    ]
    digest = hashlib.sha256(repr(command).encode())
    for file in (script, *sources, *(file for folder in includes for file in sorted(folder.glob("*.h")))):
        digest.update(file.read_bytes())
    elf = BUILD / "programs" / f"{host}-{digest.hexdigest()[:16]}.elf"
    if not elf.exists():
        elf.parent.mkdir(parents=True, exist_ok=True)
        unfinished = elf.with_suffix(f".{os.getpid()}")
        run_tool([*command, "-o", str(unfinished)])
        unfinished.replace(elf)
    binary = elf.with_suffix(".bin")
    run_tool(["llvm-objcopy-19", "-O", "binary", str(elf), str(binary)])
    return Program(words(binary.read_bytes(), 0), symbols(elf))


def symbols(elf: Path) -> dict[str, int]:
    """The addresses of the variables of a program."""
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {s.name: s["st_value"] for s in table.iter_symbols() if s["st_info"]["type"] == "STT_OBJECT"}


def words(data: bytes, address: int) -> str:
    """Bytes at an address as $readmemh reads words of RAM."""
    data = bytes(address % 4) + data
    data += bytes(-len(data) % 4)
    values = (data[at : at + 4][::-1].hex() for at in range(0, len(data), 4))
    return f"@{address // 4:x}\n" + "\n".join(values) + "\n"


@dataclass(frozen=True)
class Case:
    """A run of the demo: the file, its keys, and the packs. flip: a byte and a bit of the patch to change."""

    file: bytes
    keys: tuple[bytes, bytes]
    ivs: tuple[bytes, bytes]
    first: bytes
    patch: bytes
    root_digest: bytes
    flip: tuple[int, int]

    @classmethod
    def make(cls, file: bytes) -> Case:
        """Keys and packs for a file, made on the spot."""
        vendor = Vendor.make()
        first = vendor.release(BEFORE, PackVersion(1, 0, 0), 1)
        patch = vendor.release(AFTER, PackVersion(1, 1, 0), 2)
        keys = (os.urandom(BEFORE.key_bytes), os.urandom(AFTER.key_bytes))
        ivs = (iv(BEFORE), iv(AFTER))
        return cls(file, keys, ivs, first, patch, pack.roots.trusted(vendor.roots), flip(patch))

    def expected(self, n: int) -> bytes:
        """The file before (0) and after (1) the patch."""
        return (BEFORE, AFTER)[n].reference(self.keys[n], self.ivs[n], self.file)


def flip(patch: bytes) -> tuple[int, int]:
    """A byte and a bit of a pack to change: in the middle of its image."""
    image = pack.decode(patch).parts[0]
    return patch.index(image) + len(image) // 2, 3


def iv(cipher: Cipher) -> bytes:
    """Random bytes, and a counter of 0, which a file does not overflow."""
    made = bytearray(os.urandom(16))
    made[4 * cipher.counter_word : 4 * cipher.counter_word + 4] = bytes(4)
    return bytes(made)


def provisioned(case: Case) -> tuple[bytes, bytes]:
    """Flash and fuses as they leave the factory: the first pack is confirmed. The loader does this on the simulator."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "device"
        device.create(folder, case.root_digest, device.Description("iss", 2, LAYOUT))
        with device.opened(folder) as opened:
            opened.update(case.first)
            flash, fuses = opened.folder.flash, opened.folder.fuses
            return flash.read(0, flash.layout.size), fuses.read(0, FUSE_BYTES)


def ram(program: Program, case: Case) -> str:
    """The contents of RAM for $readmemh."""
    flash, fuses = provisioned(case)
    numbers = (len(case.file), SKEW, PACKET_BYTES, len(case.patch), *case.flip)
    parameters = struct.pack("<6I", *numbers)
    for cipher, key, counter, gather in zip((BEFORE, AFTER), case.keys, case.ivs, (1, 0), strict=True):
        firmware = cipher.image()
        values = (
            *(firmware.operations[name].number for name in (cipher.set_key, cipher.crypt)),
            *(cipher.key_bytes, cipher.block_bytes, cipher.counter_word, cipher.counter_swapped, gather),
        )
        parameters += struct.pack("<7I32s16s", *map(int, values), key, counter)
    parts = {"parameters": parameters, "inbox": case.patch, "flash": flash, "fuses": fuses}
    return (
        program.words
        + "".join(words(data, program.place(name)) for name, data in parts.items())
        + words(case.file, TEXT_AT + SKEW)
    )
