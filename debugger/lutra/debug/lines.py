"""Source lines and program addresses: which is from which, through macros and includes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from lutra.asm import Image, Place
from lutra.asm.errors import nearest
from lutra.asm.expansions import NO_PARENT
from lutra.asm.files import SOURCE_BYTES, normal, read_bounded
from lutra.debug.errors import DebugError

Chain = tuple[Place, ...]
# Nested macros that a line names.
MOST_CALLS = 2
# File, line, and number of the expansion that it is in.
_Use = tuple[str, int, int]


class Lines:
    """The lines of an image. folders: where source files are looked for, besides the present folder."""

    def __init__(self, image: Image, folders: Sequence[Path] = ()) -> None:
        self._image = image
        self._folders = (Path(), *folders)
        self._chains: dict[int, Chain] = {pc: image.chain(pc) for pc in sorted(image.lines)}
        # The chains with the number of each expansion: two uses of a macro in one line are two.
        self._uses = {pc: _uses(image, pc) for pc in self._chains}
        self._texts: dict[str, list[str]] = {}

    def chain(self, pc: int) -> Chain:
        """Return where a word was written, innermost macro first; empty if unknown."""
        return self._chains.get(pc, ())

    # ------------------------------------------------------------------ levels

    def outer(self, pc: int, level: int) -> tuple[_Use, ...]:
        """The outermost `level` lines of an address, which are the same for all words of one line at that level."""
        return self._uses.get(pc, ())[-level:]

    def common(self, one: int, other: int) -> int:
        """Return the number of outermost lines that two addresses share."""
        pairs = zip(reversed(self._uses.get(one, ())), reversed(self._uses.get(other, ())), strict=False)
        return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(self.chain(one)), len(self.chain(other))))

    def _line(self, pc: int, level: int) -> tuple[object, ...]:
        """Common properties of all words of one line, seen from a level: its place, and the use of a macro in it."""
        uses = self._uses.get(pc, ())
        within = [expansion for *_, expansion in uses[: len(uses) - level][-1:]]
        return (*uses[-level:], *within)

    def begins(self, pc: int, level: int) -> bool:
        """Whether a line begins at an address, seen from a level: the word before it is of another one."""
        return self._line(pc, level) != self._line(pc - 1, level)

    def beginnings(self, level: int | None = None) -> frozenset[int]:
        """All addresses at which a line begins, seen from a level, or as the innermost line."""
        return frozenset(pc for pc, uses in self._uses.items() if self.begins(pc, level or len(uses)))

    def expansion(self, pc: int, level: int) -> tuple[int, int]:
        """The first and last address around one that have the same chain outside of a level: one use of a macro."""
        call = self.outer(pc, level - 1)
        first = last = pc
        while self.outer(first - 1, level - 1) == call and len(self.chain(first - 1)) >= level:
            first -= 1
        while self.outer(last + 1, level - 1) == call and len(self.chain(last + 1)) >= level:
            last += 1
        return first, last

    def __len__(self) -> int:
        """One more than the last address that has a line."""
        return max(self._chains, default=-1) + 1

    # ------------------------------------------------------------------ lines to addresses

    @cached_property
    def _by_line(self) -> dict[str, dict[int, list[int]]]:
        """file -> line -> the addresses at which a use of it begins."""
        found: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for pc, chain in self._chains.items():
            for level, place in enumerate(reversed(chain), 1):
                if self.begins(pc, level):
                    found[place.file][place.line].append(pc)
        return found

    def macro(self, name: str) -> tuple[int, ...]:
        """The first address of every use of a macro; none where it gives no instruction."""
        found: dict[int, int] = {}
        for pc, uses in self._uses.items():
            for place, (_, _, expansion) in zip(self._chains[pc], uses, strict=True):
                if place.macro == name:
                    found.setdefault(expansion, pc)
        return tuple(sorted(set(found.values())))

    @property
    def macros(self) -> tuple[str, ...]:
        """The names of all macros that give instructions."""
        return tuple(sorted({place.macro for chain in self._chains.values() for place in chain if place.macro}))

    @property
    def files(self) -> tuple[str, ...]:
        """All files that have instructions, as the image names them."""
        return tuple(self._by_line)

    def file(self, text: str) -> str:
        """The file of the image that a name means: the same file, or one whose path ends so. Raises DebugError."""
        given = Path(text)
        same = [file for file in self.files if self._path(file).resolve() == given.resolve()]
        wanted = given.parts
        ending = [file for file in self.files if any(p[-len(wanted) :] == wanted for p in _parts(file))]
        found = same or ending
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(map(normal, found))
            raise DebugError(f"{text} is several files: {names}; name more of the path")
        hint = nearest(given.name, [Path(file).name for file in self.files])
        raise DebugError(f"no instruction comes from a file {text}" + (f"; {hint}" if hint else ""))

    def addresses(self, file: str, line: int) -> tuple[int, ...]:
        """The addresses at which a use of a line begins; none where it has no instruction."""
        return tuple(self._by_line[file].get(line, ())) if file in self._by_line else ()

    def line_with_instruction(self, file: str, line: int) -> int:
        """The line, or the next one in the file that has an instruction. Raises DebugError where none follows."""
        after = [number for number in self._by_line.get(file, ()) if number >= line]
        if not after:
            raise DebugError(f"{normal(file)} has no instruction from line {line} on")
        return min(after)

    # ------------------------------------------------------------------ texts

    def text(self, file: str) -> list[str]:
        """The lines of a source file. Raises DebugError where it cannot be read."""
        if file not in self._texts:
            try:
                data = read_bounded(self._path(file), SOURCE_BYTES, "a source file")
            except OSError as error:
                raise DebugError(f"{normal(file)}: cannot be read: {error.strerror or error}") from None
            self._texts[file] = data.decode("utf-8", "replace").split("\n")
        return self._texts[file]

    def line(self, place: Place) -> str:
        """The text of a line; empty where its file cannot be read."""
        try:
            lines = self.text(place.file)
        except DebugError:
            return ""
        return lines[place.line - 1] if 0 < place.line <= len(lines) else ""

    def _path(self, file: str) -> Path:
        """Return the path of a file of the image."""
        return next((folder / file for folder in self._folders if (folder / file).is_file()), Path(file))

    def sources(self) -> tuple[str, ...]:
        """All files that the image was made of, also those without instructions, as far as it names them."""
        return tuple(dict.fromkeys([*self._image.files, *self.files]))


def _uses(image: Image, pc: int) -> tuple[_Use, ...]:
    """Innermost first, as a chain."""
    written = image.written.get(pc)
    if written is None:
        return ((*image.lines[pc], NO_PARENT),)
    found: list[_Use] = []
    place, index = (written.file, written.line), written.expansion
    while index != NO_PARENT:
        found.append((*place, index))
        expansion = image.expansions[index]
        place, index = expansion.call, expansion.parent
    return (*found, (*place, NO_PARENT))


def _parts(file: str) -> tuple[tuple[str, ...], ...]:
    """The folders and the name of a file, as the image has it and without the way of its inclusion."""
    return Path(file).parts, Path(normal(file)).parts


def named(place: Place) -> str:
    """`common/block.inc:24`."""
    return f"{normal(place.file)}:{place.line}"


def shown(chain: Chain) -> str:
    """`block.inc:24 in sm4_round, from sm4.s:149`, or an empty text; of many calls the innermost and the outermost."""
    if not chain:
        return ""
    inner, *calls = chain
    texts = [named(call) for call in calls]
    if len(texts) > MOST_CALLS:
        texts[1:-1] = ["..."]
    return named(inner) + (f" in {inner.macro}, from {', '.join(texts)}" if inner.macro else "")
