"""Parse one line of text to a syntax tree, with readable errors."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from lutra.asm.errors import LineError
from lutra.asm.passes import plain
from lutra.asm.passes.nodes import Expr, Statement
from lutra.asm.passes.syntax import parser
from lutra.isa import load

# Terminals -> words for them in errors; several terminals may share them.
_WORDS = {
    "NUMBER": "an expression",
    "CHARACTER": "an expression",
    "NAME": "an expression",
    "HERE": "an expression",
    "UNARY": "an expression",
    "LPAR": "an expression",
    "VECTOR": "a register",
    "ADDRESS": "an address register",
    "SPACE": "a memory or table row",
    "STRING": "a string",
    "SECTION_NAME": "a section's name",
    "HEX_ROW": "a row in hexadecimal digits",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LSQB": "'['",
    "RSQB": "']'",
    "RPAR": "')'",
    "COMMA": "','",
    "CIRCUMFLEX": "'^'",
    "COLON": "':'",
    "EQUAL": "'='",
    "BINARY": "an operator",
    "$END": "the end of the line",
}
# Characters that word processors substitute, in addition to those that NFKC maps.
_LOOKALIKES = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2212": "-", "\u00d7": "*"}
_STATEMENT_START = {"DIRECTIVE", "SECTION", "ROW"}
_OPERAND_START = {"NUMBER", "VECTOR", "LBRACE"}
# Strings and characters, which may contain the start of a comment, and comments; an open `/*` extends to the end.
TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|;[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def strip_comment(text: str) -> str:
    """Return the line without its comment."""
    if "//" not in text and ";" not in text:
        return text
    if '"' not in text and "'" not in text:
        return text.split("//", 1)[0].split(";", 1)[0]
    for found in TEXT_OR_COMMENT.finditer(text):
        if found[0].startswith(("//", ";")):
            return text[: found.start()]
    return text


@lru_cache(maxsize=1 << 15)
def parse_line(text: str) -> Statement:
    """Parse a line without block comments. Raises LineError."""
    return plain.statement(text) or parse_whole(text)


def parse_whole(text: str) -> Statement:
    """Parse a line by the grammar alone. Raises LineError."""
    return _parse(text, "line")  # type: ignore[return-value]


@lru_cache(maxsize=1 << 12)
def parse_expression(text: str) -> Expr:
    """Parse a single expression, as in `.if`. Raises LineError."""
    return _parse(text, "expression")  # type: ignore[return-value]


def _parse(text: str, start: str) -> object:
    try:
        return parser().parse(text, start=start)
    except LineError:
        raise
    except VisitError as error:
        if isinstance(error.orig_exc, LineError):
            raise error.orig_exc from None
        raise
    except UnexpectedInput as error:
        raise _explain(error, text) from None
    except RecursionError:
        raise LineError("the expression is nested too deeply", 0, len(text)) from None


def _explain(error: UnexpectedInput, text: str) -> LineError:
    """Return an error that says what is wrong and what could be there instead."""
    if isinstance(error, UnexpectedToken):
        allowed = set(error.accepts or error.expected)
        at_end = error.token.type == "$END"
        col = len(strip_comment(text).rstrip()) if at_end else error.token.start_pos or 0
        end = col + (1 if at_end else len(_word_at(text, col)))
        found = "the end of the line" if at_end else f"'{_word_at(text, col)}'"
    elif isinstance(error, UnexpectedCharacters):
        allowed = set(error.allowed or ())
        col = error.pos_in_stream or 0
        word = _word_at(text, col)
        end = col + len(word)
        found = f"'{word}'"
    else:
        return LineError("the line cannot be parsed", 0, len(text))
    special, hint = _special(text, col)
    if special:
        return LineError(special, col, end, hint)
    if unknown := _unknown_register(text, col):
        return unknown
    if "PATTERN" in allowed:
        hint = "after an address register: " + " ".join(p.suffix for p in load().patterns if p.suffix)
    return LineError(f"expected {_expected(allowed)}, found {found}", col, end, hint)


def _word_at(text: str, col: int) -> str:
    end = col
    while end < len(text) and (text[end].isalnum() or text[end] in "_$"):
        end += 1
    return text[col:end] or text[col : col + 1]


def _special(text: str, col: int) -> tuple[str, str]:
    """Return message and hint for characters that cannot begin anything at this place."""
    char = text[col : col + 1]
    if char == '"':
        return ("unterminated string", "") if text.count('"', col) % 2 else ("", "")
    if char == "'":
        return "malformed character; write 'c'", ""
    if char in ("#", "@", "/"):
        return f"unexpected '{char}'", "comments begin with // or ;"
    if char.isdigit() and not _word_at(text, col).replace("_", "").isdigit():
        return f"malformed number '{_word_at(text, col)}'", ""
    if char and (not char.isprintable() or ord(char) > 126):
        return f"unexpected character U+{ord(char):04X}", _meant(char)
    return "", ""


def _meant(char: str) -> str:
    """Return a hint for a character that looks like an ASCII one, or that is not valid text."""
    if char == "\0":
        return "the file is not UTF-8 text; save it as UTF-8"
    like = _LOOKALIKES.get(char) or unicodedata.normalize("NFKC", char)
    return f"did you mean '{like}'?" if like.isascii() and like.isprintable() and like != char else ""


def _unknown_register(text: str, col: int) -> LineError | None:
    """Return an error if the word before a pattern in brackets is not an address register."""
    isa = load()
    for found in _modified().finditer(text):
        if found.start() <= col < found.end() and found[1] not in isa.address_register_index:
            hint = "address registers: " + " ".join(isa.address_registers)
            return LineError(f"'{found[1]}' is not an address register", found.start(1), found.end(1), hint)
    return None


@lru_cache(maxsize=1)
def _modified() -> re.Pattern[str]:
    """A name and a pattern in brackets."""
    suffixes = sorted((p.suffix for p in load().patterns if p.suffix), key=len, reverse=True)
    return re.compile(r"\[\s*([A-Za-z_]\w*)\s*(?:" + "|".join(map(re.escape, suffixes)) + r")\s*\]")


def _expected(allowed: set[str]) -> str:
    if allowed & _STATEMENT_START:
        return "an instruction, directive or label"
    if allowed >= _OPERAND_START:
        return "an operand" + (" or the end of the line" if "$END" in allowed else "")
    words = list(dict.fromkeys(_WORDS[name] for name in _WORDS if name in allowed))
    if len(words) > 1 and "the end of the line" in words:
        words.remove("the end of the line")
        words.append("the end of the line")
    if not words:
        return "something else"
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
