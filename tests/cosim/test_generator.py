"""The generator of random programs: what it promises, held on the simulator alone."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

import lutra
from lutra.cosim.runner import prepare, run
from lutra.isa import load
from lutra.random import STRUCTURED, Generator, WeightsError, defaults, generator, structured
from lutra.random.addresses import Addresses, Register
from lutra.random.modes import mode_of, weights_of
from lutra.random.weights import ADDRESSES, CHANCES, ROLES


@pytest.mark.parametrize("mode", STRUCTURED)
def test_programs_end_as_they_were_built_to(mode: str) -> None:
    engines = {rounds: lutra.make_engine("iss", rounds) for rounds in (1, 2)}
    generator = Generator(mode=mode)
    for seed in range(16):
        program = generator.program(seed)
        stops, failure = run(engines[program.rounds], program)
        assert failure is None, f"seed {seed}: {failure.report}"
        assert (program.ends == "halted") == (mode != "traps")
        assert len(stops) == len(program.starts)
        assert stops[0].instructions > 0


def test_every_trap_is_met_for_both_rounds() -> None:
    traps = {t.name for t in load().traps if not t.by_fault}
    for rounds in (1, 2):
        generator, met = Generator(mode="traps", rounds=rounds), set[str]()
        for seed in range(100):
            met.add(generator.program(seed).ends)
            if met >= traps:
                break
        assert met == traps


def test_every_instruction_retires() -> None:
    """All instructions but those that need two rounds also with one."""
    isa = load()
    for rounds in (1, 2):
        engine = lutra.make_engine("iss", rounds)
        generator = Generator(structured(isa), rounds=rounds)
        retired: set[int] = set()
        wanted = {i.opcode for i in isa.instructions if rounds == 2 or not i.facts.two_rounds}
        for seed in range(40):
            program = generator.program(seed)
            prepare(engine, program)
            engine.start(program.base)
            retired |= {record.insn >> 56 for record in engine.records()}
            if wanted <= retired:
                break
        assert wanted <= retired


def test_a_seed_makes_the_same_program_whatever_was_made_before() -> None:
    first = Generator()
    programs = [first.program(seed) for seed in range(20)]
    second = Generator()
    assert [second.program(seed) for seed in reversed(range(20))] == programs[::-1]


def test_modes_of_neighbouring_seeds_are_spread_by_weight() -> None:
    weights = defaults(load()) | {"mode:traps": 5.0, "mode:loops": 0.0}
    found = Counter(mode_of(seed, weights) for seed in range(130))
    made = Generator(weights)
    assert [made.program(seed).mode for seed in range(8)] == [mode_of(seed, weights) for seed in range(8)]
    assert 40 <= found["traps"] <= 60
    assert found["loops"] == 0 and found["mixed"] in range(8, 13)


def test_an_instruction_without_weight_does_not_occur() -> None:
    isa = load()
    unwanted = next(i for i in isa.instructions if i.vector)
    weights = defaults(isa) | {f"insn:{unwanted.mnemonic}": 0.0}
    plain = Generator(weights, mode="mixed", rounds=2)
    # Every program loads the registers first, by an instruction of its own choice; a trap is made of any that can.
    words = [w for p in map(plain.program, range(5)) for w in p.words[18 : p.starts[1].at]]
    assert words and all(w & unwanted.mask != unwanted.match for w in words)


def test_every_decision_with_a_weight_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A weight that nothing asks for is a knob without effect."""
    asked: set[str] = set()

    class Asked(dict[str, float]):
        def __getitem__(self, name: str) -> float:
            asked.add(name)
            return super().__getitem__(name)

    monkeypatch.setattr(generator, "weights_of", lambda mode, weights: Asked(weights_of(mode, weights)))
    generators = [Generator(mode=mode) for mode in ("windows", "calls", "traps", "hazards", "words")]
    wanted = {*CHANCES, *ROLES, *ADDRESSES}
    for seed, made in product(range(100), generators):
        if wanted <= asked:
            break
        made.program(seed)
    assert wanted - asked == set()


def test_the_weight_of_a_decision_changes_it() -> None:
    isa = load()
    repeat = next(i for i in isa.instructions if i.facts.sq == "SqRepeat")
    always_zero = Generator(defaults(isa) | {"chance:turns": 0.0}, mode="loops", rounds=2)
    words = [w for seed in range(5) for w in always_zero.program(seed).words if w & repeat.mask == repeat.match]
    counts = Counter(repeat.get(w, "n") for w in words)
    # A halt or trap opens loops that count what they like.
    assert counts[0] > len(words) / 2


def test_a_window_of_one_address_below_the_step_is_no_circular_buffer() -> None:
    """start = end is reached by any step down, and the next one would go below zero."""
    addresses = Addresses(load())
    addresses.registers[0] = Register(3, 3, step=1, stepped=True, windowed=True)
    assert addresses.ring(0, 4080) is None


def test_weights_that_leave_no_choice_are_refused() -> None:
    isa = load()
    nothing = {name: 0.0 for name in defaults(isa) if name.startswith("mode:")}
    with pytest.raises(WeightsError):
        Generator(defaults(isa) | nothing).program(0)
