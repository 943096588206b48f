"""How operands of each kind are written in the tests: in every form, and in one whose value is known."""

from __future__ import annotations

import random

from lutra.isa import Insn, Isa, Operand
from models.lanes import xor
from support.formulas import Env


def rows(isa: Isa, space: str) -> list[str]:
    last = isa.size(isa.space_by_name[space.split(":")[0]]) - isa.machine["VectorBytes"]
    registers = isa.address_registers
    patterns = [f"{space}[{registers[i % len(registers)]}{p.suffix}]" for i, p in enumerate(isa.patterns, 3)]
    return [*patterns, f"{space}[0]", f"{space}[0x10]", f"{space}[{last}]"]


def forms(isa: Isa, insn: Insn, operand: Operand) -> list[str]:
    """Ways to write an operand. Memories of the three slots differ, so that no combination clashes."""
    first = [v.name for v in isa.vectors if v.name and v.source]
    second = [v.name for v in isa.vectors if v.name and v.second_source]
    written = [v.name for v in isa.vectors if v.name and v.destination]
    whitening = isa.vector("WK").name
    memories = [s.name for s in isa.spaces if s.blocks]
    data, store = rows(isa, memories[2]), rows(isa, memories[3])
    tables = [row for s in isa.spaces if s.banks for row in rows(isa, s.name)]
    match operand.kind:
        case "dst":
            return written + store + tables + [f"{{{written[1]}, {row}}}" for row in store]
        case "register":
            return [name for name in written if name]
        case "third":
            return [f"v{n}" for n in range(isa.machine["VectorRegs"])]
        case "dst_pair":
            pairs = [("v0", "v1"), ("v4", "v5"), ("v6", "v7")]
            rows_too = [f", {row}" for row in store] if len(operand.fields) > 1 else []
            return [f"{{{a}, {b}{row}}}" for a, b in pairs for row in ("", *rows_too)]
        case "move":
            held = [f"{{hold, {row}}}" for row in data] + ["{hold, ctr++}"]
            return [*held, *(f"{{{row}, v3}}" for row in store), *(f"{{{store[-1]}, v6 ^ {row}}}" for row in data)]
        case "store":
            return store + tables
        case "sum":
            plain = [v for v in second if v != whitening]
            sums = [*first, *(f"{a} ^ {plain[-2]}" for a in first), *(f"{plain[0]} ^ {b}" for b in second)]
            if "ds" in operand.fields:
                sums += data + [f"{plain[1]} ^ {row}" for row in data] + [f"{row} ^ {whitening}" for row in data]
            return [*sums, f"{plain[1]} ^ {plain[2]} ^ {whitening}"]
        case "source":
            names = first if "ra" in operand.fields else second
            return names + (data if len(operand.fields) > 1 else [])
        case "key":
            return rows(isa, ":".join(isa.memory_by_block[b].name for b in insn.facts.key_blocks))
        case "row":
            return data
        case "address":
            return list(isa.address_registers)
        case "contexts":
            return [*isa.stream_contexts, ":".join(isa.stream_contexts)]
        case "context":
            return list(isa.stream_contexts)
        case "choice":
            return [str(c) for c in operand.choices]
        case "loop_end":
            return ["0x100", "0x101", str(operand.high)]  # after every statement of the test
        case _:
            return [str(operand.low), str(operand.high), str((operand.low + operand.high) // 2)]


def written(isa: Isa, insn: Insn, operand: Operand, rng: random.Random, env: Env) -> str:
    """An operand of the statement; what its value is goes to the environment."""
    match operand.kind:
        case "dst" | "register":
            return "v2"
        case "move":
            env |= {"moved": xor(env["v1"], env["row2"]), "data": env["row2"]}
            return "{m3[0x300], v1 ^ m2[0x20]}"
        case "dst_pair":
            return "{v2, v3}"
        case "third":
            env["third"] = env["v4"]
            return "v4"
        case "store":
            return "m3[0x200]"
        case "sum":
            env |= {"a": env["v0"], "b": env["v1"], "w": env["wk"]}
            return "v0 ^ v1 ^ wk"
        case "source" if "ra" in operand.fields:
            env |= {"a": env["v0"], "w": env["wk"]}
            return "v0"
        case "source":
            env["b"] = env["v1"]
            return "v1"
        case "key":
            return ":".join(isa.memory_by_block[b].name for b in insn.facts.key_blocks) + "[0x50]"
        case "row":
            env["d"] = env["row2"]
            return "m2[0x20]"
        case "contexts":
            env["c"] = rng.choice([[0], [1], [0, 1]])
            return ":".join(f"c{n}" for n in env["c"])
        case "context":
            env["o"] = rng.randrange(2)
            return f"c{env['o']}"
        case "address":
            names = {"as": "ar1", "ad": "ar2"} if len(operand.fields) == 1 else {"as": "ar1", "ad": "ar1"}
            return names[operand.fields[0]]
        case "number":
            value = rng.randint(max(operand.low, 0), operand.high)
            env[operand.fields[0]] = operand.base + value
            return str(value)
        case "choice":
            value = rng.choice(operand.choices)
            env["n"] = operand.choices.index(value)
            return str(value)
        case "target":
            return "there"
        case kind:
            raise AssertionError(kind)
