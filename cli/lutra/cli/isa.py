"""`lutra isa`: the reference entry of an instruction."""

from __future__ import annotations

from typing import Annotated

import typer

from lutra.cli.errors import UsageError
from lutra.isa import load, reference


def command(
    mnemonic: Annotated[str | None, typer.Argument(metavar="[MNEMONIC]", help="Leave out for the list.")] = None,
) -> None:
    """Print the reference of an instruction.

    It comes from the source from which assembler, simulator and core are made.

    \b
    Example:
      lutra isa aesenc2
    """
    if mnemonic is not None:
        try:
            print(reference(mnemonic), end="")
        except KeyError as error:
            raise UsageError(f"{error.args[0]} (`lutra isa` lists all)") from error
        return
    isa = load()
    width = max(len(name) for name in isa.by_mnemonic)
    for name, insns in sorted(isa.by_mnemonic.items()):
        print(f"{name:{width}}  {insns[0].summary}")
