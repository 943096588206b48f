"""`lutra lsp`: the language server."""

from __future__ import annotations

import typer


def command() -> None:
    """Serve an editor over the Language Server Protocol, on standard input and output.

    The editor starts this command; docs/how-to/use-an-editor.md shows how for VS Code, Neovim and Helix.

    \b
    Example:
      lutra lsp
    """
    # Imported here, because no other command needs it and the import is slow.
    from lutra.editor.serve import serve

    if code := serve():
        raise typer.Exit(code)
