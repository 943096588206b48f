"""`pip install lutra_asip-*.whl` in an empty environment gives everything but a checkout's tests and campaigns."""

from __future__ import annotations

import json
import re
import shutil
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterator
from email import message_from_bytes
from hashlib import sha256
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CTR
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from lutra.cli.main import main
from lutra.soc.packets import pcap
from lutra.soc.packets.pcap import RAW, Capture, Frame
from support.documents import ROOT, blocks
from support.installation import Installed, pinned

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
# Made by CMake: by folder of the package.
GENERATED = {
    "isa": {"coverage.json", "isa-reference.md", "paths.py", "tables.json"},
    "iss": {"_iss.so", "_iss.pyi"},
    "rtl": {"_rtl.so", "_rtl.pyi"},
    "firmware": {"_loader.so", "_loader.pyi"},
    "soc": {f"{name}{end}" for name in ("_driver", "_model") for end in (".so", ".pyi")},
    "cosim": {"_lockstep.so", "_lockstep.pyi"},
    "coverage": {"_collector.so", "_collector.pyi"},
    "profile": {"_profile.so", "_profile.pyi"},
}


def below(folder: Path) -> set[str]:
    """Files of a folder of the checkout, without what Python leaves there."""
    return {f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file() and "__pycache__" not in f.parts}


def test_it_holds_all_files_of_the_rooms_and_no_other(wheel: Path) -> None:
    packages = PROJECT["tool"]["scikit-build"]["wheel"]["packages"]
    expected = {f"{package}/{name}" for package, folder in packages.items() for name in below(ROOT / folder)}
    firmware = {name for name in below(ROOT / "firmware") if not name.startswith("host/")} - {"CMakeLists.txt"}
    expected |= {f"lutra/firmware/src/{name}" for name in firmware}
    expected |= {f"lutra/firmware/vectors/{name}" for name in below(ROOT / "tests/vectors")}
    expected |= {f"lutra/{folder}/{name}" for folder, names in GENERATED.items() for name in names}
    with ZipFile(wheel) as archive:
        names = {re.sub(r"\.(cpython-\S+|abi3)\.so$", ".so", n) for n in archive.namelist() if ".dist-info/" not in n}
    assert names == expected


def test_nothing_in_it_names_a_folder_of_this_machine(wheel: Path) -> None:
    folders = {ROOT, Path.home(), Path(tempfile.gettempdir()), Path(sysconfig.get_path("include"))} - {Path("/")}
    # As an absolute path, not as the end of a relative one.
    pattern = re.compile(rb"(?<![\w.-])(?:" + b"|".join(re.escape(bytes(f)) for f in folders) + b")/")
    with ZipFile(wheel) as archive:
        found = {(name, match[0]) for name in archive.namelist() for match in pattern.finditer(archive.read(name))}
    assert not found


def test_it_is_small(wheel: Path) -> None:
    megabytes = wheel.stat().st_size / 1e6
    assert megabytes < 5.5
    stated = re.search(r"\(it has ([\d.]+) MB\)", (ROOT / "docs/how-to/pin-a-version.md").read_text())
    assert stated and abs(float(stated[1]) - megabytes) < 0.5


def test_it_needs_what_the_tests_ran_with_or_newer() -> None:
    """Each dependency begins at the version of the lock, and ends before the next one that may break."""
    lock = dict(re.findall(r"(?m)^([\w.-]+)==([\w.]+)", (ROOT / ".ci/requirements.lock").read_text()))
    needs = [Requirement(text) for text in PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]]
    for need in needs:
        bounds = {s.operator: s.version for s in need.specifier}
        assert bounds.keys() == {">=", "<"}, need
        assert bounds[">="] == lock[need.name], f"{need}: the lock has {lock[need.name]}"


def test_every_dependency_is_imported_outside_of_the_tests() -> None:
    packages: dict[str, set[str]] = {}
    for package, distributions in packages_distributions().items():
        for distribution in distributions:
            packages.setdefault(canonicalize_name(distribution), set()).add(package)
    sources = [*ROOT.glob("*/lutra/**/*.py"), *ROOT.glob("*/*/lutra/**/*.py")]
    imported = {name for p in sources for name in re.findall(r"(?m)^\s*(?:from|import) (\w+)", p.read_text())}
    needs = [canonicalize_name(Requirement(text).name) for text in PROJECT["project"]["dependencies"]]
    assert [need for need in needs if not packages[need] & imported] == []


def test_its_metadata_need_no_tool_of_the_tests(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(archive.read(name))
    needs = [Requirement(text) for text in metadata.get_all("Requires-Dist", [])]
    assert {need.name for need in needs if need.marker is None} == {
        "cryptography",
        "lark",
        "msgspec",
        "pygls",
        "rich",
        "textual",
        "typer",
    }
    assert metadata["Version"] == PROJECT["project"]["version"]


def test_another_file_than_the_one_pinned_is_refused(empty: Installed, wheel: Path) -> None:
    requirements = empty.folder / "wrong.txt"
    requirements.write_text(pinned(wheel, sha256(b"another").hexdigest()))
    done = empty.pip("download", "--no-deps", "--no-index", "-d", "nowhere", "-r", requirements)
    requirements.unlink()
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr


# ------------------------------------------------------------------------------------------ what is installed


def test_it_is_what_is_imported(installed: Installed) -> None:
    done = installed.run(installed.prefix / "bin/python", "-c", "import lutra, sys; print(lutra.__path__, sys.path)")
    assert str(installed.prefix) in done.stdout
    assert str(ROOT) not in done.stdout


def test_its_version_is_that_of_the_project_alone(installed: Installed) -> None:
    assert installed.lutra("--version") == f"lutra {PROJECT['project']['version']}\n"


def test_every_command_answers_help(installed: Installed) -> None:
    commands = re.findall(r"(?m)^  ([a-z]+) ", installed.lutra("--help").partition("Commands:")[2])
    assert {"asm", "run", "kat", "bench", "cosim", "demo"} <= set(commands)
    program = f"from lutra.cli.main import main\nfor name in {commands}: assert main([name, '--help']) == 0"
    done = installed.run(installed.prefix / "bin/python", "-c", program)
    assert done.returncode == 0, done.stderr
    assert all(f"Usage: lutra {name} " in done.stdout for name in commands)


def test_the_first_firmware_of_the_readme_runs_in_lock_step(installed: Installed) -> None:
    source, *commands = (b.text for b in blocks(ROOT / "README.md") if b.mark in ("first.s", "commands"))
    assert "--engine cosim" in commands[0]
    (installed.folder / "first.s").write_text(source)
    done = installed.run("bash", "-e", "-c", "".join(commands).replace("./lutra ", "lutra "))
    assert done.returncode == 0, done.stderr
    assert "halt" in done.stdout
    assert (installed.folder / "out.bin").read_bytes() == bytes(range(16)) * 256


# To assemble firmware for one file of each folder of vectors takes a quarter of a minute.
EXAMPLES = ("aes_fips197.json", "zuc_ts35223.json", "crc_catalogue.json")
ALL = pytest.mark.nightly("all firmware is assembled; three of its folders by day, and all files are in the wheel")


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_what_it_encrypts_is_right(engine: str, installed: Installed) -> None:
    key, iv, text = bytes(range(32)), bytes(range(16)), b"not a whole number of blocks" * 50
    (installed.folder / "text").write_bytes(text)
    options = ("--cipher", "aes-256-ctr", "--key", key.hex(), "--iv", iv.hex(), "--engine", engine)
    installed.lutra("crypt", *options, "text", "encrypted")
    library = Cipher(AES256(key), CTR(iv)).encryptor()
    assert (installed.folder / "encrypted").read_bytes() == library.update(text) + library.finalize()


@pytest.mark.parametrize("names", [EXAMPLES, pytest.param((), id="all", marks=ALL)])
def test_the_examples_of_the_standards_pass_as_in_the_checkout(
    names: tuple[str, ...], installed: Installed, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder,) = installed.prefix.glob("lib/python*/site-packages/lutra/firmware/vectors")
    assert main(["kat", "--limit", "1", "--json", *(str(ROOT / "tests/vectors" / name) for name in names)]) == 0
    own = installed.lutra("kat", "--limit", "1", "--json", *(folder / name for name in names))
    assert own == capsys.readouterr().out


def test_every_command_on_a_file_does_its_work(installed: Installed) -> None:
    (installed.folder / "check").write_bytes(b"123456789")
    assert "cbf43926" in installed.lutra("crc", "--algorithm", "crc-32", "check")
    options = ("--algorithm", "aes-128-cmac", "--key", "2b7e151628aed2a6abf7158809cf4f3c")
    (installed.folder / "nothing").write_bytes(b"")
    assert "bb1d6929e95937287fa37d129b756746" in installed.lutra("mac", *options, "nothing")  # RFC 4493, example 1
    (installed.folder / "plain.pcap").write_bytes(pcap.write(Capture(RAW), [Frame(bytes([0x45]) + bytes(39))]))
    tunnel = ("--spi", "256", "--key", "00" * 20, "--tunnel", "::1,::2")
    installed.lutra("packets", *tunnel, "plain.pcap", "esp.pcap")
    assert b"\x60" in (installed.folder / "esp.pcap").read_bytes()
    assert "zuc-128" in installed.lutra("ciphers")
    assert "xor" in installed.lutra("isa", "xor")


@pytest.mark.nightly(
    "a demonstration, a campaign, a benchmark and firmware of one's own from the wheel; commands of each room by day"
)
def test_every_command_that_takes_long_does_its_work(installed: Installed) -> None:
    (row,) = json.loads(installed.lutra("bench", "--json", "--cipher", "aes-128-ctr", "--variant", "fused"))
    assert row["steady_cycles_per_unit"] == 5.0
    assert "1 program" in installed.lutra("campaign", "run", "--seeds", "0:1")
    assert "equal to `openssl enc" in installed.lutra("demo")
    installed.lutra("new", "otter")
    assert "11 passed, 0 failed (cosim, rounds 2)" in installed.lutra("test", "otter", "-Werror")


@pytest.fixture
def without_core(installed: Installed, tmp_path: Path) -> Iterator[Installed]:
    """A wheel built without Verilator."""
    (folder,) = installed.prefix.glob("lib/python*/site-packages/lutra/rtl")
    modules = list(folder.glob("_rtl*"))
    assert modules
    for module in modules:
        shutil.move(module, tmp_path)
    yield installed
    for module in modules:
        shutil.move(tmp_path / module.name, folder)


def test_without_the_core_its_engines_say_how_to_get_it_and_everything_else_works(without_core: Installed) -> None:
    without_core.lutra("kat", ROOT / "tests/vectors/aes_fips197.json")
    without_core.lutra("new", "vole")
    assert "11 passed, 0 failed (iss, rounds 2)" in without_core.lutra("test", "vole")
    done = without_core.run(without_core.prefix / "bin/lutra", "kat", "--engine", "cosim")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "lutra: error: this installation has no Verilated core: run `make build` in a checkout, or install a wheel "
        "that was built with Verilator; --engine iss needs none\n"
    )
