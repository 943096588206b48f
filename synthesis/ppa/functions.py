"""Every function of the core's packages synthesized by itself: what a row of a block costs and how long it takes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ppa.area import GATE
from ppa.synthesis import HERE, dont_use, write_constraints
from ppa.tools import PpaError, Tools, yosys

_FUNCTION = re.compile(r"^ *function automatic (.+?) (\w+)\(([^)]*)\);", re.M)
_IMPORT = re.compile(r"^ *import (\w+)::\*;", re.M)
SCRIPTS = {"area": "", "mix": "-extra-map +/choices/han-carlson.v"}


@dataclass(frozen=True)
class Function:
    """A function of a package. arguments: as declared."""

    name: str
    result: str
    arguments: str
    packages: tuple[str, ...]

    def wrapper(self) -> str:
        """A module that does nothing else."""
        imports = " ".join(f"import {package}::*;" for package in self.packages)
        ports = "".join(f"input {a.strip()}, " for a in self.arguments.split(","))
        called = ", ".join(a.split()[-1] for a in self.arguments.split(","))
        head = f"module f_{self.name} {imports} ({ports}output {self.result} q_o);"
        return f"{head}\n  assign q_o = {self.packages[-1]}::{self.name}({called});\nendmodule\n"


def find(files: Sequence[Path]) -> list[Function]:
    """The functions of the packages among the files that a module calls."""
    texts = {path: path.read_text() for path in files}
    found = []
    for path, text in texts.items():
        if not path.stem.endswith("_pkg"):
            continue
        modules = "".join(other for place, other in texts.items() if not place.stem.endswith("_pkg"))
        packages = (*_IMPORT.findall(text), path.stem)
        for result, name, arguments in _FUNCTION.findall(text):
            if arguments.strip() and re.search(rf"\b{name}\(", modules):
                found.append(Function(name, result, arguments, packages))
    return found


def measure(
    functions: Sequence[Function], files: Sequence[Path], tools: Tools, folder: Path, say: Callable[[str], None]
) -> dict[str, dict[str, dict[str, float]]]:
    """Gates and ns by the name of the function and that of the ABC script. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_constraints(folder)
    packages = [path for path in files if path.stem.endswith("_pkg")]
    lines = []
    for function in functions:
        source = folder / f"f_{function.name}.sv"
        source.write_text(function.wrapper())
        lines.append(f"#: {function.name}")
        for script, adder in SCRIPTS.items():
            at = folder / f"{function.name}.{script}"
            abc = f"abc -liberty {tools.liberty} {dont_use()} -constr {folder}/abc.constr -D 10"
            lines += [
                "design -reset",
                f"read_slang --top f_{function.name} -D SYNTHESIS {' '.join(map(str, [*packages, source]))}",
                "flatten",
                f"synth -top f_{function.name} -noabc -run begin:check {adder}",
                f"tee -q -o {at}.log {abc} -script {HERE}/abc/{script}.abc",
                f"tee -q -o {at}.json stat -json -liberty {tools.liberty}",
            ]
    yosys("\n".join(lines), folder, say)
    return {f.name: {script: _result(folder / f"{f.name}.{script}") for script in SCRIPTS} for f in functions}


def _result(at: Path) -> dict[str, float]:
    text = Path(f"{at}.json").read_text()
    delays = re.findall(r"Delay = *([\d.]+) ps", Path(f"{at}.log").read_text())
    try:
        area = json.loads(text[text.index("{") :])["design"].get("area", 0.0)
    except (ValueError, KeyError) as error:
        raise PpaError(f"{at}.json is not what Yosys' stat writes") from error
    return {"gates": round(area / GATE), "ns": round(float(delays[-1]) / 1000, 3) if delays else 0.0}
