"""The manifests of lutra_axi name its files, and FuseSoC reads them and has Verilator read those."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml
from ipyxact.ipyxact import Component

from lutra.soc import ipxact
from lutra.soc.generate import REGISTERS, elaborate
from lutra.soc.ipxact import TOP as TOP_SOURCE
from lutra.soc.packaging import COMMAND, PLAIN, ROOT, TOP, checker, design, manifests, plain

# Written by hand; what is generated is in build/gen.
OWN = {file.relative_to(ROOT).as_posix() for folder in ("rtl", "soc/rtl") for file in (ROOT / folder).glob("*.sv")}
VERILATOR = f"lib/python3.{sys.version_info.minor}/site-packages/verilator/share/verilator/bin"


@pytest.mark.parametrize(("name", "text"), [*manifests()], ids=[name for name, _ in manifests()])
def test_the_manifest_is_that_of_the_lists(name: str, text: str) -> None:
    assert (ROOT / name).read_text() == text, f"run: {COMMAND}"


def test_every_file_is_listed_once_and_exists() -> None:
    files = design()
    assert len(set(files)) == len(files)
    assert {file for file in files if not file.startswith("build/")} == OWN
    assert all((ROOT / file).is_file() for file in (*files, *checker()))


def test_bender_has_the_files_in_their_order() -> None:
    manifest = yaml.safe_load((ROOT / "Bender.yml").read_text())
    rtl, simulation = manifest["sources"]
    assert rtl["files"] == design() and simulation == {"target": "simulation", "files": checker()}
    assert all((ROOT / folder).is_dir() for folder in manifest["export_include_dirs"])


def test_verilator_takes_the_plain_list(tmp_path: Path) -> None:
    place = ROOT / PLAIN
    place.write_text(plain())
    command = [
        "verilator_bin",
        "--lint-only",
        "-Wno-fatal",
        "--no-timing",
        "--top-module",
        TOP,
        "-F",
        str(place),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_ipxact_has_the_interfaces_ports_and_registers(tmp_path: Path) -> None:
    place = tmp_path / "lutra_axi.xml"
    ipxact.write(place, design(), "1.0")
    component = Component()
    component.load(str(place))
    names = {port.name for port in component.model.ports.port}
    top = TOP_SOURCE.read_text().partition("\n);\n")[0]
    assert names == set(re.findall(r"\b(\w+),?$", top.partition(") (")[2], re.M)) and "m_axi_rlast" in names
    assert [interface.name for interface in component.busInterfaces.busInterface] == [*ipxact.BUSES]
    # Those of the edition of 2014 are beyond the library.
    physical = ET.parse(place).iterfind(f".//{{{ipxact.NAMESPACE}}}physicalPort")
    mapped = {element.findtext(f"{{{ipxact.NAMESPACE}}}name") for element in physical}
    assert mapped == names - {"clk_i", "rst_ni", "irq_o", "escalate_i", "alert_o"}
    [memory_map] = component.memoryMaps.memoryMap
    registers = {register.name for block in memory_map.addressBlock for register in block.register}
    assert registers >= {node.inst_name for node in elaborate()[REGISTERS].registers()}
    [files] = component.fileSets.fileSet
    assert [file.name for file in files.file] == design()


def fusesoc(folder: Path, core: str) -> subprocess.CompletedProcess[str]:
    """Lint a core file by FuseSoC, in a folder without what else a checkout has."""
    (folder / f"{TOP}.core").write_text(core)
    for name in ("rtl", "soc/rtl", "soc/checker", "build/gen"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(ROOT / name)
    paths = [str(Path(sys.prefix) / VERILATOR), os.environ["PATH"]]
    command = [sys.executable, "-m", "fusesoc.main", "--cores-root", str(folder), "run", "--target", "lint"]
    command += ["--build-root", str(folder / "out"), f"lutra:ip:{TOP}"]
    environment = os.environ | {"PATH": os.pathsep.join(paths), "XDG_CONFIG_HOME": str(folder)}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)


@pytest.mark.nightly(
    "Verilator's lint of the same files, of which `make lint` has one; that a missing file is found is tested by day"
)
def test_fusesoc_lints_the_core_file(tmp_path: Path) -> None:
    core = (ROOT / f"{TOP}.core").read_text()
    done = fusesoc(tmp_path, core)
    assert done.returncode == 0, done.stdout + done.stderr
    [arguments] = (tmp_path / "out").rglob("*.vc")
    named = [Path(line).resolve() for line in arguments.read_text().split() if line.endswith(".sv")]
    assert [file.name for file in named] == [Path(file).name for file in (*design(), *checker())]


def test_fusesoc_finds_that_a_file_is_missing(tmp_path: Path) -> None:
    core = (ROOT / f"{TOP}.core").read_text()
    done = fusesoc(tmp_path, re.sub(r" +- rtl/lutra_agu.sv\n", "", core))
    assert done.returncode != 0 and "lutra_agu" in done.stdout + done.stderr
