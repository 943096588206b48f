"""Split a text into words, whether it can be assembled or not: for colours, and to find the word at a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from lutra.asm.passes.suggest import DIRECTIVES
from lutra.isa import load


class Token(NamedTuple):
    """A word: its kind, and where it is in the text.

    kind: comment, string, number, directive, parameter, operator, mnemonic, transfer (a mnemonic that transfers
    control), register, address, context, space, section, name, or unknown for a directive that does not exist.
    """

    kind: str
    start: int
    end: int
    text: str


_TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | ;[^\n]* | /\*.*?(?:\*/|\Z) )
  | (?P<string> "(?:\\.|[^"\\\n])*"? )
  | (?P<number> '(?:\\x[0-9a-fA-F]{2}|\\[^x\n]|[^'\\\n])' | (?<![\w$.\\])[0-9]\w* )
  | (?P<parameter> \\(?:\(\)|@|\+|[A-Za-z_]\w*) )
  | (?P<register> (?<=[\s,{^])%[A-Za-z_]\w* )
  | (?P<name> \.L[\w$]* | [A-Za-z_][\w$]* )
  | (?P<directive> \.[A-Za-z_0-9]+ )
  | (?P<operator> \+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&|^~!?:=] )
    """,
    re.VERBOSE | re.DOTALL,
)
# Arguments that are not expressions: the name of a section, and the digits of a row.
_PLAIN = {
    ".section": (re.compile(r"[ \t]+([\w.:*]+)"), "section"),
    ".row": (re.compile(r"[ \t,]*([0-9a-fA-F_]+)(?![\w$])"), "number"),
}


@lru_cache(maxsize=1)
def _kinds() -> dict[str, str]:
    """Return the kind of each word of the instruction set."""
    isa = load()
    found = {space.name: "space" for space in isa.spaces if space.is_single or space.is_program}
    found |= dict.fromkeys(isa.stream_contexts, "context") | dict.fromkeys(isa.address_registers, "address")
    found |= {name.removesuffix("++"): "register" for name in isa.vector_by_name}
    return found | {i.mnemonic: "transfer" if i.facts.transfer else "mnemonic" for i in isa.instructions}


def tokens(text: str) -> Iterator[Token]:
    """Yield the words of a text, in order; a comment may span several lines."""
    kinds = _kinds()
    at = 0
    while found := _TOKEN.search(text, at):
        kind, word = found.lastgroup or "", found[0]
        at = found.end()
        if kind == "name":
            kind = kinds.get(word, kind)
        elif kind == "directive" and word not in DIRECTIVES:
            kind = "unknown"
        yield Token(kind, found.start(), at, word)
        if word in _PLAIN and kind == "directive":
            pattern, plain = _PLAIN[word]
            while more := pattern.match(text, at):
                at = more.end()
                yield Token(plain, more.start(1), at, more[1])


def token_at(line: str, column: int) -> Token | None:
    """Return the word of a line that a position touches; the later one of two."""
    touched = [token for token in tokens(line) if token.start <= column <= token.end]
    named = [token for token in touched if token.kind != "operator"]
    return next(reversed(named or touched), None)
