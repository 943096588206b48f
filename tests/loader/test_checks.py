"""`make loader`: the loader keeps its limits, its page has the measured figures, and each check can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from loader_checks import coverage, lint, rv32
from loader_checks.build import CheckError, firmware_elf, run
from support.loader import LOADER

PAGE = (LOADER / "README.md").read_text()


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return firmware_elf(tmp_path_factory.mktemp("rv32"))


def test_loader_fits_24_kb_of_rv32_and_has_no_variables(elf: Path) -> None:
    sizes = rv32.sizes(elf)
    assert set(sizes) == {"text", "rodata"}
    assert sum(sizes.values()) <= rv32.LIMIT == 24576
    assert f"{sum(sizes.values()):,} bytes for rv32imc" in PAGE


def test_loader_has_a_bound_of_stack_and_no_recursion(elf: Path) -> None:
    most, path = rv32.stack(elf)
    assert path[0].startswith("lutra_")
    assert f"{most:,} bytes of stack" in PAGE


def test_only_the_files_that_call_the_host_call_by_a_pointer(elf: Path) -> None:
    listing = run(["llvm-objdump-19", "-d", "--no-show-raw-insn", "-M", "no-aliases", elf])
    graph = rv32.own_frames(rv32.functions(rv32.plain(listing)))
    assert all(name in graph for function in graph.values() for name in function.calls)
    assert any(function.callbacks for function in graph.values())


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_own_code_has_no_warnings(compiler: str) -> None:
    assert lint.findings([compiler]) == []


def test_frames_add_up_along_the_deepest_calls() -> None:
    graph = rv32.functions(
        rv32.plain(
            """
00000000 <a>:
       0:      \tc.addi16sp\tsp, -0x20
       2:      \tjal\tra, 0x10 <b>
       4:      \tjal\tra, 0x20 <c>
00000010 <b>:
      10:      \taddi\tsp, sp, -0x10
      12:      \tlui\tt0, 0x1
      14:      \taddi\tt0, t0, -0x10
      16:      \tsub\tsp, sp, t0
      18:      \tc.jalr\ta5
00000020 <c>:
      20:      \tjal\tzero, 0x20 <c>
"""
        )
    )
    assert rv32.deepest(rv32.own_frames(graph), "a") == (32 + 4096, ("a", "b"))
    assert (graph["b"].callbacks, graph["a"].callbacks) == (True, False)


def test_recursion_is_found() -> None:
    graph = {"a": rv32.Function(16, {"b"}), "b": rv32.Function(16, {"a"})}
    with pytest.raises(CheckError, match="recursion: a > b > a"):
        rv32.deepest(graph, "a")


def test_stack_that_is_no_constant_is_found() -> None:
    with pytest.raises(CheckError, match="not a constant"):
        rv32.functions("00000000 <a>:\n   0:   \tsub\tsp, sp, a0\n")


def test_warning_of_a_compiler_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = tmp_path / "bad.c"
    bad.write_text("int narrow(long wide);\nint narrow(long wide) { return wide; }\n")
    monkeypatch.setattr(lint, "sources", lambda freestanding: [bad])
    assert len(lint.findings(["gcc", "clang", "clang for rv32imc"])) == 2  # long is int on RV32


LCOV = """SF:{file}
DA:1,3
DA:2,0
BRDA:1,0,0,2
BRDA:1,0,1,-
end_of_record
"""


def test_what_is_not_covered_is_named_unless_it_is_excepted(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("if (x)\n  y();\n")
    found = coverage.parse(LCOV.format(file=source))
    assert found.total == {"line": 2, "branch": 2}
    assert [line.split("src/")[1] for line in coverage.judge(found, ())] == [
        "a.c:2: line not covered: y();",
        "a.c:1: branch not covered: if (x)",
    ]
    excepted = [
        coverage.Allowed("a.c", "line", "y();", "reason"),
        coverage.Allowed("a.c", "branch", "if (x)", "reason"),
    ]
    assert coverage.judge(found, excepted) == []
    unused = coverage.Allowed("a.c", "line", "if (x)", "reason")
    assert coverage.judge(found, [*excepted, unused]) == ["exceptions.toml: an exception of a.c is not used: if (x)"]


@pytest.mark.parametrize(
    "text", ["[[exception]]\nfile = 'a'\n", "x =", "[[exception]]\nfile='a'\nkind='line'\nsource='b'\nreason=' '\n"]
)
def test_exception_without_a_reason_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "exceptions.toml"
    path.write_text(text)
    with pytest.raises(CheckError, match=r"exceptions\.toml"):
        coverage.read_exceptions(path)
