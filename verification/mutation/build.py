"""The mutated build: simulator and core with all mutants compiled in, next to the real one."""

from __future__ import annotations

import re
from pathlib import Path

from mutation import cplusplus, systemverilog
from mutation.schemata import CPLUSPLUS, SYSTEMVERILOG, Mutant, Writer, every
from variant import ROOT, Variant, write_if_changed

WORK = ROOT / "build" / "mutation"
SELECTOR = Path(__file__).parent / "selector"

GENERATED = (
    "build/gen/sv/lutra_blocks.sv",
    "build/gen/sv/lutra_first_half.sv",
    "build/gen/sv/lutra_decoder.sv",
    "build/gen/sv/lutra_address.sv",
    "build/gen/sv/lutra_hazards.sv",
    "build/gen/sv/lutra_isa_pkg.sv",
)
# The decoder repeats the same code per instruction; one in this many of its mutants represents the others.
EVERY = {"build/gen/sv/lutra_decoder.sv": 12}
# The simulator without its binding, and without the record, which belongs to the comparison.
SIMULATOR = (
    "decode.cpp",
    "execute.cpp",
    "execute_common.hpp",
    "execute_control.hpp",
    "execute_vector.hpp",
    "functions.hpp",
    "host.hpp",
    "machine.cpp",
    "machine.hpp",
    "stream.hpp",
    "timing.hpp",
    "value.hpp",
)
# A function inlined in every place of its use would duplicate its mutants.
PACKAGE_FUNCTION = re.compile(r"(function automatic [^;]*;)")


def mutate() -> tuple[dict[str, str], list[Mutant]]:
    """The mutated texts by path within the checkout, and their mutants."""
    writer = Writer()
    texts: dict[str, str] = {}
    hardware = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "rtl").glob("*.sv"))
    for name in (*hardware, *GENERATED):
        source = (ROOT / name).read_text()
        sites = list(every(systemverilog.sites(source), EVERY.get(name, 1)))
        text = writer.write(name, source, sites, SYSTEMVERILOG)
        if name.endswith("_pkg.sv"):
            text = PACKAGE_FUNCTION.sub(r"\1  /*verilator no_inline_task*/", text)
        texts[name] = text
    for name in (f"iss/src/{file}" for file in SIMULATOR):
        source = (ROOT / name).read_text()
        texts[name] = writer.write(name, source, cplusplus.sites(source), CPLUSPLUS)
    return texts, writer.mutants


def build(jobs: int) -> tuple[list[str], list[Mutant]]:
    """The search path of the mutated toolchain, and its mutants."""
    header = WORK / "tree/iss/src/lutra_mutant.hpp"
    # Optimised for a short build: most mutants die within a fraction of a second. Mutants are in what interprets.
    variant = Variant(WORK, f"-O1 -w -Wno-c++11-narrowing -include {header}", jobs, translates=False)
    texts, mutants = mutate()
    added = {
        "iss/src/lutra_mutant.hpp": (SELECTOR / "lutra_mutant.hpp").read_bytes(),
        "iss/src/lutra_mutant.cpp": (SELECTOR / "lutra_mutant.cpp").read_bytes(),
        "rtl/mutation.vlt": (SELECTOR / "mutation.vlt").read_bytes(),
    }
    variant.copy(added | {name: text.encode() for name, text in texts.items() if name not in GENERATED})
    variant.generate()
    for name in GENERATED:
        write_if_changed(variant.tree / name, texts[name])
    variant.build()
    return variant.search_path, mutants
