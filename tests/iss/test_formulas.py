"""Every formula that the manual and `lutra isa` print, evaluated on random operands against the simulator."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from lutra.isa import Insn, load
from models import aes, aria, camellia, field, generic, prime, snow3g, zuc
from models.lanes import lanes, prefix_xor, unlanes, xor
from support.formulas import Env, evaluate, number
from support.only import only
from support.operands import written
from support.run import Ran, Run

ISA = load()
TRIALS = 4
SECOND_HALF = ("T1", "X2", "M2", "P2", "A2", "L2")
CONTROL = only(ISA.instructions, lambda i: not i.vector)
VECTOR = only(ISA.instructions, lambda i: i.vector)
# Functions whose remark says all; what they do is tested in test_control.py.
IN_WORDS = {"SqRepeat", "SqRepeatAr", "SqWait", "SqNotify", "SqHalt"}


class Context:
    """A stream context, as the models of the ciphers want it."""

    def __init__(self, rows: bytes) -> None:
        self.load(rows)

    def load(self, rows: bytes) -> None:
        self.s = lanes(rows[:64], 4)
        self.r = lanes(rows[64:76], 4)
        self.buffer = rows[80:96]

    def rows(self) -> bytes:
        return unlanes([*self.s, *self.r, 0], 4) + self.buffer

    def emit(self, z: int) -> None:
        self.buffer = self.buffer[4:] + z.to_bytes(4, "big")

    def snow(self, work: bool) -> None:
        model = snow3g.Snow3g(bytes(16), bytes(16))
        model.s, model.r = self.s, self.r
        f = model.fsm()
        if work:
            self.emit(f ^ model.s[0])
        model.lfsr(0 if work else f)
        self.s, self.r = model.s, model.r

    def zuc(self, f: bool, lfsr: bool, init: bool) -> None:
        model = zuc.Zuc(bytes(16), bytes(16))
        model.s, model.r, model.w = self.s, self.r[:2], self.r[2]
        if f:
            z = model.f()
            if not init:
                self.emit(z)
        if lfsr:
            model.lfsr(init)
        self.s, self.r = model.s, [*model.r, model.w]


def each(clock: Callable[[Context], None]) -> Callable[[list[Context]], None]:
    def clocks(contexts: list[Context]) -> None:
        for context in contexts:
            clock(context)

    return clocks


def crc(env: Env) -> Callable[[list[Context], bytes], None]:
    def clock(contexts: list[Context], x: bytes) -> None:
        first, total = env["contexts"][0], 0
        for n, context in enumerate(env["contexts"]):
            if context in contexts:
                word = lanes(x, 4)[n] ^ (first.r[0] if n == 0 else 0)
                for j, byte in enumerate(word.to_bytes(4, "big")):
                    at = 16 * byte + 4 * j
                    total ^= int.from_bytes(env["banks"][n][at : at + 4], "big")
        if first in contexts:
            first.r[0] = total

    return clock


FUNCTIONS: Env = {
    "ShiftRows": aes.shift_rows,
    "InvShiftRows": aes.inv_shift_rows,
    "MixColumns": aes.mix_columns,
    "InvMixColumns": aes.inv_mix_columns,
    "PrefixXor": prefix_xor,
    "A": aria.diffusion,
    "P": camellia.p,
    "FL": lambda x, key: camellia.fl_half(x[:8], key) + camellia.fl_half(x[8:], key),
    "FLINV": lambda x, key: camellia.flinv_half(x[:8], key) + camellia.flinv_half(x[8:], key),
    "Double": field.double,
    **{f"Add{bits}": partial(generic.add, bits=bits) for bits in (8, 16, 32, 64, 128)},
    **{f"Sub{bits}": partial(generic.subtract, bits=bits) for bits in (8, 16, 32, 64, 128)},
    "RotateBytes": generic.rotate_bytes,
    "LeftBytes": generic.left_bytes,
    "RightBytes": generic.right_bytes,
    "RotateBits": generic.rotate_bits,
    "LeftBits": generic.left_bits,
    "RightBits": generic.right_bits,
    "SpreadWord": generic.spread_word,
    "FoldWords": generic.fold_words,
    "Scatter": generic.scatter,
    "TurnSum": generic.turn_sum,
    "RotateWords": generic.rotate_words,
    "RotateEach": generic.rotate_each,
    "Horner128": field.horner128,
    "Horner64": field.horner64,
    "Window": field.window,
    "Down": field.down,
    "Reverse": field.reverse,
    "Sum": prime.total,
    "Prime": lambda y, digit, h: prime.step(y, digit, number(h)),
    "Number": prime.number,
    "Block": prime.block,
    "Digits": prime.digits,
    "Row": prime.row,
    "DownByte": prime.down_byte,
    "SnowInit": each(lambda c: c.snow(work=False)),
    "SnowWork": each(lambda c: c.snow(work=True)),
    "ZucInit": each(lambda c: c.zuc(f=True, lfsr=True, init=True)),
    "ZucWork": each(lambda c: c.zuc(f=True, lfsr=True, init=False)),
    "ZucF": each(lambda c: c.zuc(f=True, lfsr=False, init=False)),
    "ZucLfsrInit": each(lambda c: c.zuc(f=False, lfsr=True, init=True)),
    "ZucLfsrWork": each(lambda c: c.zuc(f=False, lfsr=True, init=False)),
    "buffer": lambda context: context.buffer,
    "row": lambda context, n: context.rows()[16 * n : 16 * n + 16],
}


def bank(insn: Insn, rng: random.Random) -> bytes:
    names = {s.function for s in insn.path}
    known = {"Snow": snow3g.bank, "Zuc": zuc.bank}
    return next((make() for word, make in known.items() if any(n.startswith(word) for n in names)), rng.randbytes(4096))


def statement(insn: Insn, rng: random.Random, env: Env) -> str:
    """A statement without what moves if it is optional."""
    operands = [written(ISA, insn, o, rng, env) for o in insn.operands if o.kind != "move" or not o.optional]
    return f"{insn.mnemonic} {', '.join(operands)}"


def environment(insn: Insn, rng: random.Random) -> Env:
    """Random state before an instruction."""
    words = [rng.randrange(1, 2**31) for _ in range(2 * 20)]
    contexts = [unlanes([*words[20 * n : 20 * n + 19], 0], 4) + rng.randbytes(16) for n in range(2)]
    env: Env = FUNCTIONS | {name: rng.randbytes(16) for name in ("v0", "v1", "v4", "wk", "row2", "k0", "k1")}
    env |= {"contexts": [Context(rows) for rows in contexts], "rows": contexts, "as": rng.getrandbits(16)}
    env |= {"banks": [bank(insn, rng), bank(insn, rng)], "s": env["as"], "o": 0, "c": [], "d": bytes(16)}
    field64 = any(step.function.startswith("Field") for step in insn.path)
    env |= {name: (bytes(8) if field64 else rng.randbytes(8)) + rng.randbytes(8) for name in ("gh", "gy")}
    env |= {"gt": env["gy"][14], "gu": prime.step(0, env["gy"][15], number(env["gh"])) >> 128}
    env |= {"gx": rng.randbytes(16), "h": 0, "g": 0, "moved": env["v0"], "data": bytes(16)}
    for n, table in enumerate(env["banks"]):
        env[f"t{n}"] = [bytes(table[16 * e + lane] for e in range(256)) for lane in range(16)]
    return env | {"Crc": crc(env)}


def sides(env: Env) -> None:
    """The key rows that can enter."""
    env |= {f"k{n}h": env[f"k{n}"][:8] * 2 for n in range(2)}
    env["kl"] = env["k0"][8:] + env["k1"][8:]


def expected(insn: Insn, env: Env) -> None:
    """Evaluate the path; what it writes is in env["assigned"]."""
    sides(env)
    for beside in ISA.hash_beside:
        if env[beside.field] & beside.code:
            evaluate(beside.text, env)
    env["c"], env["o"] = [env["contexts"][n] for n in env["c"]], env["contexts"][env["o"]]
    x = env.get("a", bytes(16))
    for step in insn.path:
        if step.block in (*SECOND_HALF, "RES") and "q" not in env:
            env["q"], env["s"] = xor(x, env["k1h"]), x
            if "third" in env:
                env["c"] = generic.rotate_third(env["third"], env.get("n", 0))
        if step.block not in ("SRC", "P0", "L0"):
            env.setdefault("after_l0", x)
        if by := re.fullmatch(r"(Left|Right)Bits\(x, (\d+)\)", step.formula):
            env["k0g"] = generic.lanes_carried_out(env["k0"], env["after_l0"], int(by[2]), right=by[1] == "Right")
        env["x"] = x
        value = evaluate(step.formula, env)
        match step.block:
            case "RES":
                return
            case "SRC":
                x = value.to_bytes(16, "big")
            case "P0":
                x, env["p"] = env["a"], env["b"] = value
            case "P2" | "A2":
                x, env["p"] = value
            case _:
                x = value
    if insn.facts.destination:
        env["assigned"]["dst",] = x


def before(env: Env) -> dict[str, bytes]:
    """The memories from which a program sets the state up."""
    rows = env["v0"] + env["v1"] + env["row2"] + env["wk"]
    hashed = field.reverse(env["gx"]) + env["gy"] + (1 << 127).to_bytes(16, "big")
    tables = {f"t{n}": table for n, table in enumerate(env["banks"])}
    keys = {f"m{n}": bytes(0x50) + env[f"k{n}"] + env["gh"] for n in range(2)}
    return keys | tables | {"m2": rows + b"".join(env["rows"]) + hashed + env["v4"]}


SET_UP = "\n".join(
    [
        "mov v0, m2[0]",
        "mov v1, m2[0x10]",
        "mov wk, m2[0x30]",
        # Two digits of the sum-to-be leave something above input and sum.
        "gplast zero",
        "ghkey m0[0x60]",
        "gplast m2[0x110]",
        "gpstep",
        "gpstep",
        # The sum is a product by one; then the input and the factor come without a change of it.
        "ghkey m2[0x120]",
        "mov v4, m2[0x130]",
        "ghset m2[0x110]",
        *["ghstep"] * 4,
        "ghwinx m0[0x60], m2[0x100]",
        *(f"ctxld c{c}, {n}, m2[{0x40 + 96 * c + 16 * n}]" for c in range(2) for n in range(6)),
    ]
)
SAVE = "\n".join(
    [
        "mov m3[0], v2",
        "mov m3[0x10], v3",
        "artov m3[0x20], ar2",
        *(f"ctxst m3[{0x40 + 96 * c + 16 * n}], c{c}, {n}" for c in range(2) for n in range(6)),
        "bf set",
        "halt",
        "set: arset ar7, 1",
        "artov m3[0x30], ar7",
        "halt",
    ]
)


def compare(ran: Ran, env: Env) -> None:
    """The machine wrote what the path assigns."""
    assigned: dict[Any, Any] = env["assigned"]
    for place, value in assigned.items():
        match place:
            case ("dst",):
                pair = value if isinstance(value, tuple) else (value, bytes(16))
                assert (ran.row("m3"), ran.row("m3", 1)) == pair
            case ("gh",) | ("gx",) | ("gy",) | ("gt",) | ("gu",):
                pass  # below, with those that are not assigned
            case ("v",):
                pass  # what the others are parts of
            case ("dst", lane):
                row = bytearray(16)
                row[lane] = value[0]
                assert ran.row("m3", 32) == bytes(row)
            case ("flag",):
                assert ran.row("m3", 3) == bytes(15) + bytes([value])
            case ("t0",):
                assert ran.engine.read("t0", 0, 4096) == bytes(lane[e] for e in range(256) for lane in value)
            case ("ad",):
                assert ran.row("m3", 2) == bytes(14) + value
            case ("row", context, n):
                rows = context.rows()
                shown = value[:12] + bytes(4) if n == 4 else value
                changed = rows[: 16 * n] + shown + rows[16 * n + 16 :]
                context.load(changed)
            case _:
                raise AssertionError(f"nothing looks at {place}")
    registers = ran.engine.registers()
    for name in ("gh", "gx", "gy"):
        assert registers[name].value == (env[name] or bytes(16)), name
    for name in ("gt", "gu"):
        assert registers[name].value == number(env[name]), name
    after = ran.engine.read("m3", 0x40, 192)
    assert after == b"".join(c.rows() for c in env["contexts"])


@pytest.mark.parametrize("run", ["iss"], indirect=True)
@pytest.mark.parametrize("insn", VECTOR, ids=lambda i: i.name)
def test_path_of_a_vector_instruction_computes_what_is_printed(insn: Insn, run: Run) -> None:
    rng = random.Random(insn.name)
    for trial in range(TRIALS):
        env = environment(insn, rng)
        if insn.facts.writes_flag and trial % 2:
            env["v1"] = env["v0"]
        text = statement(insn, rng, env)
        ran = run(f"{SET_UP}\narset ar1, {env['as']}\n{text}\n{SAVE}", **before(env))
        assert ran.stop.state == "halted", text
        expected(insn, env)
        compare(ran, env)


# --------------------------------------------------------------------------- control and address instructions

PLACES = ("", "back", "next", "there")


def control(insn: Insn, env: Env) -> None:
    """Evaluate the path; `pc` is where it goes."""
    env |= {"v": env["s"], "taken": 1, "pc": env["next"]}
    for step in insn.path:
        if step.block == "SQ" and not env["taken"]:
            continue
        if step.formula:
            evaluate(step.formula, env)
        if step.block == "AU":
            env["v"] = env["assigned"].get(("ad",), env["s"]) & 0xFFFF


@pytest.mark.parametrize("run", ["iss"], indirect=True)
@pytest.mark.parametrize("flag", [0, 1])
@pytest.mark.parametrize("insn", [i for i in CONTROL if i.facts.transfer], ids=lambda i: i.name)
def test_transfer_goes_where_is_printed(insn: Insn, flag: int, run: Run) -> None:
    if {s.function for s in insn.path} & IN_WORDS:
        assert not next(s for s in insn.path if s.block == "SQ").formula
        return
    rng = random.Random(insn.name)
    for count in (0, 1, 2, rng.getrandbits(16)):
        stack = ["back"]
        env: Env = {"s": count, "n": 0xFFFF, "flag": flag, "next": "next", "e": "there"}
        env |= {"push": stack.append, "pop": stack.pop}
        ran = run(
            f"cmp zero, {'zero' if flag else 'm2[0]'}\narset ar1, {count}\ncall over\n"
            f"arset ar7, {PLACES.index('back')}\nartov m3[0], ar7\nhalt\n"
            f"over: {statement(insn, rng, env)}\narset ar7, {PLACES.index('next')}\nartov m3[0], ar7\nhalt\n"
            f"there: arset ar7, {PLACES.index('there')}\nartov m3[0], ar7\nhalt",
            m2=bytes(range(1, 17)),
        )
        control(insn, env)
        assert PLACES[ran.row("m3")[15]] == env["pc"]
        assert stack == {"SqCall": ["back", "next"], "SqReturn": []}.get(insn.facts.sq, ["back"])


@pytest.mark.parametrize("run", ["iss"], indirect=True)
@pytest.mark.parametrize("insn", [i for i in CONTROL if i.path and not i.facts.transfer], ids=lambda i: i.name)
def test_address_unit_writes_what_is_printed(insn: Insn, run: Run) -> None:
    """A step is seen by a stepping access, a window by one that wraps, a width by a counter of ones."""
    rng = random.Random(insn.name)
    for _ in range(TRIALS):
        env: Env = {"s": rng.getrandbits(16), "next": 0, "ad": "ar2", "assigned": {}}
        text = statement(insn, rng, env)
        control(insn, env)
        m2 = bytes(range(16)) * 2
        probes = {
            "ad": "artov m3[0], ar2",
            "step": "arset ar2, 0\nmov v0, m2[ar2+=s]\nartov m3[0], ar2",
            "width": "mov ctr, m2[0x20]\nmov v0, ctr++\nmov m3[0], ctr",
        }
        for (name, *_), value in env["assigned"].items():
            if name == "AddrEnd":
                end, start = value, env["assigned"]["AddrStart", "ar2"]
                for at in (end - 1, end):
                    if at >= 1:
                        probe = f"arset ar2, 0\narstep ar2, {at}\nmov v0, m2[ar2+=s%]\nartov m3[0], ar2"
                        ran = run(f"{text}\n{probe}\nhalt", m2=m2)
                        assert ran.row("m3") == (start if at >= end else at).to_bytes(16, "big")
                continue
            if name == "AddrStart":
                continue  # with the end
            ran = run(f"arset ar1, {env['s']}\n{text}\n{probes[name]}\nhalt", m2=m2 + b"\xff" * 16)
            if name == "width":
                bits = next(bits for bits, code in ISA.widths if code == value)
                assert ran.row("m3") == b"\xff" * (16 - bits // 8) + bytes(bits // 8)
            else:
                assert ran.row("m3") == (value & 0xFFFF).to_bytes(16, "big")


def test_only_these_functions_have_no_formula() -> None:
    assert {s.function for i in ISA.instructions for s in i.path if not s.formula} == IN_WORDS
