"""`python -m isagen --out DIR`: check the description, then write everything generated from it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from isagen import (
    configuration,
    emit_addresses,
    emit_blocks,
    emit_c,
    emit_coverage,
    emit_cpp,
    emit_decoder,
    emit_docs,
    emit_hazards,
    emit_names,
    emit_paths,
    emit_python,
    emit_retire,
    emit_state,
    emit_sv,
    outside,
    reader,
    verify,
)
from isagen.errors import IsaError
from isagen.model import Isa

EMITTERS = (
    ("sv", emit_sv.files),
    ("sv", emit_decoder.files),
    ("sv", emit_blocks.files),
    ("sv", emit_addresses.files_sv),
    ("sv", emit_hazards.files_sv),
    # For simulations: no part of the core, so in none of its lists.
    ("sim", emit_state.files_sv),
    ("cpp", emit_cpp.files),
    ("cpp", emit_paths.files),
    ("cpp", emit_addresses.files_cpp),
    ("cpp", emit_hazards.files_cpp),
    ("cpp", emit_coverage.files_cpp),
    ("cpp", emit_names.files),
    ("cpp", emit_retire.files),
    ("cpp", emit_state.files_cpp),
    ("c", emit_c.files),
    ("python/lutra/isa", emit_python.files),
    ("python/lutra/isa", emit_coverage.files_python),
    ("python/lutra/isa", emit_paths.files_python),
    ("docs", emit_docs.files),
)


def write(path: Path, text: str) -> None:
    """Write by rename; leave a file that has not changed alone, so that nothing is rebuilt for it."""
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(path.suffix + ".new")
    new.write_text(text)
    new.replace(path)


def file_lists(names: list[str], first: list[str]) -> list[tuple[str, str, str]]:
    """Return the lists that tools read with -F: packages before rtl/lutra.f, modules after it; first: before these."""
    packages = [name for name in names if name.endswith("_pkg.sv")]
    modules = [*first, *(name for name in names if name not in packages)]
    lists = {"lutra_packages.f": packages, "lutra_modules.f": modules}
    return [("sv", name, "".join(f"{file}\n" for file in files)) for name, files in lists.items()]


def configured(isa: Isa, named: str, folders: Sequence[outside.Folder] = ()) -> Isa:
    """A sound description with what a configuration has of it. Raises IsaError."""
    findings = verify.check(isa) + outside.findings(isa, folders)
    if findings:
        raise IsaError(findings)
    ready = [configuration.checked(isa, configuration.read(file)) for file in configuration.ready().values()]
    chosen = configuration.read(configuration.find(named))
    names = [folder.name for folder in folders]
    return replace(configuration.select(isa, chosen, names), ready=tuple(ready))


def main(argv: list[str] | None = None) -> int:
    default = Path(__file__).resolve().parent.parent / "lutra.td"
    parser = argparse.ArgumentParser(
        prog="python -m isagen", description=__doc__, epilog="example: PYTHONPATH=isa python -m isagen --out build/gen"
    )
    parser.add_argument("--tblgen", default="llvm-tblgen-19", help="the llvm-tblgen to run")
    parser.add_argument("--td", type=Path, default=default, help="top description")
    parser.add_argument(
        "--configuration",
        default=configuration.DEFAULT,
        help="what the core has: a name of isa/configurations/, or a file (default: %(default)s)",
    )
    parser.add_argument(
        "--extension",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="an extension from outside this repository, which the core then has too; repeatable",
    )
    parser.add_argument("--rounds", action="store_true", help="print the values of ROUNDS_PER_INSTR, and end")
    parser.add_argument("--out", type=Path, help="where to write; without it the description is only checked")
    args = parser.parse_args(argv)
    try:
        folders = [outside.Folder.of(place) for place in args.extension]
        if args.rounds:
            print(*configuration.read(configuration.find(args.configuration)).rounds)
            return 0
        isa = reader.read(reader.dump(args.td, args.tblgen, [folder.description for folder in folders]))
        isa = configured(isa, args.configuration, folders)
    except IsaError as error:
        for line in error.findings:
            print(line, file=sys.stderr)
        return 1
    if args.out is not None:
        written = [(folder, *file) for folder, emit in EMITTERS for file in emit(isa).items()]
        names = [name for folder, name, _ in written if folder == "sv"]
        written += outside.files(folders)
        for folder, name, text in [*written, *file_lists(names, [f.package for f in folders if f.package])]:
            write(args.out / folder / name, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
