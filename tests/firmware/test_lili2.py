"""LILI-II against two models written apart: its submission's own vectors are not to be had, one of a public port is."""

from __future__ import annotations

import random

import pytest

from lutra.firmware import crypt
from lutra.iss.engine import EngineName
from models import lili2

STREAMS = 128
# The polynomials by their exponents, and the vector of the port, whose polynomial of LFSRd has the term x besides.
EXPONENTS_C = (
    "126 125 124 123 122 119 117 115 111 108 106 105 104 103 102 96 94 90 87 82 81 80 79 77 74 73 72 71 70 67 66 65 61"
    " 60 58 57 56 55 53 52 51 50 49 47 44 43 40 39 36 35 30 29 25 23 18 17 16 15 14 11 9 8 7 6 1 0"
)
EXPONENTS_D = (
    "121 120 114 107 106 103 101 97 96 94 92 89 87 84 83 81 76 75 74 72 69 68 65 64 62 59 57 56 54 52 50 48 46 45 43 40"
    " 39 37 36 35 30 29 28 27 25 23 22 21 20 19 18 14 10 8 7 6 4 3 2 0"
)
PORT = (
    "1198a219a3f3ed729500b3a54187f40dbbc9da59ceb3216f2dfbfdb31b70b634"
    "63eba7448eed9b629b622cd545b9a458eb4f559e145be166fff1f640d7e70612"
)


class Register:
    """As a list of stages, the last one first."""

    def __init__(self, stages: list[int], exponents: str, below: int = 0) -> None:
        self.stages = stages
        self.below = below
        self.taps = [len(stages) - 1 - int(exponent) for exponent in exponents.split()]

    def __getitem__(self, stage: int) -> int:
        return self.stages[len(self.stages) - 1 - stage]

    def clock(self) -> None:
        left = self.stages.pop(0)
        self.stages.append(self.below)
        self.below = 0
        for tap in self.taps:
            self.stages[tap] ^= left


def keystream(key: bytes, iv: bytes, size: int, port: bool = False) -> bytes:
    """By lists of bits and the algebraic normal form of fd."""
    exponents_d = EXPONENTS_D + " 1" * port
    k, v = (list(map(int, f"{int.from_bytes(value, 'big'):0128b}")) for value in (key, iv))
    loaded = [a ^ b for a, b in zip(k, v, strict=True)] + [a ^ b for a, b in zip(k[1:], v[:-1], strict=True)]
    below = port * v[-1]
    for number in (255, 255, 8 * size):
        c, d = Register(loaded[:128], EXPONENTS_C), Register(loaded[128:], exponents_d, below)
        loaded, below = [], 0
        for _ in range(number):
            ones = sum(d[stage] << 11 - i for i, stage in enumerate((0, 1, 3, 7, 12, 20, 30, 44, 65, 80, 96, 122)))
            loaded.append(sum(term & ones == term for term in NORMAL_FORM) % 2)
            steps = 1 + c[126] + c[0] + c[0]
            c.clock()
            while steps:
                d.clock()
                steps -= 1
    return bytes(int("".join(map(str, loaded[at : at + 8])), 2) for at in range(0, 8 * size, 8))


def normal_form() -> list[int]:
    """The products in the algebraic normal form of fd: the variables of each as ones."""
    values = list(map(int, f"{int.from_bytes(lili2.FD, 'big'):04096b}"))
    for i in range(12):
        values = [value ^ (values[at ^ 1 << i] if at >> i & 1 else 0) for at, value in enumerate(values)]
    return [term for term, value in enumerate(values) if value]


NORMAL_FORM = normal_form()


def test_fd_of_lili2_has_the_published_properties() -> None:
    """Balanced, correlation-immune of order 1, of degree 10 and nonlinearity 1992."""
    walsh = [1 - 2 * (lili2.FD[at // 8] >> 7 - at % 8 & 1) for at in range(4096)]
    for i in range(12):
        walsh = [
            walsh[at ^ 1 << i] - walsh[at] if at >> i & 1 else walsh[at] + walsh[at ^ 1 << i] for at in range(4096)
        ]
    assert walsh[0] == 0
    assert all(walsh[1 << i] == 0 for i in range(12))
    assert 2048 - max(map(abs, walsh)) // 2 == 1992
    assert max(term.bit_count() for term in NORMAL_FORM) == 10


def power_of_x(exponent: int, polynomial: int) -> int:
    degree = polynomial.bit_length() - 1
    power = 1
    for bit in f"{exponent:b}":
        power = int(f"{power:b}", 4) << int(bit)
        while power >> degree:
            power ^= polynomial << power.bit_length() - 1 - degree
    return power


@pytest.mark.parametrize(
    ("polynomial", "primes"),
    [
        (1 << 128 | lili2.MASK_C, (3, 5, 17, 257, 641, 65537, 274177, 6700417, 67280421310721)),
        (1 << 127 | lili2.MASK_D, ((1 << 127) - 1,)),
    ],
    ids=["LFSRc", "LFSRd"],
)
def test_registers_of_lili2_have_the_longest_period(polynomial: int, primes: tuple[int, ...]) -> None:
    """The order of x is a divisor of 2^n - 1, but not of that divided by any of its primes."""
    order = (1 << polynomial.bit_length() - 1) - 1
    assert power_of_x(order, polynomial) == 1
    assert all(order % prime == 0 and power_of_x(order // prime, polynomial) != 1 for prime in primes)


def test_other_polynomials_of_lili2_that_are_about_have_not() -> None:
    """LFSRc with 64 in place of 61, LFSRd with the term x."""
    assert power_of_x((1 << 128) - 1, 1 << 128 | lili2.MASK_C ^ 1 << 61 ^ 1 << 64) != 1
    assert (1 << 127 | lili2.MASK_D ^ lili2.TERM_X).bit_count() % 2 == 0


def test_models_of_lili2_meet_a_public_port() -> None:
    for model in (lili2.keystream, keystream):
        assert model(bytes(range(16)), bytes(16), 64, port=True).hex() == PORT


@pytest.mark.parametrize("port", [False, True])
def test_two_models_of_lili2_agree(port: bool) -> None:
    source = random.Random(2)
    for _ in range(4):
        key, iv = source.randbytes(16), source.randbytes(16)
        assert lili2.keystream(key, iv, 20, port) == keystream(key, iv, 20, port)


IN_LOCK_STEP = pytest.mark.nightly("the lock-step of two blocks and of the port, whose routines the simulator runs")
RUNS = [("iss", units, port) for port in (False, True) for units in (1, 2)]


@pytest.mark.parametrize(
    ("engine", "units", "port"),
    [*RUNS, ("cosim", 1, False), *(pytest.param("cosim", *run[1:], marks=IN_LOCK_STEP) for run in RUNS[1:])],
)
def test_each_of_128_ivs_has_its_keystream(port: bool, units: int, engine: EngineName) -> None:
    """Messages of one block, and of two, which are jobs of their own."""
    source = random.Random(units)
    key = source.randbytes(16)
    ivs = [source.randbytes(16) for _ in range(STREAMS)]
    text = source.randbytes(16 * STREAMS * units)
    got = crypt.encrypt("lili2-port-128-x128" if port else "lili2-128-x128", key, text, iv=b"".join(ivs), engine=engine)
    rows = [
        bytes(a ^ b for a, b in zip(got[at : at + 16], text[at : at + 16], strict=True))
        for at in range(0, len(got), 16)
    ]
    for stream, iv in enumerate(ivs):
        assert b"".join(rows[stream::STREAMS]) == lili2.keystream(key, iv, 16 * units, port), stream
    assert b"".join(rows[5::STREAMS]) == keystream(key, ivs[5], 16 * units, port)
