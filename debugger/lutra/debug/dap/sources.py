"""Source files, as the image and as the client name them."""

from __future__ import annotations

from pathlib import Path

from lutra.debug.dap.arguments import Arguments, RequestError
from lutra.debug.dap.state import Body, State


def files(state: State) -> list[str]:
    """All files that the program was assembled from, as the image names them."""
    return list(state.session.image.files)


def of(state: State, file: str) -> Body:
    """A file of the image for the client: by its path, or by a number where it cannot be found there."""
    path = Path(file)
    if path.is_file():
        return {"name": path.name, "path": str(path.absolute())}
    if file not in state.sources:
        state.sources.append(file)
    return {"name": path.name, "path": file, "sourceReference": state.sources.index(file) + 1}


def named(state: State, source: Arguments) -> str:
    """Return the file of a client's source, with the image's name for it if there is one. Raises RequestError."""
    number = source.number("sourceReference", 0)
    if number:
        return _numbered(state, number)
    path = source.text("path")
    if state.opened is not None:
        wanted = _real(path)
        return next((file for file in files(state) if file == path or _real(file) == wanted), path)
    return path


def _real(path: str) -> str:
    try:
        return str(Path(path).resolve())
    except (OSError, ValueError, RuntimeError):
        return path


def _numbered(state: State, number: int) -> str:
    if not 1 <= number <= len(state.sources):
        raise RequestError(f"unknown source {number}")
    return state.sources[number - 1]


def _source(state: State, arguments: Arguments) -> Body:
    number = arguments.number("sourceReference", 0)
    file = _numbered(state, number) if number else named(state, arguments.one("source"))
    if file not in state.session.inspect.lines.sources():
        raise RequestError(f"the program was not assembled from {file}")
    return {"content": "\n".join(state.session.inspect.source(file)) + "\n"}


def _loaded(state: State, arguments: Arguments) -> Body:
    return {"sources": [of(state, file) for file in files(state)]}


REQUESTS = {"source": _source, "loadedSources": _loaded}
