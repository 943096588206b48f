"""Ends of jobs and of routines between them, compared with the specification."""

from __future__ import annotations

from lutra.prove import apart, windows
from lutra.prove.affine import Affine
from lutra.prove.bits import Bits
from lutra.prove.jobs import Section
from lutra.prove.memory import ROW
from lutra.prove.sections import Routine
from lutra.prove.track import INPUT, OUTPUT, Differs, Track


def finish(end: Track) -> None:
    """Compare what a job leaves. Differs where it is not what the specification has."""
    if end.apart:
        apart.finish(end)
    elif end.units is not None:
        windows.finish(end)
    else:
        end.finish()


def returned(end: Track, routine: Routine) -> None:
    """Compare what a routine leaves. Differs where it is not what the specification has."""
    m = end.machine
    rows = m.memories[INPUT].first(Affine(0), ROW * routine.rows)
    if routine.output is not None:
        expected = Bits(m.revealed.get(bit, bit) for bit in routine.output(end.state, rows))
        if m.memories[OUTPUT].read(Affine(0), m.ranges, len(expected) // 8) != expected:
            raise Differs("the output of a routine between the jobs differs")
    if routine.state is not None:
        end.state = routine.state(end.state, rows)


def continues(end: Track) -> bool:
    """Whether the message may go on after this job."""
    if end.ends:
        return False
    if isinstance(end.job, Section):
        return True
    every = end.job.continues
    odd = end.total.constant % every and all(times % every == 0 for _, times in end.total.terms)
    return end.rest == end.bits == Affine(0) and not odd
