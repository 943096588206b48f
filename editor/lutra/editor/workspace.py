"""The state of the server: open texts, the programs that they are part of, and these programs assembled.

A text belongs to every program that includes it. A change makes these programs stale; they are assembled again in the
background after a short delay, or at once when a request needs them. Nothing else is assembled.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from lsprotocol import types

from lutra.asm.files import SOURCE_BYTES, read_bounded
from lutra.asm.text.columns import Span
from lutra.editor import programs as all_programs
from lutra.editor.analyses import Analysed, analysed
from lutra.editor.documents import Document, uri_of
from lutra.editor.programs import Program, included
from lutra.editor.settings import Settings
from lutra.editor.worker import Worker
from lutra.firmware.manifest import NAME as MANIFEST

SOON, LATER = 0, 1
# A text that changes all the time is not waited for for ever.
_TRIES = 4
# Seconds that a request waits for programs: an older answer is better than none.
PATIENCE = 20.0
Key = tuple[str, ...]


class BusyError(Exception):
    """Programs are still being assembled; the text says so."""


class Workspace:
    """Texts and programs; `told` is called with each program that has been assembled, `tell` with lines for a log."""

    def __init__(self, told: Callable[[Analysed], None], tell: Callable[[str], None]) -> None:
        self.settings = Settings()
        self.roots: list[str] = []
        self.open: dict[str, Document] = {}
        self.done: dict[Key, Analysed] = {}
        self._uris: dict[str, str] = {}
        self._stamps: dict[str, int] = {}  # of texts and files: a number that grows with each change
        self._count = 0
        self._programs: list[Program] | None = None
        self._of: dict[str, list[Program]] = {}  # what `of` has found since the last change
        self._includes: dict[str, tuple[int, list[str]]] = {}
        self._waiting: dict[Key, tuple[int, Program, list[asyncio.Future[None]]]] = {}
        self._running: Key | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._worker: Worker | None = None
        self._told, self._tell = told, tell

    # ------------------------------------------------------------------------------- texts

    def put(self, file: str, uri: str, document: Document) -> None:
        """A text is open, or has changed."""
        new = file not in self.open
        self.open[file], self._uris[file] = document, uri
        self.changed(file, appeared=new and not os.path.exists(file))  # noqa: PTH110  # no file, maybe

    def remove(self, file: str) -> None:
        """A text is closed: from now on its file counts."""
        if self.open.pop(file, None) is not None:
            self._uris.pop(file, None)
            self.changed(file)

    def changed(self, file: str, *, appeared: bool = False) -> None:
        """A text or file has changed. appeared: it was not there before, so that others may find it now."""
        self._count += 1
        self._of.clear()
        self._stamps[file] = self._count
        if appeared or file.endswith(MANIFEST):
            self.forget()
        self.schedule()

    def forget(self) -> None:
        """Look for programs anew, and take all that were assembled for stale."""
        self._programs = None
        self._includes.clear()
        self._of.clear()
        self._count += 1
        self._stamps = dict.fromkeys((*self._stamps, ""), self._count)
        self.schedule()

    def uri(self, file: str) -> str:
        """The URI of a file, as the client has it."""
        return self._uris.get(file) or uri_of(file)

    def document(self, file: str) -> Document:
        """An open text, or what is on the disk; empty where there is nothing that can be read."""
        if file in self.open:
            return self.open[file]
        any_document = next(iter(self.open.values()), Document(""))
        with suppress(OSError, ValueError):
            return any_document.like(read_bounded(Path(file), SOURCE_BYTES, "a source").decode("utf-8"))
        return any_document.like("")

    def text(self, file: str, known: Analysed) -> Document:
        """A text as an assembled program has it."""
        if file in self.open:
            return self.open[file]
        if file not in known.documents:
            known.documents[file] = next(iter(self.open.values()), Document("")).like(known.texts.get(file, ""))
        return known.documents[file]

    def location(self, place: Span, known: Analysed) -> types.Location:
        """A place for the client."""
        return types.Location(self.uri(place.file), self.text(place.file, known).range(place))

    def shown(self, text: str) -> str:
        """A text in which names of files are shortened to those from the workspace's folder on."""
        for root in self.roots:
            text = text.replace(root + os.sep, "")
        return text

    # ---------------------------------------------------------------------------- programs

    @property
    def programs(self) -> list[Program]:
        """All programs of the workspace's folders, and sources that are open and belong to none."""
        if self._programs is None:
            folders = [os.path.dirname(file) for file in self.open if file.startswith(os.sep)]  # noqa: PTH120
            outside = [f for f in folders if not any(f == r or f.startswith(r + os.sep) for r in self.roots)]
            self._programs, wrong = all_programs.find([*self.roots, *outside])
            for line in wrong:
                self._tell(line)
        known = {source for program in self._programs for source in program.sources}
        opened = [file for file in self.open if file.endswith(all_programs.SOURCE) and file not in known]
        return self._programs + [all_programs.alone(file) for file in opened]

    def of(self, file: str) -> list[Program]:
        """The programs that a text is part of, those first whose source it is; itself where there is none."""
        if file not in self._of:
            found = [program for program in self.programs if file in self._files(program)]
            found.sort(key=lambda program: (file not in program.sources, len(program.sources), program.name))
            self._of[file] = found or [all_programs.alone(file)]
        return self._of[file]

    def _files(self, program: Program) -> Iterable[str]:
        """The files of a program: as it was assembled, or as its sources say."""
        known = self.done.get(program.sources)
        if known is not None and self.fresh(known):
            return known.files
        found, waiting = set(), list(program.sources)
        while waiting:
            file = waiting.pop()
            if file in found:
                continue
            found.add(file)
            folders = [os.path.dirname(file), *program.include, *self._folders()]  # noqa: PTH120
            for name in self._included(file):
                paths = (os.path.realpath(os.path.join(folder, name)) for folder in folders)  # noqa: PTH118
                waiting += [path for path in paths if path in self.open or os.path.isfile(path)][:1]  # noqa: PTH113
        return found

    def _included(self, file: str) -> list[str]:
        stamp = self._stamps.get(file, 0)
        known = self._includes.get(file)
        if known is None or known[0] != stamp:
            known = self._includes[file] = stamp, [n for n in included(self.document(file).text) if "\0" not in n]
        return known[1]

    @property
    def base(self) -> str:
        """The folder from which those of the settings are named."""
        return self.roots[0] if self.roots else os.getcwd()  # noqa: PTH109

    def _folders(self) -> list[str]:
        return [os.path.join(self.base, folder) for folder in self.settings.include]  # noqa: PTH118

    def fresh(self, known: Analysed) -> bool:
        """Whether nothing that a program was made from has changed since."""
        stamps = self._stamps
        return known.versions.get("", 0) == stamps.get("", 0) and all(
            known.versions.get(file, 0) == stamps.get(file, 0) for file in known.files
        )

    def current(self, known: Analysed, file: str) -> bool:
        """Whether a program was made from a text as it is now."""
        return known.versions.get(file, 0) == self._stamps.get(file, 0)

    @property
    def busy(self) -> bool:
        """Whether programs wait to be assembled."""
        return bool(self._waiting)

    def known(self, file: str) -> list[Analysed]:
        """The programs of a text that are assembled and not stale."""
        found = (self.done.get(program.sources) for program in self.of(file))
        return [known for known in found if known is not None and self.fresh(known)]

    async def first(self, file: str) -> list[Analysed]:
        """The programs of a text that are known; one of them at least is assembled as the texts are now."""
        await self._assembled(self.of(file)[:1])
        programs = self.known(file)
        if not programs and (stale := self.done.get(self.of(file)[0].sources)):
            return [stale]
        return programs

    async def every(self, file: str) -> list[Analysed]:
        """All programs of a text, assembled as the texts are now. Raises BusyError."""
        await self._assembled(self.of(file))
        if any(self._stale(program) for program in self.of(file)):
            raise BusyError("not all programs of this text could be assembled in time; try again")
        return self.known(file)

    async def whole(self) -> list[Analysed]:
        """All programs of the workspace, assembled as the texts are now."""
        programs = self.programs
        await self._assembled(programs)
        return [self.done[p.sources] for p in programs if p.sources in self.done]

    # --------------------------------------------------------------------------- background

    def schedule(self) -> None:
        """Assemble what is stale and open, after the delay."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(self.settings.delay, self._due)

    def _due(self) -> None:
        self._timer = None
        for file in list(self.open):
            for program in self.of(file):
                if self._stale(program):
                    self._want(program, LATER)

    def _stale(self, program: Program) -> bool:
        known = self.done.get(program.sources)
        return known is None or not self.fresh(known)

    async def _assembled(self, wanted: Iterable[Program]) -> None:
        programs = list(wanted)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                for _ in range(_TRIES):
                    stale = [program for program in programs if self._stale(program)]
                    if not stale:
                        return
                    await asyncio.gather(*(self._want(program, SOON, wait=True) for program in stale))

    def _want(self, program: Program, priority: int, *, wait: bool = False) -> asyncio.Future[None]:
        """Enter a program into those that wait to be assembled; what is returned is done when it is."""
        key = program.sources
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        old, _, futures = self._waiting.get(key, (priority, program, []))
        self._waiting[key] = min(old, priority), program, [*futures, future] if wait else futures
        if self._running is None:
            self._next()
        return future

    def _next(self) -> None:
        """Begin with the program that is wanted most."""
        if not self._waiting:
            return
        key = min(self._waiting, key=lambda k: self._waiting[k][0])
        _, program, futures = self._waiting.pop(key)
        self._running = key
        # Kept, or the loop may drop it before it ends.
        self._task = asyncio.get_running_loop().create_task(self._assemble(program, futures))

    async def _assemble(self, program: Program, futures: list[asyncio.Future[None]]) -> None:
        if self._worker is None:
            self._worker = Worker("assembler")
        texts = {file: document.text for file, document in self.open.items()}
        stamps, settings, base = dict(self._stamps), self.settings, self.base
        known: Analysed | None = None
        try:
            known = await self._worker.do(lambda: analysed(program, settings, base, texts, stamps))
        except Exception as error:
            self._tell(f"{program.name}: internal error: {type(error).__name__}: {error}")
        self._running = None
        if known is not None:
            self.done[program.sources] = known
            self._of.clear()
            self._told(known)
        for future in futures:
            if not future.done():
                future.set_result(None)
        self._next()
