"""Checks of the routines' code, on the simulator: headers, and constant time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from lutra.asm.analysis.corrections import Correction
from lutra.asm.analysis.headers import VARIABLE, HeaderError, Headers
from lutra.firmware.errors import FirmwareError
from lutra.firmware.testing import header_checks, observe, routines, timing
from lutra.firmware.testing.loaded import Loaded, too_few
from lutra.firmware.testing.observe import Seen
from lutra.firmware.testing.outcome import Check, State, Wanted
from lutra.firmware.testing.timing import Leak
from lutra.iss import engine as engines

SEED = 1
STOPPED = "a run of it failed"


def headers(loaded: Loaded, wanted: Wanted) -> Iterator[Check]:
    """Check the header of every routine, for ROUNDS_PER_INSTR = 2, and names in headers without a routine."""
    code = loaded.code()
    try:
        known = loaded.headers()
        places = {name: _place(known, loaded, name) for name in code}
        unused = header_checks.unused(known, loaded.globals())
    except HeaderError as error:
        yield Check("header", str(loaded.unit.folder), "headers", "failed", str(error))
        return
    chosen = [name for name in code if wanted(places[name][0], _header_of(name))]
    seen: dict[str, Seen] = {}
    stopped: set[str] = set()
    if chosen:
        yield from _observe(loaded, seen, stopped)
    for name in chosen:
        file, line = places[name]
        if name in stopped:
            yield Check("header", file, _header_of(name), "skipped", STOPPED, line)
            continue
        state, text = _compare(loaded, known, name, seen)
        right = _corrections(loaded, known, name, seen) if state == "failed" and not stopped else []
        yield Check("header", file, _header_of(name), state, text, line, corrections=tuple(right))
    # Which names are used is known only where every image is there, and only of what belongs to this folder.
    for header, name in unused if loaded.whole else ():
        if header.file.parent == loaded.unit.folder and wanted(str(header.file), _header_of(name)):
            text = "no global routine has this name"
            yield Check("header", str(header.file), _header_of(name), "failed", text, header.line)


def _header_of(name: str) -> str:
    return f"header of {name}"


def _place(known: Headers, loaded: Loaded, name: str) -> tuple[str, int]:
    """Return file and line of a routine's header, or the file of the routine if it has none."""
    found = known.of(name)
    return (str(found.file), found.line) if found else (loaded.home(name), 0)


def _observe(loaded: Loaded, seen: dict[str, Seen], stopped: set[str]) -> Iterator[Check]:
    """Run everything and collect what is observed; yield a failed check for a routine that does not end.

    stopped: the routines that it took part in are added.
    """
    for case in loaded.cases():
        try:
            observe.of_case(case, seen, random.Random(f"{SEED} {case}"))
        except FirmwareError as error:
            yield Check("header", str(loaded.unit.manifest), f"run of {case}", "failed", str(error))
            stopped |= {*case.set_up, *case.jobs}
    for test in loaded.routines:
        # A test that cannot run at all fails as such.
        try:
            image = routines.image_of(test, loaded.images)
            routines.seen(engines.make("iss"), test, image, seen.setdefault(test.entry, Seen()))
        except (FirmwareError, engines.EngineError):
            continue


def _compare(loaded: Loaded, known: Headers, name: str, seen: dict[str, Seen]) -> tuple[State, str]:
    """A routine's header with what was seen of the routine."""
    header = known.of(name)
    if name not in seen:
        return "warned", "nothing runs the routine: no algorithm of the manifest and no test of a routine names it"
    if header is None:
        return "warned", "the routine has no header; the manual of `lutra test` describes it"
    try:
        wrong = [
            *header_checks.form(header),
            *header_checks.time(header, name),
            *header_checks.clobbers(header, name, seen, known, loaded.whole),
            *header_checks.memory(header, seen[name]),
            *header_checks.cycles(header, name, seen[name], loaded.code()[name]),
        ]
    except HeaderError as error:
        wrong = [str(error)]
    if wrong:
        return "failed", "; ".join(wrong)
    if missing := header.missing():
        return "warned", f"the header has no {', '.join(missing)}"
    return "passed", ""


def _corrections(loaded: Loaded, known: Headers, name: str, seen: Mapping[str, Seen]) -> list[Correction]:
    """Return the corrections of a routine's header if it is in the folder and all its routines were observed."""
    header = known.of(name)
    if header is None or header.missing() or not loaded.whole:
        return []
    found = header_checks.corrections(header, seen, known, loaded.code())
    return [right for right in found if right.file.parent.resolve() == loaded.unit.folder.resolve()]


def corrections(loaded: Loaded, wanted: Wanted) -> list[Correction]:
    """Return the corrections of all headers, each once."""
    return list(dict.fromkeys(right for check in headers(loaded, wanted) for right in check.corrections))


def time(loaded: Loaded, wanted: Wanted, runs: int, rounds: int, suffix: str) -> Iterator[Check]:
    """A check of every routine that something runs: time and addresses do not depend on secrets.

    suffix: of the names of the checks.
    """
    found: dict[str, Leak | None] = {}
    stopped: set[str] = set()
    unable: dict[str, str] = {}
    done: set[tuple[str, str]] = set()

    def wants(name: str) -> bool:
        return wanted(loaded.home(name), f"constant time of {name}{suffix}")

    for case in loaded.cases():
        # A key schedule is the same in all modes; once in each image is enough.
        place = case.implementation.image.name
        of_key = {(place, name) for name in case.of_key}
        left = [name for name in (*case.set_up, *case.jobs) if (place, name) not in of_key & done]
        done |= of_key
        if names := [name for name in left if name in loaded.globals() and wants(name)]:
            if why := too_few(rounds, loaded.images[place]):
                unable |= dict.fromkeys(names, why)
                continue
            try:
                leaks = timing.of_case(case, runs, random.Random(f"{SEED} {case}"), rounds, only=names)
            except FirmwareError as error:
                yield Check("time", str(loaded.unit.manifest), f"runs of {case}{suffix}", "failed", str(error))
                stopped |= set(names)
                continue
            found |= {name: found.get(name) or leak for name, leak in leaks.items()}
    for test in loaded.routines:
        if test.secret and not timing.is_variable(test.entry):
            try:
                image = routines.image_of(test, loaded.images)
                if why := too_few(rounds, image):
                    unable[test.entry] = why
                    continue
                leak = routines.time(test, image, runs, random.Random(f"{SEED} {test.name}"), rounds)
            except (FirmwareError, engines.EngineError):
                continue
            found[test.entry] = found.get(test.entry) or leak
    for name in filter(wants, loaded.code()):
        file, what = loaded.home(name), f"constant time of {name}{suffix}"
        if (name in stopped or name in unable) and name not in found:
            yield Check("time", file, what, "skipped", unable.get(name, STOPPED))
        else:
            yield _time(file, what, name, found)


def _time(file: str, what: str, name: str, found: dict[str, Leak | None]) -> Check:
    """The check of a routine."""
    if timing.is_variable(name):
        return Check("time", file, what, "skipped", f"the name says that it varies: {VARIABLE}")
    if name not in found:
        return Check("time", file, what, "skipped", "nothing runs the routine with secrets that change")
    leak = found[name]
    if leak is None:
        return Check("time", file, what, "passed")
    return Check("time", leak.file or file, what, "failed", leak.text, leak.line)
