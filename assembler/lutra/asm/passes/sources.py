"""Find and read files, and keep a record of all that were read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lutra.asm.errors import AsmError, Diagnostic, LineError
from lutra.asm.files import SOURCE_BYTES, read_bounded


class Sources:
    """Finds and reads files; `read` has the name of each file once, in the order of the first reads, and `texts` the
    text of each source."""

    def __init__(self, include_dirs: Sequence[Path] = ()) -> None:
        self._include_dirs = [Path(d) for d in include_dirs]
        self._read: dict[str, None] = {}
        self.texts: dict[str, str] = {}

    @property
    def read(self) -> tuple[str, ...]:
        """Every file that was read."""
        return tuple(self._read)

    def find(self, name: str, from_file: str, col: int, end: int) -> Path:
        """Find a file named in a source: next to that source, then in the include folders. Raises LineError."""
        folders = [Path(from_file).parent, *self._include_dirs]
        if "\0" not in name:
            for path in (folder / name for folder in folders):
                with suppress(OSError):  # a name that is too long
                    if self.is_file(path):
                        return path
        raise LineError(f"cannot find '{name}'", col, end, f"looked in {', '.join(map(str, folders))}")

    def is_file(self, path: Path) -> bool:
        """Whether the file exists. May raise OSError."""
        return path.is_file()

    def source(self, path: Path) -> str:
        """Return the text of a source file. Raises AsmError with one finding."""
        text = decoded(path, self.contents(path)).replace("\r\n", "\n").removeprefix("\ufeff")
        self.texts[str(path)] = text
        return text

    def contents(self, path: Path) -> bytes:
        """Return the bytes of a file. Raises AsmError with one finding."""
        try:
            data = read_bounded(path, SOURCE_BYTES, "sources and included files")
        except OSError as error:
            raise AsmError.of_file(path, f"cannot be read: {error.strerror or error}") from None
        self._read.setdefault(str(path))
        return data


def decoded(path: Path, data: bytes) -> str:
    """Decode the bytes of a source file. Raises AsmError with one finding."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise AsmError([_not_utf8(path, data, error.start)]) from None


def _not_utf8(path: Path, data: bytes, at: int) -> Diagnostic:
    start = data.rfind(b"\n", 0, at) + 1
    line = data[start:].split(b"\n", 1)[0].removesuffix(b"\r").decode("utf-8-sig", "replace")
    column = len(data[start:at].decode("utf-8-sig")) + 1
    text = f"byte 0x{data[at]:02x} is not valid UTF-8"
    number = data.count(b"\n", 0, at) + 1
    return Diagnostic("error", text, str(path), number, column, 1, line, "save the file in UTF-8")
