"""`lutra lsp`: the language server."""

from __future__ import annotations

import typer


def command() -> None:
    """Serve an editor by the Language Server Protocol, on standard input and output.

    The editor starts it: docs/how-to/use-an-editor.md says how for VS Code, Neovim and Helix.

    \b
    Example:
      lutra lsp
    """
    # Only here: no other command needs it, and all would wait for it.
    from lutra.editor.server import run

    if code := run():
        raise typer.Exit(code)
