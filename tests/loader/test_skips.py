"""Faults of the host while it boots: each instruction of the loader left out, each branch turned.

The loader runs on RV32 (skip.c), and firmware that it must refuse is in the slot. Of each instruction that decides, the
first executions are left out, one in each run. The arithmetic of the curve and the hash are not among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import run

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from loader_checks.build import CRYPTO, CURVE, FREESTANDING, GENERATED, HASH, LOADER, RV32, STANDARD
from support.loader import GRANULE, SECTOR, SLOT, Board
from support.packs import INPUT, ROOT_KEY, TABLE, Key, Pack, Root, algorithm, encode
from support.rv32 import Hart

HERE = Path(__file__).parent
BYTES = 1 << 20
STACK = BYTES - 16
# Executions of each instruction that are left out: loops go round in the same way again and again.
TIMES = 1
MORE_TIMES = 2
NOT_DECIDING = {FREESTANDING, HASH.name, "memory_device.c", "skip_device.c"}
OF_THE_CURVE = {"lutra_ed25519_check", "decode_minus", "is_below_order", "has_small_order"}
GOOD = Pack(counter=2, algorithms=[algorithm(input=[2, 0, 64])])
OTHER_TABLE = bytes(each ^ 0xFF for each in TABLE)
OTHER_OUTPUT = bytes(a ^ b for a, b in zip(OTHER_TABLE, INPUT, strict=True))
OTHER = GOOD.but(
    images=[[[4, 0, OTHER_TABLE], *GOOD.images[0][1:]]],
    answers=[["xor", 0, [[0, 2, 0, INPUT], [1, 0, 5], [2, 3, 0, OTHER_OUTPUT]]]],
)
# Each as long as the one that was installed, whose size is in the boot record.
WRONG = {
    "signature": encode([*OTHER.envelope()[:4], GOOD.envelope()[4], *OTHER.envelope()[5:]]),
    "root": OTHER.but(roots=[Root(1, [ROOT_KEY], [Key("other")])], signers=[Key("other")]).bytes,
    "digest": GOOD.bytes.replace(TABLE, OTHER_TABLE),
    "counter": OTHER.but(counter=1).bytes,
}


class NoDevice:
    """Nothing but memory."""

    def read(self, offset: int) -> int:
        raise AssertionError(f"a load from {offset:#x}")

    def write(self, offset: int, value: int) -> None:
        raise AssertionError(f"a store to {offset:#x}")


@dataclass(frozen=True)
class Outcome:
    """boots: the faults after which firmware runs; counts: of runs by their end; fair: it boots without a fault."""

    boots: list[str]
    counts: dict[str, int]
    fair: bool


# The object file of each source.
OBJECTS: dict[Path, Path] = {}


class Program:
    """The loader and its device for a bare hart. without: a file of its sources, a text in it, and one in its place."""

    def __init__(self, folder: Path, without: tuple[str, str, str] | None = None) -> None:
        sources = [path for path in sorted((LOADER / "src").glob("*.c")) if path.name != "text.c"]
        if without is not None:
            name, old, new = without
            text = (LOADER / "src" / name).read_text()
            assert text.count(old) == 1
            (folder / name).write_text(text.replace(old, new))
            sources = [folder / name if path.name == name else path for path in sources]
        includes = [
            f"-I{path}" for path in (HERE / "bare", HERE, LOADER / "include", LOADER / "src", CRYPTO, GENERATED)
        ]
        target = [*(flag for flag in RV32 if "march" not in flag), "-march=rv32im", "-mno-relax"]
        files = [*sources, HASH, HERE / "memory_device.c", HERE / "skip_device.c"]
        for source in (path for path in files if path not in OBJECTS):
            made = folder / f"{source.stem}.o"
            run(
                [
                    "clang-19",
                    STANDARD,
                    *target,
                    "-Oz",
                    "-w",
                    "-ffunction-sections",
                    *includes,
                    "-c",
                    source,
                    "-o",
                    made,
                ],
                check=True,
            )
            OBJECTS[source] = made
        objects = [OBJECTS[source] for source in files]
        self.elf, self.tool, self.folder = folder / "loader.elf", folder / "skip", folder
        link = ["ld.lld-19", "-melf32lriscv", "-Ttext=0x1000", "-eboot", "-umake", "--gc-sections", "-z", "norelro"]
        run([*link, *objects, "-o", self.elf], check=True)
        run(["clang-19", STANDARD, "-D_GNU_SOURCE", "-O2", HERE / "skip.c", "-o", self.tool], check=True)

    def ranges(self, only: str = "") -> Iterator[str]:
        """The functions whose instructions decide: of the loader, without the arithmetic. only: one of them alone."""
        with self.elf.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            assert isinstance(table, SymbolTableSection)
            source = ""
            for symbol in table.iter_symbols():
                kind, bind = symbol["st_info"]["type"], symbol["st_info"]["bind"]
                if kind == "STT_FILE":
                    source = symbol.name
                local = bind == "STB_LOCAL" and source not in {*NOT_DECIDING, CURVE.name}
                decides = local or symbol.name.startswith("lutra_") or symbol.name in OF_THE_CURVE
                if kind == "STT_FUNC" and decides and only in ("", symbol.name):
                    yield f"{symbol['st_value']:#x}-{symbol['st_value'] + symbol['st_size']:#x}"

    def boot(self, board: Board, ranges: Iterable[str] = (), times: int = TIMES) -> Outcome:
        hart = Hart(bytearray(BYTES), NoDevice(), self.elf, STACK)
        hart.call("make", SECTOR, GRANULE, SLOT)
        pointers = ("flash", "fuses", "running", "table")
        places = {n: int.from_bytes(hart.memory[hart.symbols[n] :][:4], "little") for n in pointers}
        for name, data in (("flash", board.flash), ("fuses", board.fuses)):
            hart.memory[places[name] : places[name] + len(data)] = data
        image = self.folder / "memory.bin"
        image.write_bytes(hart.memory)
        entry, check = hart.symbols["boot"], hart.symbols["lutra_ed25519_check"]
        numbers = [entry, STACK, check, places["running"], places["table"], times]
        told = run([self.tool, image, *map(str, numbers), *ranges], check=True, capture_output=True, text=True)
        *boots, last = told.stdout.splitlines()
        counts = {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", last)}
        return Outcome(boots, counts, last.endswith("it boots"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(tmp_path_factory.mktemp("skips"))


@pytest.fixture
def installed(board: Board) -> Board:
    """A device with firmware that boots."""
    board.install(GOOD.bytes)
    return board


def test_the_firmware_that_was_installed_boots(program: Program, installed: Board) -> None:
    assert program.boot(installed).fair


# The function that asks for both passes.
TWICE = "lutra_pack_accept"
MORE = pytest.mark.nightly("half a minute for each; here the faults are where a single pass would boot what is wrong")


@pytest.mark.parametrize(
    ("what", "times", "only"),
    [("signature", TIMES, TWICE), *(pytest.param(what, MORE_TIMES, "", marks=MORE) for what in WRONG)],
)
def test_firmware_that_is_wrong_boots_after_no_single_fault(
    program: Program, installed: Board, what: str, times: int, only: str
) -> None:
    assert len(WRONG[what]) == len(GOOD.bytes)
    installed.write_flash(installed.slot_at(0), WRONG[what])
    outcome = program.boot(installed, program.ranges(only), times)
    assert not outcome.fair
    assert outcome.boots == []
    assert outcome.counts["faults"] > (10 if only else 1000)


def test_with_one_pass_a_single_fault_boots_what_is_wrong(tmp_path: Path, installed: Board) -> None:
    second = "lutra_good(error) ? check_all(device, &again, input, primary, pack) : 0"
    once = Program(tmp_path, ("accept.c", second, "first"))
    installed.write_flash(installed.slot_at(0), WRONG["signature"])
    assert once.boot(installed, once.ranges(TWICE)).boots
