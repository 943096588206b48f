"""Sphinx configuration; `make docs` runs it on a copy that also holds the generated reference."""

from typing import Any

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

project = "Lutra"
author = "The Lutra authors"
copyright = "The Lutra authors"
release = "0.1.0"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["README.md"]
html_theme = "furo"
html_title = "Lutra"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3


class AsmLexer(RegexLexer):
    """Colours for `asm` blocks. By shape only: it knows no instruction and no register."""

    name = "Lutra assembly"
    tokens = {  # noqa: RUF012 - as Pygments wants it
        "root": [
            (r"\s+", Text),
            (r"(//|;).*", Comment),
            (r"/\*(.|\n)*?\*/", Comment),
            (r"[.\w$\\@]+:(?!\w)", Name.Label),
            (r"(\w+)(\s*)(=)(?!=)", bygroups(Name.Constant, Text, Operator)),
            (r"\.[a-z]+", Keyword, "operands"),
            (r"[\w\\()]+", Name.Function, "operands"),
            (r".", Text),
        ],
        "operands": [
            (r"\n", Text, "#pop"),
            (r"[ \t]+", Text),
            (r"(//|;).*", Comment),
            (r"/\*(.|\n)*?\*/", Comment),
            (r'"(\\.|[^"\\])*"', String),
            (r"'(\\x..|\\.|[^'\\])'", String),
            (r"\\(\(\)|[@+]|\w+)", Name.Variable),
            (r"\d[\w]*", Number),
            (r"[.\w$]+", Name),
            (r"[\[\]{}(),:]", Punctuation),
            (r".", Operator),
        ],
    }


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_lexer("asm", AsmLexer)
