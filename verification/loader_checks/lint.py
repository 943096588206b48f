"""Warnings: the loader's own code is clean under two compilers and the static analyzer of clang."""

from __future__ import annotations

from collections.abc import Iterable

from loader_checks.build import RV32, STANDARD, CheckError, includes, run, sources

WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Wcast-qual",
    "-Wcast-align",
    "-Wstrict-prototypes",
    "-Wmissing-prototypes",
    "-Wmissing-declarations",
    "-Wredundant-decls",
    "-Wnested-externs",
    "-Wswitch-enum",
    "-Wswitch-default",
    "-Wundef",
    "-Wvla",
    "-Wdouble-promotion",
    "-Wfloat-equal",
    "-Wpointer-arith",
    "-Wwrite-strings",
    "-Wbad-function-cast",
    "-Wimplicit-fallthrough",
    "-Wold-style-definition",
    "-Winit-self",
    "-Wnull-dereference",
    "-Werror",
]
# Warnings that only gcc or only clang has.
GCC = ["-Warith-conversion", "-Wduplicated-cond", "-Wduplicated-branches", "-Wlogical-op", "-Wjump-misses-init"]
CLANG = [
    "-Wcomma",
    "-Wconditional-uninitialized",
    "-Wassign-enum",
    "-Wunreachable-code",
    "-Wextra-semi-stmt",
    "-Wmissing-noreturn",
    "-Wno-switch-default",
]
CHECKS: dict[str, tuple[str, ...]] = {
    "gcc": ("gcc", "-O2", *WARNINGS, *GCC),
    "clang": ("clang-19", "-O2", *WARNINGS, *CLANG),
    "clang for rv32imc": ("clang-19", *RV32, "-O2", *WARNINGS, *CLANG),
    "clang's analyzer": ("clang-19", "--analyze", "-Xclang", "-analyzer-werror", "--analyzer-output", "text"),
}


def findings(names: Iterable[str] = tuple(CHECKS)) -> list[str]:
    """Warnings of these compilers."""
    found = []
    for path in sources(freestanding=True):
        for name in names:
            try:
                run([*CHECKS[name], STANDARD, "-ffreestanding", *includes(), "-c", path, "-o", "/dev/null"])
            except CheckError as error:
                found.append(str(error))
    return found
