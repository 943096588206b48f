"""Schedule and registers of a loop by CP-SAT."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lutra.optimize import greedy
from lutra.optimize.body import MOST_STAGES, Body, Range
from lutra.optimize.errors import OptimizeError

SEED, WORKERS = 1, 1  # several workers find another schedule each time


@dataclass(frozen=True)
class Schedule:
    """times: the issue of each instruction, counted from the beginning of its pass. registers: of each range."""

    period: int
    times: Sequence[int]
    registers: Sequence[int]

    @property
    def stages(self) -> int:
        """How many passes are in flight at a time."""
        return max(time // self.period for time in self.times) + 1


@dataclass(frozen=True)
class Solution:
    """The best schedule that was found, if any, and the least period that is not excluded.

    excluded: why no smaller period is possible: `issue` or a chain of values for every order, or `search`: for the
    registers there are.
    """

    schedule: Schedule | None
    bound: int

    @property
    def optimal(self) -> bool:
        """Whether no order of these instructions, with any registers, takes fewer cycles."""
        return self.schedule is not None and self.schedule.period == self.bound


def cp_sat() -> Any:
    """The solver. OptimizeError where it is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise OptimizeError("OR-tools is not installed; install it with: pip install 'lutra-asip[optimize]'") from None
    return cp_model


def solve(
    body: Body, most: int, seconds: float, progress: Callable[[str], None], stages: int = MOST_STAGES
) -> Solution:
    """Find a schedule of fewer cycles per pass than `most`, within a time, as small as possible.

    First without search; then the least period that may be possible gets half of the time, and the periods between are
    halved.
    """
    search = _Search(cp_sat(), body, stages, time.monotonic() + seconds, progress)
    best = search.simple(most)
    low, high = body.bound, most if best is None else best.period
    bound = period = low
    while low < high and search.left > 0:
        state, found = search.period(period, search.left / 2)
        if found is not None:
            best, high = found, period
        else:
            # A smaller period is not easier: a schedule of it is one of this period, too, with cycles left over.
            low = period + 1
            if state == "infeasible" and period == bound:
                bound = low
        period = low if low == bound else (low + high) // 2
    return Solution(best, bound)


class _Search:
    def __init__(self, cp_model: Any, body: Body, stages: int, ends: float, progress: Callable[[str], None]) -> None:
        self._cp, self._body, self._stages, self._ends, self._progress = cp_model, body, stages, ends, progress

    @property
    def left(self) -> float:
        """Seconds until the end."""
        return self._ends - time.monotonic()

    def simple(self, most: int) -> Schedule | None:
        """Return the schedule of the least period with every instruction as early as it can be."""
        for period in range(self._body.bound, most):
            times = greedy.times(self._body, period)
            if times is None or max(times) // period >= self._stages:
                continue
            self._progress(f"registers for {period} cycles per pass")
            model = _Model(self._cp, self._body, period, max(times) // period + 1, times)
            _, found = model.solve(self.left / 2)
            if found is not None:
                return found
        return None

    def period(self, period: int, seconds: float) -> tuple[str, Schedule | None]:
        """Look for a schedule with as few passes in flight as possible: each costs words."""
        self._progress(f"{period} cycles per pass")
        least = min(self._stages, -(-self._body.length // period))
        state, ends = "infeasible", time.monotonic() + seconds
        for depth in range(least, self._stages + 1):
            state, found = _Model(self._cp, self._body, period, depth).solve((ends - time.monotonic()) / 2)
            if found is not None:
                return state, found
        return state, None


class _Model:
    """A period: whether there is a schedule."""

    def __init__(self, cp_model: Any, body: Body, period: int, stages: int, fixed: Sequence[int] | None = None) -> None:
        """fixed: the times, if only registers are to be found."""
        self._cp, self._body, self._period, self._stages = cp_model, body, period, stages
        self._model = m = cp_model.CpModel()
        count = body.count
        self._slots = [m.new_int_var(0, period - 1, f"slot{i}") for i in range(count)]
        self._stage = [m.new_int_var(0, stages - 1, f"stage{i}") for i in range(count)]
        self._times = [m.new_int_var(0, period * stages - 1, f"time{i}") for i in range(count)]
        for slot, stage, at in zip(self._slots, self._stage, self._times, strict=True):
            m.add(at == slot + period * stage)
        m.add_all_different(self._slots)
        for edge in body.edges:
            m.add(self._times[edge.after] + period * edge.passes >= self._times[edge.before] + edge.gap)
        for apart in body.apart:
            self._apart(apart.first, apart.second, apart.gap)
        for at, known in zip(self._times, fixed or (), strict=False):
            m.add(at == known)
        # The first pass begins at once.
        m.add_min_equality(m.new_constant(0), self._stage)
        self._registers = self._allocate()

    def _apart(self, first: int, second: int, gap: int) -> None:
        m, a, b = self._model, self._slots[first], self._slots[second]
        later = m.new_bool_var(f"later{first}_{second}")
        m.add(b >= a + gap).only_enforce_if(later)
        m.add(b + self._period >= a + gap).only_enforce_if(~later)
        m.add(b < a).only_enforce_if(~later)

    def _allocate(self) -> list[Any]:
        """Registers: what is alive at the same time differs, around the circle of a pass."""
        m, period, body = self._model, self._period, self._body
        registers, times, rows, counted = [], [], [], []
        for n, r in enumerate(body.ranges):
            choices = [r.register] if r.register >= 0 else [k for k in range(8) if body.free >> k & 1]
            register = m.new_int_var_from_domain(self._cp.Domain.from_values(choices), f"register{n}")
            size = m.new_int_var(1, period, f"size{n}")
            slot = self._slots[r.sets]
            for use, passes in r.uses:
                m.add(size >= self._times[use] + period * passes - self._times[r.sets])
            self._outside(r, size, n)
            for copy in range(2):
                end = m.new_int_var(1, 3 * period, f"end{n}_{copy}")
                start = slot + copy * period
                times.append(m.new_interval_var(start, size, end, f"alive{n}_{copy}"))
                rows.append(m.new_fixed_size_interval_var(register, 1, f"row{n}_{copy}"))
                counted.append(1)
            registers.append(register)
        if times:
            m.add_no_overlap_2d(times, rows)
            m.add_cumulative(times, counted, body.free.bit_count() + self._fixed())
        for k, (a, b) in enumerate(body.pairs):
            half = m.new_int_var(0, 3, f"pair{k}")
            m.add(registers[a] == 2 * half)
            m.add(registers[b] == 2 * half + 1)
        return registers

    def _outside(self, r: Range, size: Any, n: int) -> None:
        """A value from before the loop, or for after it, needs its register also while passes fill and drain."""
        if not r.leaves and not r.carried:
            return
        m, alone = self._model, self._model.new_bool_var(f"alone{n}")
        m.add(size == self._period).only_enforce_if(alone)
        if r.leaves:
            end = self._stages * self._period
            m.add(size >= end - self._times[r.sets]).only_enforce_if(~alone)
        if r.carried:
            m.add(self._stage[r.sets] == 0).only_enforce_if(~alone)

    def _fixed(self) -> int:
        """Registers that only values with a fixed place may have."""
        return len({r.register for r in self._body.ranges if r.register >= 0 and not self._body.free >> r.register & 1})

    def solve(self, seconds: float) -> tuple[str, Schedule | None]:
        """Whether the period is infeasible, open, or found with its schedule: of few stages, since each costs words."""
        solver = self._cp.CpSolver()
        solver.parameters.max_time_in_seconds = max(0.1, seconds)
        solver.parameters.num_workers = WORKERS
        solver.parameters.random_seed = SEED
        state = solver.solve(self._model)
        if state in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            times = [solver.value(at) for at in self._times]
            return "found", Schedule(self._period, times, [solver.value(r) for r in self._registers])
        return ("infeasible" if state == self._cp.INFEASIBLE else "open"), None
