"""`lutra isa`: the instruction set reference."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from lutra.cli.errors import UsageError
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.isa import Named, load, missing, reference
from lutra.isa.sections import Section, Table, sections

WIDTH = 100


def command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Mnemonic, group or section; leave out to list them all."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print the reference of an instruction, of a group, or a section such as hazards.

    The reference is generated from the same description as assembler, simulator and core.

    \b
    Example:
      lutra isa aesenc2
      lutra isa generic
      lutra isa hazards
    """
    answer = _all() if name is None else _named(name)
    if json:
        print_json(answer.document())
    else:
        print(answer.text().rstrip("\n"))


@dataclass(frozen=True)
class _Answer:
    """A reference as text and as JSON; only the one that is printed gets computed."""

    text: Callable[[], str]
    document: Callable[[], object]


def _named(name: str) -> _Answer:
    """Return the reference of an instruction, group or section, ignoring case. Raises UsageError if unknown."""
    isa, wanted = load(), name.lower()
    groups = {group.name: group for group in isa.groups}
    if insns := isa.lookup(wanted):
        return _Answer(lambda: reference(wanted), lambda: [asdict(insn) for insn in insns])
    if group := groups.get(wanted):
        return _Answer(lambda: _group(group), lambda: _members(group))
    if parts := sections().get(wanted):
        return _Answer(
            lambda: "\n".join(part.text(WIDTH) for part in parts), lambda: [_document(part) for part in parts]
        )
    if absent := missing(isa, wanted):
        raise UsageError("; ".join(absent))
    near = difflib.get_close_matches(wanted, [*isa.by_mnemonic, *groups, *sections()], 1)
    suggestion = f"; did you mean '{near[0]}'?" if near else ""
    raise UsageError(f"no instruction, group or section '{name}'{suggestion} (`lutra isa` lists all)")


def _summaries(group: Named) -> dict[str, str]:
    """Return mnemonic -> summary of its first instruction."""
    isa = load()
    return {mnemonic: insns[0].summary for mnemonic, insns in isa.by_mnemonic.items() if insns[0].group == group.record}


def _group(group: Named) -> str:
    width = max(len(mnemonic) for mnemonic in load().by_mnemonic)
    lines = [f"  {mnemonic:{width}}  {summary}" for mnemonic, summary in _summaries(group).items()]
    return "\n".join([f"{group.name}: {group.text}", *lines]) + "\n"


def _listing() -> str:
    names = textwrap.fill(", ".join(sections()), WIDTH, initial_indent="sections: ", subsequent_indent="  ")
    return "\n".join([*map(_group, load().groups), names])


def _members(group: Named) -> dict[str, object]:
    instructions = [asdict(insn) for insn in load().instructions if insn.group == group.record]
    return {"name": group.name, "text": group.text, "instructions": instructions}


def _all() -> _Answer:
    isa = load()
    return _Answer(
        _listing,
        lambda: {
            "version": str(isa.version),
            "groups": [_members(group) for group in isa.groups],
            "sections": {name: [_document(part) for part in parts] for name, parts in sections().items()},
        },
    )


def _document(section: Section) -> dict[str, object]:
    """Return a document for --json: paragraphs as text, tables as lists of rows keyed by column name."""
    body = [
        [dict(zip(part.columns, row, strict=True)) for row in part.rows] if isinstance(part, Table) else part
        for part in section.body
    ]
    return {"name": section.name, "title": section.title, "body": body}
