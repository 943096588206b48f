"""Measure how long the assembler takes for a large program: `./lutra --with python -m assembly_speed`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from assembly_speed import once, program

_ROWS = {
    once.SOURCE: "first assembly in a process",
    once.AGAIN: "assembled again, nothing changed",
    once.CHANGED: "assembled again, one instruction of one file changed",
    once.ELF: "ELF file with DWARF",
}


def main() -> None:
    """Write the program to a temporary folder, and print a table of the least CPU seconds of some processes."""
    parser = argparse.ArgumentParser(prog="assembly_speed", description=__doc__)
    parser.add_argument("--lines", type=int, default=program.LINES, help="instruction lines (default: %(default)s)")
    parser.add_argument("--files", type=int, default=program.FILES, help="included files (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="processes to take the best of (default: %(default)s)")
    args = parser.parse_args()
    if min(args.lines, args.files, args.runs) < 1:
        parser.error("--lines, --files and --runs are at least 1")
    with TemporaryDirectory() as folder:
        program.write(Path(folder), args.files, args.lines)
        command = [sys.executable, "-m", "assembly_speed.once", folder]
        runs = (subprocess.run(command, check=True, stdout=subprocess.PIPE) for _ in range(args.runs))
        found = [json.loads(run.stdout) for run in runs]
    print(f"{args.lines:,} instruction lines in {args.files} files, {found[0]['words']:,.0f} program words")
    print(f"{'CPU-s':>8}  best of {args.runs}")
    for row, text in _ROWS.items():
        print(f"{min(result[row] for result in found):8.2f}  {text}")


if __name__ == "__main__":
    main()
