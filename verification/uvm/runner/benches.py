"""The UVM benches and their files: that of the core, and that of `lutra_axi` with its core, of the configuration that
LUTRA_CONFIGURATION names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BENCH = ROOT / "verification" / "uvm"
CONFIGURATION = os.environ.get("LUTRA_CONFIGURATION", "full")
BUILD = "build" if CONFIGURATION == "full" else f"build/configurations/{CONFIGURATION}"
GENERATED = ROOT / BUILD / "gen"
# They translate nothing here: a bench has no pieces, and looks at every instruction.
TRANSLATION = tuple(f"iss/src/translate/{path.name}" for path in sorted((ROOT / "iss/src/translate").glob("*.cpp")))
# Sources of each bench. It is rebuilt only if they change.
COMMON_INPUTS = (
    "verification/uvm/runner/benches.py", "verification/uvm/runner/build.py", "rtl/*.sv", "rtl/lutra.f", "rtl/lint.vlt",
    "iss/src/*.?pp", "iss/src/translate/*.?pp", f"{BUILD}/gen/sv/*", f"{BUILD}/gen/cpp/*",
    ".ci/verilator.lock", ".ci/uvm-library",
)  # fmt: skip
CORE_RTL = (
    f"+incdir+{ROOT}/rtl", "-F", str(GENERATED / "sv/lutra_packages.f"), "-F", f"{ROOT}/rtl/lutra.f",
    "-F", str(GENERATED / "sv/lutra_modules.f"),
)  # fmt: skip


@dataclass(frozen=True)
class Bench:
    """A bench. name: its folder in that of the build; options: of Verilator; sources: of device and bench, as slang
    takes them too; includes: folders of C++ headers; inputs: patterns of all files that it is made of."""

    name: str
    top: str
    options: tuple[str, ...]
    sources: tuple[str, ...]
    cpp_sources: tuple[str, ...]
    includes: tuple[str, ...]
    inputs: tuple[str, ...]

    @property
    def out(self) -> Path:
        return ROOT / BUILD / self.name

    @property
    def objects(self) -> Path:
        return self.out / "obj"

    @property
    def program(self) -> Path:
        return self.objects / "Vuvm"


CORE = Bench(
    name="uvm",
    top="tb_top",
    options=("rtl/lint.vlt", "rtl/sim/state.vlt"),
    sources=(
        *CORE_RTL,
        str(GENERATED / "sim/lutra_state_pkg.sv"),
        f"{ROOT}/rtl/sim/lutra_state.sv",
        "-F",
        f"{BENCH}/uvm.f",
    ),
    cpp_sources=(
        "iss/src/decode.cpp",
        "iss/src/execute.cpp",
        "iss/src/machine.cpp",
        *TRANSLATION,
        "rtl/sim/srams.cpp",
        "verification/lockstep/lockstep.cpp",
        "verification/lockstep/state.cpp",
        "verification/uvm/dpi/reference.cpp",
    ),
    includes=("iss/src", "rtl/sim", "verification/lockstep", f"{BUILD}/gen/cpp"),
    inputs=(
        *COMMON_INPUTS,
        "verification/uvm/*.sv",
        "verification/uvm/uvm.f",
        *(
            f"verification/uvm/{part}/*.sv*"
            for part in ("lutra_host_agent", "lutra_retire_agent", "env", "sequences", "tests")
        ),
        "verification/uvm/dpi/*",
        "verification/lockstep/*.?pp",
        "rtl/sim/*.?pp",
        "rtl/sim/*.sv",
        "rtl/sim/*.vlt",
        f"{BUILD}/gen/sim/*",
    ),
)
SOC = Bench(
    name="soc-uvm",
    top="soc_top",
    # Bins of covergroups, which the runner adds up.
    options=("--coverage-user", "rtl/lint.vlt", "soc/rtl/lint.vlt"),
    sources=(
        *CORE_RTL,
        f"+incdir+{ROOT}/soc/checker",
        "-F",
        f"{ROOT}/soc/rtl/lutra_soc.f",
        "-F",
        f"{ROOT}/soc/checker/lutra_checker.f",
        f"{ROOT}/soc/checker/lutra_axi_bind.sv",
        f"+incdir+{BENCH}/soc/library",
        str(GENERATED / "soc/lutra_axi_uvm_pkg.sv"),
        "-F",
        f"{BENCH}/soc/soc.f",
    ),
    cpp_sources=(
        "iss/src/decode.cpp",
        "iss/src/execute.cpp",
        "iss/src/machine.cpp",
        *TRANSLATION,
        *(
            f"soc/model/src/{path.name}"
            for path in sorted((ROOT / "soc/model/src").glob("*.cpp"))
            if path.name != "binding.cpp"
        ),
        "verification/uvm/soc/dpi/soc_reference.cpp",
    ),
    includes=("iss/src", "soc/model/include", "soc/model/src", f"{BUILD}/gen/cpp", f"{BUILD}/gen/soc"),
    inputs=(
        *COMMON_INPUTS,
        "verification/uvm/soc/**/*.*",
        "soc/rtl/*.sv",
        "soc/rtl/*.f",
        "soc/rtl/*.vlt",
        "soc/checker/*.*",
        "soc/model/*/*.?pp",
        "soc/model/include/*.h",
        f"{BUILD}/gen/soc/*",
    ),
)
BENCHES = {"core": CORE, "soc": SOC}
