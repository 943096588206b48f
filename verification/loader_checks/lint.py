"""Warnings: the loader's own code is clean under two compilers and the static analyzer of clang."""

from __future__ import annotations

from collections.abc import Iterable

from loader_checks.build import RV32, STANDARD, CheckError, includes, run, sources

WARNINGS = tuple(
    f"-W{name}"
    for name in [
        "all",
        "extra",
        "pedantic",
        "conversion",
        "sign-conversion",
        "shadow",
        "cast-qual",
        "cast-align",
        "strict-prototypes",
        "missing-prototypes",
        "missing-declarations",
        "redundant-decls",
        "nested-externs",
        "switch-enum",
        "switch-default",
        "undef",
        "vla",
        "double-promotion",
        "float-equal",
        "pointer-arith",
        "write-strings",
        "bad-function-cast",
        "implicit-fallthrough",
        "old-style-definition",
        "init-self",
        "null-dereference",
        "error",
    ]
)
# What gcc knows and clang does not, and the other way round.
GCC = tuple(
    f"-W{name}"
    for name in ["arith-conversion", "duplicated-cond", "duplicated-branches", "logical-op", "jump-misses-init"]
)
CLANG = tuple(
    f"-W{name}"
    for name in [
        "comma",
        "conditional-uninitialized",
        "assign-enum",
        "unreachable-code",
        "extra-semi-stmt",
        "missing-noreturn",
    ]
)
CHECKS: dict[str, tuple[str, ...]] = {
    "gcc": ("gcc", "-O2", *WARNINGS, *GCC),
    "clang": ("clang-19", "-O2", *WARNINGS, *CLANG, "-Wno-switch-default"),
    "clang for rv32imc": ("clang-19", *RV32, "-O2", *WARNINGS, *CLANG, "-Wno-switch-default"),
    "clang's analyzer": ("clang-19", "--analyze", "-Xclang", "-analyzer-werror", "--analyzer-output", "text"),
}


def findings(names: Iterable[str] = tuple(CHECKS)) -> list[str]:
    """What these compilers say."""
    found = []
    for path in sources(freestanding=True):
        for name in names:
            try:
                run([*CHECKS[name], STANDARD, "-ffreestanding", *includes(), "-c", path, "-o", "/dev/null"])
            except CheckError as error:
                found.append(str(error))
    return found
