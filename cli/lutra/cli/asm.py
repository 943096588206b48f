"""`lutra asm`: assembly to ELF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import CHECKS, Image, depfile
from lutra.asm import listing as listing_of
from lutra.asm.formats.elf import elf_bytes
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import distinct
from lutra.cli.output import whole_files
from lutra.cli.sources import MAX_ERRORS, DefineOption, IncludeOption, assembled


def command(
    sources: Annotated[list[Path], typer.Argument(metavar="SRC...", help="Assembly sources.")],
    output: Annotated[Path, typer.Option("-o", metavar="OUT.elf", help="Image to write.")],
    include: IncludeOption = None,
    define: DefineOption = None,
    listing: Annotated[
        Path | None, typer.Option("--listing", metavar="FILE", help="Also write a listing to FILE.")
    ] = None,
    warnings: Annotated[
        list[str] | None,
        typer.Option(
            "-W",
            metavar="CHECK",
            help="Turn a check on (NAME) or off (no-NAME), or make its warnings errors (error=NAME; error for all) or "
            "warnings again (no-error=NAME). NAME is one of the checks above, or all.",
        ),
    ] = None,
    max_errors: Annotated[
        int, typer.Option("--max-errors", metavar="N", min=0, help="Stop after N errors; 0 shows all.")
    ] = MAX_ERRORS,
    dependencies: Annotated[
        bool, typer.Option("-MD", help="Write a dependency rule for make or ninja to OUT.d.")
    ] = False,
    rule: Annotated[Path | None, typer.Option("-MF", metavar="FILE", help="Write the rule of -MD to FILE.")] = None,
) -> None:
    """Assemble sources into one image.

    \b
    Example:
      lutra asm first.s -o first.elf --listing first.lst
    """
    if rule is not None and not dependencies:
        raise UsageError("-MF names the file that -MD writes; give -MD as well")
    if dependencies and rule is None:
        rule = output.with_suffix(".d")
    outputs = {"-o": output, "--listing": listing, "-MD": rule}
    distinct({str(source): source for source in sources}, outputs)
    image = assembled(sources, include, define, warnings or (), max_errors or None)
    # The included files are known only after assembly.
    distinct({file: Path(file) for file in image.files}, outputs)
    extra = [(path, data) for path, data in ((listing, _listing), (rule, _rule)) if path is not None]
    contents = [elf_bytes(image), *(data(image, output) for _, data in extra)]
    with whole_files(output, *(path for path, _ in extra)) as files:
        for file, data in zip(files, contents, strict=True):
            file.write(data)


def _checks() -> str:
    """Return the checks in columns, for the help."""
    width = max(map(len, CHECKS))
    return "\n".join(f"      {c.name:{width}}  {c.text} ({c.severity})" for c in CHECKS.values())


command.__doc__ = f"{command.__doc__}\n    \b\n    Checks for -W:\n{_checks()}\n    "


def _listing(image: Image, output: Path) -> bytes:
    return listing_of(image).encode("utf-8", "surrogateescape")


def _rule(image: Image, output: Path) -> bytes:
    try:
        return depfile(str(output), image.files).encode("utf-8", "surrogateescape")
    except ValueError as error:
        raise CliError(f"-MD: {error}") from error
